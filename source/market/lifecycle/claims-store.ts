/** Queue for a machine's GPUs, and availability of its offers. */
import {sql, type RawBuilder} from 'kysely';
import type {Database} from '../database/database.ts';
import {freeGb, LEAST_GB, volumeSpaceMicros, volumeSpaceOffer} from './asks-store.ts';
import {statement} from '../database/statement.ts';
import type {InstanceRow} from '../database/instance-tables.ts';

/** Smallest step above the present bid, in micro-dollars an hour. */
export const BID_STEP_MICROS = 1000;

/** Payable instances that wait for a machine's GPUs, by rank: fixed price, highest bid, default job. */
const findWaiting = statement<{machineId: number; at: number}, InstanceRow>((database, value) =>
	database
		.selectFrom('instances')
		.innerJoin('accounts', 'accounts.id', 'instances.account_id')
		.selectAll('instances')
		.where('instances.machine_id', '=', value('machineId'))
		.where('instances.waiting_since', 'is not', null)
		.where('instances.destroyed_at', 'is', null)
		.where(eb =>
			eb.or([
				eb('accounts.credit_micros', '>', 0),
				eb('instances.deposit_micros', '>', 0),
				eb('instances.account_id', '=', eb.ref('instances.host_account_id')),
			]),
		)
		.where('instances.end_date', '>', value('at'))
		.orderBy('instances.default_job')
		.orderBy('instances.is_bid')
		.orderBy(sql`case when instances.is_bid = 1 then -instances.gpu_micros else 0 end`)
		.orderBy('instances.waiting_since'),
);

export async function waitingOn(
	database: Database,
	machineId: number,
	at: number,
): Promise<readonly InstanceRow[]> {
	return findWaiting(database, {machineId, at});
}

/** Machines of a statement, below any database's limit of values. */
const MACHINES_AT_ONCE = 1000;

/** Updates all offers of some machines: their availability, winning bids, and volume space. */
export async function refreshOffers(
	database: Database,
	machineIds: number | readonly number[],
	now: number,
): Promise<void> {
	const ids = typeof machineIds === 'number' ? [machineIds] : machineIds;
	if (ids.length > MACHINES_AT_ONCE) {
		await refreshOffers(database, ids.slice(0, MACHINES_AT_ONCE), now);
		return refreshOffers(database, ids.slice(MACHINES_AT_ONCE), now);
	}
	const [only] = ids;
	if (only === undefined) return;
	if (ids.length === 1) await refreshOffersOf(database, {machineId: only, now});
	else await refreshing(sql.join(ids), sql.val(now)).execute(database);
}

const refreshOffersOf = statement<{machineId: number; now: number}, unknown>((database, value) => ({
	compile: () => refreshing(value('machineId'), value('now')).compile(database),
}));

function refreshing(machineIds: RawBuilder<unknown>, now: RawBuilder<unknown>) {
	const holders = sql`
		from instances
		where instances.machine_id = offers.machine_id
			and instances.destroyed_at is null
			and instances.current = 'running'
			and instances.default_job = 0
			and (instances.gpu_mask & offers.gpu_mask) <> 0`;
	const busy = sql`
		exists (
			select 1 from machines
			where machines.id = offers.machine_id and (machines.busy_mask & offers.gpu_mask) <> 0
		)`;
	const away = sql`
		exists (
			select 1 from machines where machines.id = offers.machine_id
				and (absent = 1 or in_maintenance = 1 or quarantine is not null)
		)`;
	const bestBid = sql`(select max(instances.gpu_micros) ${holders} and instances.is_bid = 1)`;
	// An offer of volume space that ends sooner must not be shown with this one.
	const hasVolumeSpace = sql`
		room_gb >= ${LEAST_GB} and (room_end is null or room_end >= offers.end_date)`;
	const winning = sql`coalesce(${bestBid} + ${BID_STEP_MICROS}, 0)`;
	return sql`
		with room as materialized (
			select machines.id as owner_id, offers.id as room_id, offers.end_date as room_end,
				${volumeSpaceMicros} as room_micros, ${freeGb} as room_gb
			from machines left join offers on offers.id = ${volumeSpaceOffer(sql.ref('machines.id'), now)}
			where machines.id in (${machineIds})
		)
		update offers set
			rentable = case
				when listed = 1
					and not ${busy}
					and not ${away}
					and not exists (select 1 ${holders} and instances.is_bid = 0)
				then 1 else 0 end,
			rented = case when ${busy} or exists (select 1 ${holders}) then 1 else 0 end,
			min_bid_micros = case
				when floor_bid_micros is null then null
				when ${winning} > floor_bid_micros then ${winning}
				else floor_bid_micros end,
			avail_vol_ask_id = case when ${hasVolumeSpace} then room_id end,
			avail_vol_micros = case when ${hasVolumeSpace} then room_micros end,
			avail_vol_size = case when ${hasVolumeSpace} then room_gb end
		from room
		where offers.machine_id = room.owner_id`;
}
