/** Work orders for copies, and their messages at the target. */
import {Refusal} from '../base/refusal.ts';
import {copiesInto, insertCopy, updateCopy, type CopyEnd} from './store.ts';
import {lineSeconds} from './rules.ts';
import {findClaimedBandwidth} from '../lifecycle/asks-store.ts';
import type {Database} from '../database/database.ts';
import type {CopyRow, VolumeRow} from '../database/instance-tables.ts';
import {updateInstance} from '../lifecycle/instances-store.ts';
import {updateVolume} from '../volumes/store.ts';
import {nextRevision} from '../database/numbering.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {insertPayment, readBalances} from '../ledger/accounts-store.ts';
import {takeOpenCharges} from '../ledger/charges-store.ts';
import {insertEntry} from '../ledger/store.ts';
import {DAY} from '../../contract/rules/durations.ts';

export type NewCopy = {
	readonly accountId: number;
	readonly source: CopyEnd & {readonly path: string};
	readonly target: CopyEnd & {readonly path: string};
	readonly now: number;
};

type Place = {
	readonly machineId: number;
	readonly hostAccountId: number;
	readonly askId: number;
};

type SourcePlace = Place & {readonly sizeGb: number};

export function diskLocationOf(
	row: Pick<VolumeRow, 'machine_id' | 'host_account_id' | 'ask_id'>,
): Place {
	const {machine_id: machineId, host_account_id: hostAccountId, ask_id: askId} = row;
	return {machineId, hostAccountId, askId};
}

/** Orders a copy between checked ends, and returns the account of the target's host. */
export async function addCopy(
	database: Database,
	{accountId, source, target, now}: NewCopy,
	{from, to}: {readonly from: SourcePlace; readonly to: Place},
): Promise<number> {
	if ((await copiesInto(database, target)).length > 0) {
		throw new Refusal('copyRunning', `A copy into ${copyEndName(target)} is under way.`);
	}
	await insertCopy(database, {
		account_id: accountId,
		source_kind: source.kind,
		source_id: source.id,
		source_machine_id: from.machineId,
		source_host_account_id: from.hostAccountId,
		target_kind: target.kind,
		target_id: target.id,
		machine_id: to.machineId,
		host_account_id: to.hostAccountId,
		source_path: source.path,
		target_path: target.path,
		public_key: null,
		door: null,
		revision: await nextRevision(database, to.hostAccountId),
		source_revision: 0,
		created_at: now,
		ended_at: null,
		ends_at: now + (await longestSeconds(database, from, to)),
	});
	await refuseTooMany(database, 'copy', {accountId, now});
	// Replaces the final message of an earlier copy at once.
	const ends = {target_kind: target.kind, target_id: target.id};
	await showProgressAtTarget(database, ends, 'Copying: its host begins');
	return to.hostAccountId;
}

const BYTES_PER_GB = 1e9;

/**
 * Minimum time for a copy, beside ten times its transfer: connections are shared, and hosts may be
 * away.
 */
const LEAST_SECONDS = 3600;
const PATIENCE = 10;
/** Maximum time for a copy, however slow its hosts claim their connections are. */
const MOST_SECONDS = 14 * DAY;

/** Time limit of a copy, from its transfer over the slower of two connections. */
async function longestSeconds(database: Database, from: SourcePlace, to: Place): Promise<number> {
	const bytes = from.sizeGb * BYTES_PER_GB;
	const {up} = await findClaimedBandwidth(database, from.askId);
	const {down} = await findClaimedBandwidth(database, to.askId);
	const seconds = Math.max(lineSeconds(bytes, up), lineSeconds(bytes, down));
	return Math.min(MOST_SECONDS, LEAST_SECONDS + PATIENCE * seconds);
}

/** Name of an end in messages. */
export function copyEndName({kind, id}: CopyEnd): string {
	return `${kind} ${id}`;
}

/** Ends copies, and returns the accounts of hosts with new work. Call it in a transaction. */
export async function endCopies(
	database: Database,
	copies: readonly CopyRow[],
	now: number,
): Promise<readonly number[]> {
	const hosts = new Set<number>();
	for (const copy of copies) {
		const {host_account_id: host, source_host_account_id: other} = copy;
		const isServed = copy.source_revision > 0;
		await updateCopy(database, copy.id, {
			door: null,
			ended_at: now,
			revision: await nextRevision(database, host),
			...(isServed && {source_revision: await nextRevision(database, other)}),
		});
		hosts.add(host);
		if (isServed) hosts.add(other);
	}
	return [...hosts];
}

/** Shows a copy's progress as the message of its target. */
export async function showProgressAtTarget(
	database: Database,
	{target_kind: kind, target_id: id}: Pick<CopyRow, 'target_kind' | 'target_id'>,
	message: string,
): Promise<void> {
	if (kind === 'instance') await updateInstance(database, id, {message});
	else await updateVolume(database, id, {message});
}

/**
 * Refunds the cost of a removed volume: charges that are not posted are deleted, and the rest comes
 * from the provider's earnings that are not paid out. Call it in a transaction.
 */
export async function giveBack(
	database: Database,
	{id, account_id: account, host_account_id: provider, machine_id: machineId}: VolumeRow,
	now: number,
): Promise<void> {
	const postedMicros = await takeOpenCharges(database, {account, volumeId: id});
	const {earnedMicros} = await readBalances(database, provider);
	const micros = Math.min(postedMicros, Math.max(0, earnedMicros));
	if (micros === 0) return;
	const entry_id = await insertEntry(database, {kind: 'refund', at: now}, [
		{account, book: 'credit', micros},
		{account: provider, book: 'earnings', micros: -micros, machineId, item: 'disk'},
	]);
	await insertPayment(database, {
		account_id: account,
		at: now,
		amount_micros: micros,
		description: `Cost of clone ${id}, which failed`,
		kind: 'refund',
		service: 'volume_clone',
		entry_id,
	});
}
