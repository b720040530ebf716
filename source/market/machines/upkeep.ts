/** Upkeep of machines by their providers: reports, cleaning up, defragmenting, removal. */
import {Refusal} from '../base/refusal.ts';
import {isWaiting, lifecycleStateOf} from '../lifecycle/rules.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {instancesOn, updateInstance} from '../lifecycle/instances-store.ts';
import {findMachine} from '../lifecycle/machines-store.ts';
import {hasRented, insertReport} from './maintenance-store.ts';
import {offersOn} from '../offers/store.ts';
import {removeMachine} from './provider-machines-store.ts';
import type {OfferRow} from '../database/schema.ts';
import {instancesWith, volumesOn} from '../volumes/store.ts';
import {writing} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {overlaps} from '../lifecycle/claims.ts';
import {destroyInstances} from '../instances/destroy.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {noSuchMachine, ownMachine, type NamedMachine} from '../lifecycle/own-machine.ts';
import {removeRentedVolume} from '../volumes/volumes.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Time for which an ended rental's data is kept before a provider may delete it. */
const KEPT_SECONDS = 2 * DAY;
const REPORTED_WITHIN = 30 * DAY;

type Complaint = {
	readonly problem: string;
	readonly message: string;
	readonly instanceId: number | null;
};

/** Stores a renter's report of a machine, and notifies its provider. */
export async function reportMachine(
	database: Database,
	{id, accountId}: NamedMachine,
	{problem, message, instanceId}: Complaint,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const machine = await findMachine(transaction, id);
		const rented = {accountId, machineId: id, since: now - REPORTED_WITHIN};
		if (machine === undefined || !(await hasRented(transaction, rented))) {
			throw noSuchMachine({id, accountId});
		}
		const report = {problem, message, instance_id: instanceId, created_at: now};
		await insertReport(transaction, {machine_id: id, account_id: accountId, ...report});
		await refuseTooMany(transaction, 'machineReport', {accountId, at: id, now});
		await notifyAccount(transaction, machine.account_id, {
			kind: 'host:machine_reported',
			subject: `A renter reports machine ${id}: ${problem}`,
			message,
			at: now,
		});
	});
}

/** Deletes rentals that ended long enough ago, and returns their number. */
export async function cleanUpMachine(
	database: Database,
	named: NamedMachine,
	now: number,
): Promise<number> {
	return writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const isOver = ({end_date: end}: {readonly end_date: number}) => end <= now - KEPT_SECONDS;
		const rentals = (await instancesOn(transaction, machine.id)).filter(isOver);
		await destroyInstances(transaction, rentals, now);
		let count = rentals.length;
		for (const volume of (await volumesOn(transaction, machine.id)).filter(isOver)) {
			if ((await instancesWith(transaction, volume.id)).length > 0) continue;
			await removeRentedVolume(transaction, volume, now);
			count += 1;
		}
		return count;
	});
}

/**
 * Removes a machine without instances and volumes of others.
 *
 * @throws Refusal for a machine with others' instances or volumes
 */
export async function withdrawMachine(
	database: Database,
	named: NamedMachine,
	now: number,
): Promise<void> {
	await writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const rentals = await instancesOn(transaction, machine.id);
		const volumes = await volumesOn(transaction, machine.id);
		const foreign = [...rentals, ...volumes].filter(row => row.account_id !== named.accountId);
		if (foreign.length > 0) {
			const says = `Renters have ${foreign.length} instances and volumes on machine ${machine.id}.`;
			throw new Refusal('machineInUse', says);
		}
		await destroyInstances(transaction, rentals, now);
		for (const volume of volumes) await removeRentedVolume(transaction, volume, now);
		await removeMachine(transaction, machine, now);
		await refreshOffers(transaction, machine.id, now);
	});
}

/**
 * Moves waiting instances that never had GPUs to free ones; instances with a container keep theirs.
 * Returns the counts of moved instances and of free offers.
 */
export async function defragmentMachine(
	database: Database,
	named: NamedMachine,
	now: number,
): Promise<{readonly moved: number; readonly offers: number}> {
	return writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const rentals = (await instancesOn(transaction, machine.id)).filter(
			({default_job: isDefaultJob}) => isDefaultJob === 0,
		);
		const running = rentals.filter(({current}) => current === 'running');
		let taken = running.map(({gpu_mask: mask}) => mask);
		const offers = (await offersOn(transaction, machine.id)).filter(({listed}) => listed === 1);
		let moved = 0;
		for (const row of rentals.filter(isMovable)) {
			const free = offers.filter(({gpu_mask: mask}) => !taken.some(other => overlaps(other, mask)));
			if (!taken.some(mask => overlaps(mask, row.gpu_mask))) continue;
			const size = offers.find(({id}) => id === row.ask_id)?.num_gpus;
			const to = leastTaking(free, size);
			if (to === undefined) continue;
			await updateInstance(transaction, row.id, {ask_id: to.id, gpu_mask: to.gpu_mask});
			taken = [...taken, to.gpu_mask];
			moved += 1;
		}
		await refreshOffers(transaction, machine.id, now);
		const present = await offersOn(transaction, machine.id);
		return {moved, offers: present.filter(({rentable}) => rentable === 1).length};
	});
}

function isMovable(row: InstanceRow): boolean {
	return row.reported === null && row.current === 'stopped' && !isWaiting(lifecycleStateOf(row));
}

/** Free offer of a size that leaves the most of the larger offers free. */
function leastTaking(free: readonly OfferRow[], size: number | undefined): OfferRow | undefined {
	const costOf = ({gpu_mask: mask}: OfferRow) =>
		free.filter(other => overlaps(other.gpu_mask, mask)).length;
	return free
		.filter(({num_gpus: gpus}) => gpus === size)
		.toSorted((one, other) => costOf(one) - costOf(other))[0];
}
