/** Asking the host of an instance for something inside of it. */
import {Refusal} from '../refusal.ts';
import {printTask, type TaskRequest} from '../rules/work-record.ts';
import type {Database} from '../store/database.ts';
import {findInstance} from '../store/instances.ts';
import {nextRevision} from '../store/revisions.ts';
import {hasOpenTask, insertTask} from '../store/tasks.ts';
import {writingOn} from '../store/writing.ts';
import {refuseTooMany} from './bounds.ts';

type Question = {
	readonly instanceId: number;
	readonly accountId: number;
	readonly request: TaskRequest;
	readonly now: number;
};

/** The word in the address of the answer, and whose host will give it; or why nobody will. */
export type Asked =
	| {readonly token: string; readonly hostAccountId: number}
	| {readonly obstacle: string};

/** @throws Refusal where the account has no such instance. */
export async function askHost(
	database: Database,
	{instanceId, accountId, request, now}: Question,
): Promise<Asked> {
	const held = {instances: [instanceId], payers: false};
	return writingOn(database, held, async transaction => {
		const instance = await findInstance(transaction, {id: instanceId, accountId});
		if (instance === undefined) {
			throw new Refusal('noSuchInstance', `Instance ${instanceId} not found.`);
		}
		if (instance.reported === null) {
			return {obstacle: `Instance ${instanceId} was not started yet: there is nothing to read.`};
		}
		if (instance.contact === 'lost') {
			return {obstacle: `The machine of instance ${instanceId} is offline.`};
		}
		if (request.kind === 'snapshot' && (await hasOpenTask(transaction, instanceId, 'snapshot'))) {
			const running = `A snapshot of instance ${instanceId} is being made: wait for its end.`;
			throw new Refusal('snapshotRunning', running);
		}
		const hostAccountId = instance.host_account_id;
		const revision = await nextRevision(transaction, hostAccountId);
		const text = printTask(request);
		const token = await insertTask(transaction, {instance, request: text, revision, now});
		await refuseTooMany(transaction, 'question', {accountId, at: instanceId, now});
		return {hostAccountId, token};
	});
}
