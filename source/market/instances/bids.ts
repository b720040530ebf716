/** Bids on instances, and the bid that would win. */
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {LEAST_BID} from '../../contract/nouns/instance-actions.ts';
import {floorBidOf} from '../lifecycle/asks-store.ts';
import {BID_STEP_MICROS} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {instancesOn, updateInstance} from '../lifecycle/instances-store.ts';
import {billInstance} from '../lifecycle/change.ts';
import {overlaps, settleMachine} from '../lifecycle/claims.ts';

const LEAST_BID_MICROS = LEAST_BID * MICROS_PER_DOLLAR;

type BidLimits = {
	/** The host's least bid, in micro-dollars an hour. */
	readonly least: number;
	/** The least bid that wins its GPUs against all others. */
	readonly winning: number;
};

export async function bidLimits(database: Database, row: InstanceRow): Promise<BidLimits> {
	const floor = await floorBidOf(database, row.ask_id);
	const least = Math.max(floor ?? 0, LEAST_BID_MICROS);
	const rivals = (await instancesOn(database, row.machine_id)).filter(
		({id, is_bid, intended, gpu_mask}) =>
			id !== row.id && is_bid === 1 && intended === 'running' && overlaps(gpu_mask, row.gpu_mask),
	);
	const bids = rivals.map(({gpu_micros}) => gpu_micros + BID_STEP_MICROS);
	return {least, winning: Math.max(least, ...bids)};
}

/**
 * Changes a bid. Usage so far costs the old bid. The new bid may win GPUs, or lose them to a waiting
 * instance. Call it in a transaction, and signal the host afterwards.
 */
export async function applyBid(
	database: Database,
	row: InstanceRow,
	bidMicros: number,
	now: number,
): Promise<void> {
	await billInstance(database, row, now);
	const isOwn = row.account_id === row.host_account_id;
	await updateInstance(database, row.id, {gpu_micros: isOwn ? 0 : bidMicros});
	await settleMachine(database, row.machine_id, now);
}
