/** Copies between instances and volumes of an account, made by the target's host. */
import type {SourceListener} from '../../contract/nouns/copies.ts';
import {Refusal} from '../base/refusal.ts';
import {readAccess, readInstanceSettings} from '../lifecycle/instance-rules.ts';
import {copiesInto, findCopy, findCopyFrom, lateCopies, updateCopy, type CopyEnd} from './store.ts';
import type {Database} from '../database/database.ts';
import type {CopyRow} from '../database/instance-tables.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {findVolume} from '../volumes/store.ts';
import {nextRevision} from '../database/numbering.ts';
import {writingOn} from '../database/writing.ts';
import {
	addCopy,
	endCopies,
	diskLocationOf,
	showProgressAtTarget,
	type NewCopy,
} from './copy-orders.ts';
import {finishCopy, SOURCE_GONE} from '../volumes/volumes.ts';

/** Instances and volumes whose machines are locked for a copy. */
function heldBy(ends: readonly CopyEnd[], payers: boolean) {
	const idsOf = (kind: CopyEnd['kind']) => ends.filter(end => end.kind === kind).map(({id}) => id);
	return {instances: idsOf('instance'), volumes: idsOf('volume'), payers};
}

/** Orders a copy, and returns the account of the target's host. */
export async function startCopy(database: Database, copy: NewCopy): Promise<number> {
	const {accountId, source, target} = copy;
	return writingOn(database, heldBy([source, target], false), async transaction => {
		const from = await findEnd(transaction, source, accountId);
		const to = await findEnd(transaction, target, accountId);
		if (from.isVm) throw badArguments('src_path not supported VMs.');
		if (to.isVm) throw badArguments('dst_path not supported for VMs.');
		if (from.isUnfinished) throw badArguments(`Volume ${source.id} is not whole yet.`);
		return addCopy(transaction, copy, {from, to});
	});
}

/**
 * Address at which rsync on the renter's machine reaches an instance, through the host's SSH
 * server.
 *
 * @throws Refusal for an instance that is missing, does not run, or has no SSH
 */
export async function entranceOf(
	database: Database,
	end: CopyEnd | undefined,
	accountId: number,
): Promise<{readonly address: string; readonly port: number}> {
	if (end === undefined) throw badArguments('Invalid dst_id.');
	if (end.kind === 'volume') throw badArguments('A volume is copied to and from instances alone.');
	const {isVm} = await findEnd(database, end, accountId);
	if (isVm) throw badArguments('src_path not supported VMs.');
	const row = await findInstance(database, {id: end.id, accountId});
	const access = row?.access ?? null;
	if (row === undefined || access === null) {
		throw new Refusal('notSupported', `Instance ${end.id} has no SSH that rsync could use.`);
	}
	const {ssh_host: address, ssh_port: port} = readAccess(access);
	return {address, port};
}

async function findEnd(database: Database, {kind, id}: CopyEnd, accountId: number) {
	if (kind === 'volume') {
		const volume = await findVolume(database, {id, accountId});
		if (volume === undefined) {
			throw new Refusal('noSuchVolume', 'Volume with that ID does not exist.');
		}
		const facts = {isVm: false, isUnfinished: volume.agreed_micros !== null};
		return {...diskLocationOf(volume), sizeGb: volume.size_gb, ...facts};
	}
	const instance = await findInstance(database, {id, accountId});
	if (instance === undefined) throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
	if (instance.actual !== 'running') {
		throw badArguments(`Instance ${id} does not run: start it first.`);
	}
	const facts = {isVm: readInstanceSettings(instance.settings).vm, isUnfinished: false};
	return {...diskLocationOf(instance), sizeGb: instance.disk_gb, ...facts};
}

type Cancelling = Pick<NewCopy, 'accountId' | 'now'> & {readonly target: CopyEnd};

/** Cancels the copies into an instance or a volume, and returns the accounts of hosts with new work. */
export async function cancelCopies(
	database: Database,
	{accountId, target, now}: Cancelling,
): Promise<readonly number[]> {
	const {kind, id} = target;
	return writingOn(database, heldBy([target], kind === 'volume'), async transaction => {
		const found =
			kind === 'instance'
				? await findInstance(transaction, {id, accountId})
				: await findVolume(transaction, {id, accountId});
		if (found === undefined && kind === 'instance') {
			throw new Refusal('noSuchInstance', `Instance ${id} not found.`);
		}
		if (found === undefined) {
			throw new Refusal('noSuchVolume', 'Volume with that ID does not exist.');
		}
		const copies = await copiesInto(transaction, target);
		for (const copy of copies) {
			await finishCopy(transaction, copy, {message: 'Copy cancelled.', isDone: false, now});
		}
		return endCopies(transaction, copies, now);
	});
}

/**
 * Ends copies whose source or target is gone, with a message at the other. Call it in a transaction.
 *
 * @returns the accounts of hosts with new work
 */
export async function abandonCopies(
	database: Database,
	copies: readonly CopyRow[],
	now: number,
): Promise<readonly number[]> {
	for (const copy of copies) {
		await finishCopy(database, copy, {message: SOURCE_GONE, isDone: false, now});
	}
	return endCopies(database, copies, now);
}

const TOO_LATE = 'Copy failed: it was not done in the time that its size and its line leave it.';

/** Ends copies past their deadline, and returns the accounts of hosts with new work. */
export async function endLateCopies(database: Database, now: number): Promise<readonly number[]> {
	const hosts: number[] = [];
	for (const copy of await lateCopies(database, now).execute()) {
		const ended = await writingOn(database, heldBy(endsOf(copy), true), async transaction => {
			const {id, host_account_id: hostAccountId} = copy;
			const present = await findCopy(transaction, {id, hostAccountId});
			if (present === undefined) return [];
			await finishCopy(transaction, present, {message: TOO_LATE, isDone: false, now});
			return endCopies(transaction, [present], now);
		});
		hosts.push(...ended);
	}
	return hosts;
}

type Progress = {
	readonly id: number;
	readonly hostAccountId: number;
	readonly publicKey: string | undefined;
	readonly message: string;
	readonly ended: boolean;
	readonly failed: boolean;
	readonly fault: 'machine' | 'order' | undefined;
	readonly now: number;
};

/** Records the progress of a copy, and returns the accounts of hosts with new work. */
export async function noteCopy(
	database: Database,
	{id, hostAccountId, publicKey, message, ended, failed, fault, now}: Progress,
): Promise<readonly number[]> {
	const copy = await findCopy(database, {id, hostAccountId});
	if (copy === undefined) throw noCopy(id);
	// No refund otherwise: the clone occupied its space even if the source stalled.
	const givesBack = ended && failed && fault === 'machine';
	const held = {
		...heldBy(endsOf(copy), ended && copy.target_kind === 'volume'),
		// The provider's earnings, of which a refund takes no more than there are.
		accounts: givesBack ? [copy.host_account_id] : [],
	};
	return writingOn(database, held, async transaction => {
		// The copy may have been cancelled meanwhile.
		const present = await findCopy(transaction, {id, hostAccountId});
		if (present === undefined) throw noCopy(id);
		if (ended) {
			const outcome = {message, isDone: !failed, givesBack, now};
			await finishCopy(transaction, present, outcome);
			return endCopies(transaction, [present], now);
		}
		await showProgressAtTarget(transaction, present, message);
		if (publicKey === undefined || publicKey === present.public_key) return [];
		const {source_host_account_id: host} = present;
		const revision = await nextRevision(transaction, host);
		await updateCopy(transaction, id, {
			public_key: publicKey,
			door: null,
			source_revision: revision,
		});
		return [host];
	});
}

function endsOf(copy: CopyRow): readonly CopyEnd[] {
	return [
		{kind: copy.source_kind, id: copy.source_id},
		{kind: copy.target_kind, id: copy.target_id},
	];
}

type Opened = {
	readonly id: number;
	readonly hostAccountId: number;
	/** Key that the SSH listener accepts. */
	readonly publicKey: string;
	readonly door: SourceListener | undefined;
	readonly problem: string | undefined;
	/** True if hosts may connect to private addresses. */
	readonly reachesPrivate: boolean;
	readonly now: number;
};

export type StoredListener = SourceListener & {readonly may_be_private: boolean};

/** Records the SSH listener of a copy's source, and returns the accounts of hosts with new work. */
export async function recordSourceListener(
	database: Database,
	{id, hostAccountId, publicKey, door, problem, reachesPrivate, now}: Opened,
): Promise<readonly number[]> {
	const copy = await findCopyFrom(database, {id, hostAccountId});
	if (copy === undefined) throw noCopy(id);
	const held = heldBy(endsOf(copy), door === undefined && copy.target_kind === 'volume');
	return writingOn(database, held, async transaction => {
		const present = await findCopyFrom(transaction, {id, hostAccountId});
		// The target's host may have a new key, and must wait for another SSH server.
		if (present === undefined || present.public_key !== publicKey) throw noCopy(id);
		if (door === undefined) {
			const message = `Copy failed: ${problem ?? 'its source cannot be read'}.`;
			await finishCopy(transaction, present, {message, isDone: false, now});
			return endCopies(transaction, [present], now);
		}
		const {host_account_id: host} = present;
		// A provider's own hosts are in its own network.
		const kept: StoredListener = {
			...door,
			may_be_private: reachesPrivate || host === hostAccountId,
		};
		const revision = await nextRevision(transaction, host);
		await updateCopy(transaction, id, {door: JSON.stringify(kept), revision});
		return [host];
	});
}

function noCopy(id: number): Refusal {
	return new Refusal('noSuchTask', `Your machines have no copy ${id} that is to be done.`);
}

function badArguments(message: string): Refusal {
	return new Refusal('badArguments', message);
}
