/** Clones of volumes, charged from their beginning, and removed if unfinished by their deadline. */
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {VolumeRow} from '../database/instance-tables.ts';
import {findVolume, findVolumeByRequestMark, instancesWith} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {addCopy, diskLocationOf} from '../copies/copy-orders.ts';
import {affordableVolumeSpace} from './volume-space.ts';
import {addVolume} from './volumes.ts';

type NewClone = {
	readonly accountId: number;
	readonly sourceId: number;
	/** The volume space's offer for the clone. */
	readonly offerId: number;
	/** Size; undefined for that of the source. */
	readonly sizeGb: number | undefined;
	readonly name: string | undefined;
	/** Highest price per GB and month; undefined for any. */
	readonly mostMicros: number | undefined;
	/** The caller's idempotency mark; a repeated one creates no second clone. */
	readonly wish: string | undefined;
	readonly now: number;
};

type Clone = {
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
	const held = {volumes: [sourceId], offers: [offerId], accounts: [accountId]};
	return writingOn(database, held, async transaction => {
		const known =
			wish === undefined
				? undefined
				: await findVolumeByRequestMark(transaction, {accountId, wish});
		if (known?.destroyed_at === null) return {volume: known, isKnown: true};
		if (known !== undefined) {
			throw badArguments(`Volume ${known.id} was made for this request before, and is gone.`);
		}
		const source = await clonableVolume(transaction, {id: sourceId, accountId});
		const size = sizeGb ?? Math.ceil(source.size_gb);
		if (size < source.size_gb) {
			throw badArguments(`Volume ${source.id} has ${source.size_gb} GB: ${size} are too few.`);
		}
		const room = {accountId, sizeGb: size, mostMicros, now};
		const space = await affordableVolumeSpace(transaction, offerId, room);
		const volume = await addVolume(transaction, space, {
			accountId,
			sizeGb: size,
			name: name ?? source.label ?? undefined,
			now,
			cloning: {sourceId: source.id, wish: wish ?? null},
		});
		const from = {...diskLocationOf(source), sizeGb: source.size_gb};
		const to = diskLocationOf(volume);
		const ends = {
			source: {kind: 'volume', id: source.id, path: '/'},
			target: {kind: 'volume', id: volume.id, path: '/'},
		} as const;
		await addCopy(transaction, {accountId, ...ends, now}, {from, to});
		return {volume, isKnown: false};
	});
}

/** A volume without an instance or a copy that could write to it. */
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
