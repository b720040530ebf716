/**
 * Who has a machine's GPUs. Its offers overlap: what is rented of one is not to be had of another.
 * An instance at a fixed price takes GPUs from those with a bid, and a higher bid from a lower one.
 */
import {sql} from 'kysely';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {instancesOn} from '../store/instances.ts';
import {findMachine} from '../store/machines.ts';
import {isWaiting, stateOf} from '../rules/lifecycle.ts';
import {changeInstance} from './change.ts';

/** How much more than the present bid another must be, in micro-dollars an hour. */
export const BID_STEP_MICROS = 1000;

/** GPUs that somebody wants of a machine, and with what right. */
export type Claim = {
	readonly machineId: number;
	readonly gpuMask: number;
	/** Micro-dollars an hour; undefined at a fixed price, which goes before every bid. */
	readonly bidMicros: number | undefined;
};

/**
 * Takes GPUs for an instance that is about to start, from those that it outbids. It answers whether
 * it got them. Call it in a transaction, start the instance, then settle the machine.
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

function isOutbid({is_bid, gpu_micros}: InstanceRow, {bidMicros = Infinity}: Claim): boolean {
	return is_bid === 1 && gpu_micros < bidMicros;
}

export function claimOf({machine_id, gpu_mask, is_bid, gpu_micros}: InstanceRow): Claim {
	return {
		machineId: machine_id,
		gpuMask: gpu_mask,
		bidMicros: is_bid === 1 ? gpu_micros : undefined,
	};
}

/** Both numbers have one bit per GPU, of which there can be more than 32. */
export function overlaps(one: number, other: number): boolean {
	return (BigInt(one) & BigInt(other)) !== 0n;
}

/**
 * After GPUs of a machine were taken or given up: starts what waits for them, as far as it gets
 * them, and brings the machine's offers up to date. Call it in the same transaction.
 */
export async function settleMachine(
	database: Database,
	machineId: number,
	at: number,
): Promise<void> {
	const machine = await findMachine(database, machineId);
	if (machine?.contact === 'heard') {
		for (const row of await waitingOn(database, machineId, at)) {
			if (!(await takeGpus(database, claimOf(row), at))) continue;
			await changeInstance(database, row, {kind: 'start', hasGpus: true}, at);
		}
	}
	await refreshOffers(database, machineId);
}

/** What waits for GPUs of a machine and can be paid for: fixed prices first, then the highest bid. */
async function waitingOn(
	database: Database,
	machineId: number,
	at: number,
): Promise<readonly InstanceRow[]> {
	const rows = await database
		.selectFrom('instances')
		.innerJoin('accounts', 'accounts.id', 'instances.account_id')
		.selectAll('instances')
		.where('instances.machine_id', '=', machineId)
		.where('instances.waiting_since', 'is not', null)
		.where('instances.destroyed_at', 'is', null)
		.where('accounts.credit_micros', '>', 0)
		.where('instances.end_date', '>', at)
		.orderBy('instances.is_bid')
		.orderBy(sql`case when instances.is_bid = 1 then -instances.gpu_micros else 0 end`)
		.orderBy('instances.waiting_since')
		.execute();
	return rows.filter(row => isWaiting(stateOf(row)));
}

/** Says of every offer of a machine whether it is to be had, and which bid wins. */
export async function refreshOffers(database: Database, machineId: number): Promise<void> {
	const holders = sql`
		from instances
		where instances.machine_id = offers.machine_id
			and instances.destroyed_at is null
			and instances.current = 'running'
			and (instances.gpu_mask & offers.gpu_mask) <> 0`;
	const busy = sql`
		exists (
			select 1 from machines
			where machines.id = offers.machine_id and (machines.busy_mask & offers.gpu_mask) <> 0
		)`;
	const bestBid = sql`(select max(instances.gpu_micros) ${holders} and instances.is_bid = 1)`;
	const winning = sql`coalesce(${bestBid} + ${BID_STEP_MICROS}, 0)`;
	await sql`
		update offers set
			rentable = case
				when listed = 1
					and not ${busy}
					and not exists (select 1 ${holders} and instances.is_bid = 0)
				then 1 else 0 end,
			rented = case when ${busy} or exists (select 1 ${holders}) then 1 else 0 end,
			min_bid_micros = case
				when floor_bid_micros is null then null
				when ${winning} > floor_bid_micros then ${winning}
				else floor_bid_micros end
		where machine_id = ${machineId}`.execute(database);
}
