/**
 * Claims on a machine's GPUs. Its offers overlap: renting one makes others unavailable. An
 * instance at a fixed price takes GPUs from those with a bid, and a higher bid from a lower one.
 */
import {refreshOffers, waitingOn} from './claims-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {instancesOn} from './instances-store.ts';
import {findMachine} from './machines-store.ts';
import {isWaiting, lifecycleStateOf} from './rules.ts';
import {changeInstance} from './change.ts';

/** Claim to GPUs of a machine, with its rank. */
type Claim = {
	readonly machineId: number;
	readonly gpuMask: number;
	/**
	 * Micro-dollars an hour; undefined for a fixed price, which goes before every bid. A default job
	 * goes after all.
	 */
	readonly bidMicros: number | undefined;
};

/**
 * Takes GPUs for a starting instance, from instances that it outbids; false if it cannot. Call it in a
 * transaction, start the instance, then settle the machine.
 */
export async function takeGpus(database: Database, claim: Claim, at: number): Promise<boolean> {
	const machine = await findMachine(database, claim.machineId);
	if (machine === undefined || overlaps(machine.busy_mask, claim.gpuMask)) return false;
	const rivals = (await instancesOn(database, claim.machineId)).filter(
		({current, gpu_mask}) => current === 'running' && overlaps(gpu_mask, claim.gpuMask),
	);
	if (!rivals.every(rival => isOutbid(rival, claim))) return false;
	for (const rival of rivals) await changeInstance(database, rival, {kind: 'outbid'}, at);
	return true;
}

function isOutbid(rival: InstanceRow, {bidMicros = Infinity}: Claim): boolean {
	return (gpuClaimOf(rival).bidMicros ?? Infinity) < bidMicros;
}

const BELOW_ALL_BIDS = -1;

export function gpuClaimOf({machine_id, gpu_mask, is_bid, gpu_micros, ...row}: InstanceRow): Claim {
	const bidMicros = row.default_job === 1 ? BELOW_ALL_BIDS : gpu_micros;
	return {
		machineId: machine_id,
		gpuMask: gpu_mask,
		bidMicros: is_bid === 1 ? bidMicros : undefined,
	};
}

/** True for masks with a common GPU; by BigInt, because a machine can have more than 32. */
export function overlaps(one: number, other: number): boolean {
	return (BigInt(one) & BigInt(other)) !== 0n;
}

/**
 * Settles a machine after a change of its GPUs: starts waiting instances that now get GPUs, and updates
 * its offers. Call it in the same transaction.
 */
export async function settleMachine(
	database: Database,
	machineId: number,
	at: number,
): Promise<void> {
	const machine = await findMachine(database, machineId);
	if (machine?.contact === 'heard') {
		const waiting = await waitingOn(database, machineId, at);
		for (const row of waiting.filter(one => isWaiting(lifecycleStateOf(one)))) {
			if (!(await takeGpus(database, gpuClaimOf(row), at))) continue;
			await changeInstance(database, row, {kind: 'start', hasGpus: true}, at);
		}
	}
	await refreshOffers(database, machineId, at);
}
