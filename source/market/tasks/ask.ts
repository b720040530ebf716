/** Asking the host of an instance for something inside of it. */
import {Refusal} from '../base/refusal.ts';
import {printTask, type TaskRequest} from '../hosts/rules.ts';
import type {Database} from '../database/database.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {nextRevision} from '../database/revisions.ts';
import {hasOpenTask, insertTask} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';

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
