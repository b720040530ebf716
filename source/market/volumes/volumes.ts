/** Making, deleting and charging volumes. */
import {Refusal} from '../base/refusal.ts';
import {contractEnd} from '../base/contract-end.ts';
import {copiesFrom, copiesInto} from '../copies/store.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import type {CopyRow, MachineRow, VolumeRow} from '../database/instance-tables.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {nextRevision} from '../database/numbering.ts';
import {
	endVolume,
	findVolume,
	insertVolume,
	instancesWith,
	updateVolume,
	volumesOn,
} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {chargeBills} from '../ledger/charges-store.ts';
import {noteBilled} from '../ledger/unbilled-store.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {volumeBill, type VolumesMachine} from '../lifecycle/bills.ts';
import {endCopies, showProgressAtTarget, giveBack} from '../copies/copy-orders.ts';
import {affordableVolumeSpace, unknownOffer, type VolumeSpace} from './volume-space.ts';

type NewVolume = {
	readonly accountId: number;
	readonly sizeGb: number;
	readonly name: string | undefined;
	readonly now: number;
	/** Source of a clone, and the caller's mark. */
	readonly cloning?: {readonly sourceId: number; readonly wish: string | null};
};

type RoomTerms = {
	readonly offerId: number;
	/** Highest price per GB and month; undefined for any. */
	readonly mostMicros?: number | undefined;
};

/** Makes a volume, charged from now on. */
export async function createVolume(
	database: Database,
	{offerId, ...volume}: NewVolume & RoomTerms,
): Promise<VolumeRow> {
	const held = {offers: [offerId], accounts: [volume.accountId]};
	return writingOn(database, held, async transaction => {
		const space = await affordableVolumeSpace(transaction, offerId, volume);
		return addVolume(transaction, space, volume);
	});
}

/** Makes a volume in checked and payable space. Call it in a transaction. */
export async function addVolume(
	database: Database,
	{offerId, machineId, storageMicros, offeredUntil}: VolumeSpace,
	{accountId, sizeGb, name, now, cloning}: NewVolume,
): Promise<VolumeRow> {
	const machine = await findMachine(database, machineId);
	if (machine === undefined) throw unknownOffer(offerId);
	const price = machine.account_id === accountId ? 0 : storageMicros;
	const volume = await insertVolume(database, {
		account_id: accountId,
		ask_id: offerId,
		machine_id: machineId,
		host_account_id: machine.account_id,
		label: name ?? null,
		size_gb: sizeGb,
		storage_micros: price,
		...(cloning !== undefined && {
			agreed_micros: price,
			clone_of: cloning.sourceId,
			wish: cloning.wish,
		}),
		created_at: now,
		end_date: contractEnd(offeredUntil, now),
		destroyed_at: null,
		billed_until: now,
		revision: await nextRevision(database, machine.account_id),
	});
	await refuseTooMany(database, 'volume', {accountId, now});
	await refreshOffers(database, machineId, now);
	return volume;
}

/** Deletes a volume without an instance, after charging it, and returns its row. */
export async function deleteVolume(
	database: Database,
	which: {readonly id: number; readonly accountId: number},
	now: number,
): Promise<VolumeRow> {
	return writingOn(database, {volumes: [which.id]}, async transaction => {
		const volume = await findVolume(transaction, which);
		if (volume === undefined) {
			throw new Refusal('noSuchVolume', 'Volume with that ID does not exist.');
		}
		const instances = await instancesWith(transaction, volume.id);
		if (instances.length > 0) {
			throw new Refusal(
				'badArguments',
				`Volume ${volume.id} is in use: destroy instance ${instances.join(', ')} first.`,
			);
		}
		const [copy] = await copiesFrom(transaction, {kind: 'volume', id: volume.id});
		if (copy !== undefined) {
			throw new Refusal(
				'badArguments',
				`Volume ${volume.id} is being copied into ${copy.target_kind} ${copy.target_id}: cancel that first.`,
			);
		}
		await removeRentedVolume(transaction, volume, now);
		return volume;
	});
}

/**
 * Refuses to write to the source of a clone.
 *
 * @throws Refusal if a clone of the volume is in progress
 */
export async function refuseCloned(database: Database, id: number): Promise<void> {
	for (const copy of await copiesFrom(database, {kind: 'volume', id})) {
		if (copy.target_kind !== 'volume') continue;
		const clone = await findVolume(database, {id: copy.target_id, accountId: copy.account_id});
		if (clone?.clone_of !== id || clone.agreed_micros === null) continue;
		throw new Refusal('badArguments', `Volume ${id} is being cloned into volume ${clone.id}.`);
	}
}

export const SOURCE_GONE = 'Copy failed: its source is gone.';

type CopyOutcome = {
	readonly message: string;
	readonly isDone: boolean;
	/** True to refund a clone whose host reports its own fault. */
	readonly givesBack?: boolean;
	readonly now: number;
};

/** Shows the outcome of a copy, and finishes or ends a clone. */
export async function finishCopy(
	database: Database,
	copy: CopyRow,
	{message, isDone, givesBack = false, now}: CopyOutcome,
): Promise<void> {
	const {target_kind: kind, target_id: id, account_id: accountId} = copy;
	await showProgressAtTarget(database, copy, message);
	const volume = kind === 'volume' ? await findVolume(database, {id, accountId}) : undefined;
	if (volume === undefined || volume.agreed_micros === null) return;
	const {machine_id, agreed_micros: agreed, clone_of: sourceId} = volume;
	if (isDone) {
		const machine = await findMachine(database, machine_id);
		if (machine !== undefined) await billVolume(database, volume, machine, now);
		await updateVolume(database, id, {storage_micros: agreed, agreed_micros: null});
		return;
	}
	await removeRentedVolume(database, volume, now);
	if (givesBack) await giveBack(database, volume, now);
	const rest = givesBack ? ', and what it cost was given back' : '';
	const end = `Clone V.${id}: ${message} It is gone${rest}.`;
	if (sourceId !== null) await updateVolume(database, sourceId, {message: end});
}

/** Removes a volume without an instance, after charging it. Call it in a transaction. */
export async function removeRentedVolume(
	database: Database,
	volume: VolumeRow,
	now: number,
): Promise<void> {
	await endCopies(database, await copiesInto(database, {kind: 'volume', id: volume.id}), now);
	for (const copy of await copiesFrom(database, {kind: 'volume', id: volume.id})) {
		await endCopies(database, [copy], now);
		await finishCopy(database, copy, {message: SOURCE_GONE, isDone: false, now});
	}
	const machine = await findMachine(database, volume.machine_id);
	if (machine !== undefined) await billVolume(database, volume, machine, now);
	const revision = await nextRevision(database, volume.host_account_id);
	await endVolume(database, volume.id, {now, revision});
	await refreshOffers(database, volume.machine_id, now);
}

/** Charges a volume until a moment, with its machine in this state. */
async function billVolume(
	database: Database,
	volume: VolumeRow,
	machine: VolumesMachine,
	until: number,
): Promise<void> {
	await billVolumes(database, [volume], machine, until);
}

export async function billVolumesOn(
	database: Database,
	machine: VolumesMachine & Pick<MachineRow, 'id'>,
	until: number,
): Promise<void> {
	await billVolumes(database, await volumesOn(database, machine.id), machine, until);
}

async function billVolumes(
	database: Database,
	volumes: readonly VolumeRow[],
	machine: VolumesMachine,
	until: number,
): Promise<void> {
	const due = volumes.filter(volume => volume.billed_until < until);
	await chargeBills(
		database,
		due.map(volume => volumeBill(volume, machine, until)),
	);
	await noteBilled(database, 'volumes', {ids: due.map(({id}) => id), until});
}
