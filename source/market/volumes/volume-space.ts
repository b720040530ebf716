/** Volume space on a machine, by its offer. */
import {Refusal} from '../base/refusal.ts';
import {diskMicros, refuseUncovered} from '../ledger/cover.ts';
import type {Database} from '../database/database.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {findVolumeSpace, type VolumeSpaceKey} from './store.ts';

export type VolumeSpace = {
	readonly offerId: number;
	readonly machineId: number;
	readonly storageMicros: number;
	/** End of the offer; null for none. */
	readonly offeredUntil: number | null;
	readonly freeGb: number;
};

/** Present volume space of an offer or a machine. */
export async function readVolumeSpace(
	database: Database,
	of: VolumeSpaceKey,
	now: number,
): Promise<VolumeSpace | undefined> {
	const row = await findVolumeSpace(database, of, now);
	return (
		row && {
			offerId: row.id,
			machineId: row.machine_id,
			storageMicros: row.room_micros,
			offeredUntil: row.end_date,
			freeGb: row.free_gb,
		}
	);
}

type WantedRoom = {
	readonly accountId: number;
	readonly sizeGb: number;
	/** Highest price per GB and month; undefined for any. */
	readonly mostMicros?: number | undefined;
	readonly now: number;
};

/**
 * The volume space of an offer, for an account that can pay for it.
 *
 * @throws Refusal for missing space, a higher price or too little credit
 */
export async function affordableVolumeSpace(
	database: Database,
	offerId: number,
	{accountId, sizeGb, mostMicros, now}: WantedRoom,
): Promise<VolumeSpace> {
	const space = await readVolumeSpace(database, {offerId}, now);
	if (space === undefined) throw unknownOffer(offerId);
	refuseTooLarge(sizeGb, space.freeGb);
	if (mostMicros !== undefined && space.storageMicros > mostMicros) {
		throw new Refusal('badArguments', 'This room costs more by now: look for room again.');
	}
	const machine = await findMachine(database, space.machineId);
	if (machine?.account_id !== accountId) {
		const addedMicros = diskMicros(sizeGb, space.storageMicros);
		await refuseUncovered(database, {accountId, addedMicros, now}, 'no volume was made');
	}
	return space;
}

export function refuseTooLarge(sizeGb: number, freeGb: number): void {
	if (sizeGb <= freeGb) return;
	const free = Math.max(0, Math.floor(freeGb));
	throw new Refusal('badArguments', `The machine has room for ${free} GB, and not for ${sizeGb}.`);
}

export function unknownOffer(offerId: number): Refusal {
	return new Refusal('noSuchAsk', `no_such_ask There is no volume offer ${offerId}.`);
}
