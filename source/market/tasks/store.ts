import {hash, randomBytes} from 'node:crypto';
import type {HostTask} from '../../contract/nouns/host-work.ts';
import type {Database} from '../database/database.ts';
import {before, type StatementTime} from '../database/statement.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {writing} from '../database/writing.ts';

/** Lifetime of a task and its result. */
const TASK_SECONDS = 600;

type NewTask = {
	readonly instance: InstanceRow;
	/** Task for the host, as text. */
	readonly request: string;
	readonly revision: number;
	readonly now: number;
};

/** Inserts a task, and returns the token of its result's URL, which is not kept. */
export async function insertTask(
	database: Database,
	{instance, request, revision, now}: NewTask,
): Promise<string> {
	const token = randomBytes(32).toString('base64url');
	await database
		.insertInto('tasks')
		.values({
			token_hash: hash('sha256', token),
			host_account_id: instance.host_account_id,
			instance_id: instance.id,
			request,
			revision,
			created_at: now,
			answer: null,
		})
		.execute();
	return token;
}

/** Result of a token, if there is one that has not expired. */
export async function findAnswer(
	database: Database,
	token: string,
	now: number,
): Promise<string | undefined> {
	const task = await database
		.selectFrom('tasks')
		.select('answer')
		.where('token_hash', '=', hash('sha256', token))
		.where('created_at', '>', now - TASK_SECONDS)
		.executeTakeFirst();
	return task?.answer ?? undefined;
}

export async function hasOpenTask(
	database: Database,
	instanceId: number,
	kind: HostTask['kind'],
): Promise<boolean> {
	const open = await database
		.selectFrom('tasks')
		.select('request')
		.where('instance_id', '=', instanceId)
		.where('answer', 'is', null)
		.execute();
	return open.some(({request}) => request.startsWith(`{"kind":"${kind}"`));
}

export function expiredTasks(database: Database, now: StatementTime) {
	return database
		.selectFrom('tasks')
		.select('id')
		.where('created_at', '<=', before(now, TASK_SECONDS));
}

export async function forgetTasks(database: Database, now: number): Promise<void> {
	await writing(database, async transaction =>
		transaction
			.deleteFrom('tasks')
			.where('created_at', '<=', now - TASK_SECONDS)
			.execute(),
	);
}

export async function deleteOpenTasks(database: Database, instanceId: number): Promise<void> {
	await database
		.deleteFrom('tasks')
		.where('instance_id', '=', instanceId)
		.where('answer', 'is', null)
		.execute();
}
