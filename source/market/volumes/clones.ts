/** Clones of volumes, charged from their beginning, and removed if unfinished by their deadline. */
import {Refusal} from '../base/refusal.ts';
import {lineSeconds} from '../copies/rules.ts';
import {lineOf} from '../lifecycle/asks-store.ts';
import type {Database} from '../database/database.ts';
import type {VolumeRow} from '../database/instance-tables.ts';
import {findVolume, findWish, instancesWith} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {addCopy} from '../copies/copy-orders.ts';
import {affordableRoom, refuseTooLarge} from './room.ts';
import {addVolume} from './volumes.ts';

type NewClone = {
	readonly accountId: number;
	readonly sourceId: number;
	/** The offer of room for the clone. */
	readonly offerId: number;
	/** Size; undefined for that of the source. */
	readonly sizeGb: number | undefined;
	readonly name: string | undefined;
	/** Highest price per GB and month; undefined for any. */
	readonly mostMicros: number | undefined;
	/** The caller's mark; a repeated one makes no second clone. */
	readonly wish: string | undefined;
	readonly now: number;
};

export type Clone = {
	readonly volume: VolumeRow;
	/** True if an earlier request has made the clone. */
	readonly isKnown: boolean;
};

/**
 * Makes a volume, and orders a copy of another one into it.
 *
 * @throws Refusal if the source is in use, or the room is missing
 */
export async function cloneVolume(database: Database, wanted: NewClone): Promise<Clone> {
	const {accountId, sourceId, offerId, sizeGb, name, mostMicros, wish, now} = wanted;
	return writingOn(database, {volumes: [sourceId], offers: [offerId]}, async transaction => {
		const known = wish === undefined ? undefined : await findWish(transaction, {accountId, wish});
		if (known?.destroyed_at === null) return {volume: known, isKnown: true};
		if (known !== undefined) {
			throw badArguments(`Volume ${known.id} was made for this request before, and is gone.`);
		}
		const source = await clonableVolume(transaction, {id: sourceId, accountId});
		const size = sizeGb ?? Math.ceil(source.size_gb);
		if (size < source.size_gb) {
			throw badArguments(`Volume ${source.id} has ${source.size_gb} GB: ${size} are too few.`);
		}
		const room = await affordableRoom(transaction, offerId, wanted);
		if (mostMicros !== undefined && room.storageMicros > mostMicros) {
			throw badArguments('This room costs more by now: look for room again.');
		}
		refuseTooLarge(size, room.freeGb);
		const volume = await addVolume(transaction, room, {
			accountId,
			sizeGb: size,
			name: name ?? source.label ?? undefined,
			now,
			cloning: {sourceId: source.id, wish: wish ?? null},
		});
		const from = {machineId: source.machine_id, hostAccountId: source.host_account_id};
		const to = {machineId: volume.machine_id, hostAccountId: volume.host_account_id};
		const ends = {
			source: {kind: 'volume', id: source.id, path: '/'},
			target: {kind: 'volume', id: volume.id, path: '/'},
		} as const;
		const endsAt = now + (await longestSeconds(transaction, source, volume));
		await addCopy(transaction, {accountId, ...ends, endsAt, now}, {from, to});
		return {volume, isKnown: false};
	});
}

const BYTES_PER_GB = 1e9;

/** Lines are shared, and hosts may be away for a while: a clone has an hour, and so many times as long. */
const LEAST_SECONDS = 3600;
const PATIENCE = 10;

/** Time that a clone has: what its source takes over the slower one of two lines, many times. */
async function longestSeconds(
	database: Database,
	source: VolumeRow,
	clone: VolumeRow,
): Promise<number> {
	const bytes = source.size_gb * BYTES_PER_GB;
	const {up} = await lineOf(database, source.ask_id);
	const {down} = await lineOf(database, clone.ask_id);
	const seconds = Math.max(lineSeconds(bytes, up), lineSeconds(bytes, down));
	return LEAST_SECONDS + PATIENCE * seconds;
}

/** A volume that nobody writes to meanwhile. */
async function clonableVolume(
	database: Database,
	which: {readonly id: number; readonly accountId: number},
): Promise<VolumeRow> {
	const volume = await findVolume(database, which);
	if (volume === undefined) {
		throw new Refusal('noSuchVolume', 'Volume with that ID does not exist.');
	}
	if (volume.agreed_micros !== null) throw badArguments(`Volume ${volume.id} is not whole yet.`);
	const [holder] = await instancesWith(database, volume.id);
	if (holder === undefined) return volume;
	throw badArguments(
		`Volume ${volume.id} is in use: instance ${holder} has it, and may write to it.`,
	);
}

function badArguments(message: string): Refusal {
	return new Refusal('badArguments', message);
}
