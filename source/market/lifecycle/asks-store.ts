/**
 * Offers of a machine with other rentals around them: which are open, and the disk available to
 * volumes.
 */
import {sql, type RawBuilder} from 'kysely';
import type {Database} from '../database/database.ts';
import {statement} from '../database/statement.ts';
import type {Contact} from '../database/instance-tables.ts';
import type {OfferRow} from '../database/schema.ts';

type Sql = RawBuilder<unknown>;

/** Offer columns needed to rent it, with its machine. */
export type AskRow = Pick<
	OfferRow,
	| 'id'
	| 'listed'
	| 'end_date'
	| 'rentable'
	| 'machine_id'
	| 'gpu_mask'
	| 'disk_space'
	| 'dph_base_micros'
	| 'min_bid_micros'
	| 'storage_cost_micros'
	| 'inet_up_cost_micros'
	| 'inet_down_cost_micros'
	| 'vms_enabled'
	| 'geolocation'
> & {
	readonly hostAccountId: number;
	readonly contact: Contact;
	readonly heard_at: number | null;
	readonly made_up: 0 | 1;
};

const findById = statement<{id: number}, AskRow>((database, value) =>
	database
		.selectFrom('offers')
		.innerJoin('machines', 'machines.id', 'offers.machine_id')
		.select([
			'offers.id',
			'offers.listed',
			'offers.end_date',
			'offers.rentable',
			'offers.machine_id',
			'offers.gpu_mask',
			'offers.disk_space',
			'offers.dph_base_micros',
			'offers.min_bid_micros',
			'offers.storage_cost_micros',
			'offers.inet_up_cost_micros',
			'offers.inet_down_cost_micros',
			'offers.vms_enabled',
			'offers.geolocation',
			'machines.account_id as hostAccountId',
			'machines.contact',
			'machines.heard_at',
			'machines.made_up',
		])
		.where('offers.id', '=', value('id')),
);

export async function findAsk(database: Database, id: number): Promise<AskRow | undefined> {
	return (await findById(database, {id}))[0];
}

/** Claimed bandwidth of an offer's machine, in Mb/s; null for none. */
export async function findClaimedBandwidth(
	database: Database,
	askId: number,
): Promise<{readonly up: number | null; readonly down: number | null}> {
	const line = await database
		.selectFrom('offers')
		.select(['inet_up as up', 'inet_down as down'])
		.where('id', '=', askId)
		.executeTakeFirst();
	return line ?? {up: null, down: null};
}

/** Lowest bid that an offer's host accepts; null for none. */
export async function floorBidOf(database: Database, askId: number): Promise<number | null> {
	const {floor} = await database
		.selectFrom('offers')
		.select('floor_bid_micros as floor')
		.where('id', '=', askId)
		.executeTakeFirstOrThrow();
	return floor;
}

/** Highest discount of an offer for paying ahead, from 0 to 1; null for none. */
export async function discountOf(database: Database, askId: number): Promise<number | null> {
	const {discount} = await database
		.selectFrom('offers')
		.select('credit_discount_max as discount')
		.where('id', '=', askId)
		.executeTakeFirstOrThrow();
	return discount;
}

/** Term of the listing of an offer's machine; null without a listing. */
const termOf = (column: 'volume_gb' | 'volume_micros') =>
	sql`(select ${sql.ref(column)} from listings where listings.machine_id = offers.machine_id)`;

const instancesGb = sql`coalesce((
	select sum(disk_gb) from instances
	where instances.machine_id = offers.machine_id and destroyed_at is null and default_job = 0
), 0)`;

/** Disk free of instances, at most the volume space that the provider offers, less the volumes. */
export const freeGb = sql<number>`(
	case when ${termOf('volume_gb')} < offers.disk_space - ${instancesGb} then ${termOf('volume_gb')}
		else offers.disk_space - ${instancesGb} end
	- coalesce((
		select sum(size_gb) from volumes
		where volumes.machine_id = offers.machine_id and destroyed_at is null
	), 0)
)`;

/** Micro-dollars per GB and month. */
export const volumeSpaceMicros = sql<number>`coalesce(${termOf('volume_micros')}, offers.storage_cost_micros)`;

/**
 * Id of the offer that represents a machine's volume space: on an offered, reachable machine, the
 * offer on sale with the most GPUs.
 */
export const volumeSpaceOffer = (machineId: Sql, now: Sql): Sql => sql`(
	select one.id from offers as one
	inner join machines as owner on owner.id = one.machine_id and owner.listed = 1 and owner.absent = 0
	where one.machine_id = ${machineId} and one.listed = 1
		and (one.end_date is null or one.end_date > ${now})
	order by one.num_gpus desc, one.id limit 1
)`;

export const LEAST_GB = 1;
