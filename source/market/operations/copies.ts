/** Copies between the instances of an account: the host of the second one fetches from the first. */
import {sshRoutes, type SshRoute} from '../../contract/ssh-command.ts';
import {Refusal} from '../refusal.ts';
import {accessOf} from '../rules/instance-reports.ts';
import {readSettings} from '../rules/instance-settings.ts';
import {copiesInto, findCopy, insertCopy, updateCopy} from '../store/copies.ts';
import type {Database} from '../store/database.ts';
import type {CopyRow, InstanceRow} from '../store/instance-tables.ts';
import {findInstance, updateInstance} from '../store/instances.ts';
import {nextRevision} from '../store/work.ts';
import {writingOn} from '../store/writing.ts';

type NewCopy = {
	readonly accountId: number;
	readonly source: {readonly id: number; readonly path: string};
	readonly target: {readonly id: number; readonly path: string};
	readonly now: number;
};

/** Asks for a copy; it answers the account whose host will do it. */
export async function startCopy(
	database: Database,
	{accountId, source, target, now}: NewCopy,
): Promise<number> {
	const held = {instances: [source.id, target.id], payers: false};
	return writingOn(database, held, async transaction => {
		const from = await findRunning(transaction, {id: source.id, accountId});
		const to = await findRunning(transaction, {id: target.id, accountId});
		if (readSettings(from.settings).vm) throw badArguments('src_path not supported VMs.');
		if (readSettings(to.settings).vm) throw badArguments('dst_path not supported for VMs.');
		if (routesInto(from).length === 0) throw badArguments(`Instance ${from.id} has no way in.`);
		if ((await copiesInto(transaction, to.id)).length > 0) {
			throw new Refusal('copyRunning', `A copy into instance ${to.id} is under way.`);
		}
		const hostAccountId = to.host_account_id;
		await insertCopy(transaction, {
			account_id: accountId,
			source_id: from.id,
			target_id: to.id,
			machine_id: to.machine_id,
			host_account_id: hostAccountId,
			source_path: source.path,
			target_path: target.path,
			public_key: null,
			revision: await nextRevision(transaction, hostAccountId),
			created_at: now,
			ended_at: null,
		});
		// Whoever looks at once does not take the end of an earlier one for that of this.
		await updateInstance(transaction, to.id, {message: 'Copying: its host begins'});
		return hostAccountId;
	});
}

async function findRunning(
	database: Database,
	which: {readonly id: number; readonly accountId: number},
): Promise<InstanceRow> {
	const instance = await findInstance(database, which);
	if (instance === undefined) {
		throw new Refusal('noSuchInstance', `Instance ${which.id} not found.`);
	}
	if (instance.actual !== 'running') {
		throw badArguments(`Instance ${which.id} does not run: start it first.`);
	}
	return instance;
}

/** The ways into an instance by SSH, as its host named them. */
export function routesInto(instance: InstanceRow): readonly SshRoute[] {
	const {access, actual, id} = instance;
	const reached = accessOf({access, actual, public_ipaddr: null});
	return sshRoutes({id, image_runtype: null, ...reached});
}

/** Ends the copies into an instance; it answers the accounts whose hosts have other work now. */
export async function cancelCopies(
	database: Database,
	{accountId, target, now}: Pick<NewCopy, 'accountId' | 'now'> & {readonly target: number},
): Promise<readonly number[]> {
	return writingOn(database, {instances: [target], payers: false}, async transaction => {
		const instance = await findInstance(transaction, {id: target, accountId});
		if (instance === undefined)
			throw new Refusal('noSuchInstance', `Instance ${target} not found.`);
		const copies = await copiesInto(transaction, target);
		if (copies.length > 0) await updateInstance(transaction, target, {message: 'Copy cancelled.'});
		return endCopies(transaction, copies, now);
	});
}

/** Ends copies, and takes away the keys that they were done with. Call it in a transaction. */
export async function endCopies(
	database: Database,
	copies: readonly CopyRow[],
	now: number,
): Promise<readonly number[]> {
	const hosts = new Set<number>();
	for (const copy of copies) {
		const revision = await nextRevision(database, copy.host_account_id);
		await updateCopy(database, copy.id, {public_key: null, ended_at: now, revision});
		hosts.add(copy.host_account_id);
		hosts.add(await tellSource(database, copy));
	}
	return [...hosts];
}

/** Has the host of the source read who may enter it. */
async function tellSource(database: Database, {source_id, account_id}: CopyRow): Promise<number> {
	const source = await findInstance(database, {id: source_id, accountId: account_id});
	if (source === undefined) return account_id;
	const revision = await nextRevision(database, source.host_account_id);
	await updateInstance(database, source.id, {revision});
	return source.host_account_id;
}

type Progress = {
	readonly id: number;
	readonly hostAccountId: number;
	readonly publicKey: string | undefined;
	readonly message: string;
	readonly ended: boolean;
	readonly now: number;
};

/** Notes how far a copy is; it answers the accounts whose hosts have other work now. */
export async function noteCopy(
	database: Database,
	{id, hostAccountId, publicKey, message, ended, now}: Progress,
): Promise<readonly number[]> {
	const copy = await findCopy(database, {id, hostAccountId});
	if (copy === undefined) throw noCopy(id);
	const held = {instances: [copy.source_id, copy.target_id], payers: false};
	return writingOn(database, held, async transaction => {
		// It may have been cancelled meanwhile.
		const present = await findCopy(transaction, {id, hostAccountId});
		if (present === undefined) throw noCopy(id);
		await updateInstance(transaction, copy.target_id, {message});
		if (ended) return endCopies(transaction, [present], now);
		if (publicKey === undefined || publicKey === present.public_key) return [];
		await updateCopy(transaction, id, {public_key: publicKey});
		return [await tellSource(transaction, present)];
	});
}

function noCopy(id: number): Refusal {
	return new Refusal('noSuchTask', `Your machines have no copy ${id} that is to be done.`);
}

function badArguments(message: string): Refusal {
	return new Refusal('badArguments', message);
}
