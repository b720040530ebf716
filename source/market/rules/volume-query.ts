/**
 * Room for volumes as the database finds it. A machine's room is what its own offer has of disk, the
 * one with the most GPUs, less what volumes and instances have of it; that offer's number is its.
 */
import {sql, type RawBuilder} from 'kysely';
import {
	DEFAULT_VOLUME_GB,
	searchableVolumes,
	type VolumeField,
	type VolumeSearch,
} from '../../contract/volume-search.ts';
import {conditionsSql, orderSql} from './search-sql.ts';
import type {PriceTerms} from './pricing.ts';
import {countrySql, fieldSql, isSoldSql, tieSql} from './offer-query.ts';

type Sql = RawBuilder<unknown>;

export type VolumeOfferQuery = {
	/** All of these hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
	readonly limit: number;
	/** Free space in GB. */
	readonly freeGb: RawBuilder<number>;
};

const freeGb = sql<number>`(
	offers.disk_space
	- coalesce((
		select sum(size_gb) from volumes
		where volumes.machine_id = offers.machine_id and destroyed_at is null
	), 0)
	- coalesce((
		select sum(disk_gb) from instances
		where instances.machine_id = offers.machine_id and destroyed_at is null
	), 0)
)`;

/** Conditions for offers that represent their machine's room for volumes. */
function isRoom(now: number): readonly Sql[] {
	return [
		...isSoldSql({...volumeTerms({sizeGb: undefined}), now}),
		sql`exists (select 1 from machines where machines.id = offers.machine_id and listed = 1 and absent = 0)`,
		sql`not exists (
			select 1 from offers as other
			where other.machine_id = offers.machine_id
				and other.listed = 1
				and (other.end_date is null or other.end_date > ${now})
				and (
					other.num_gpus > offers.num_gpus
					or (other.num_gpus = offers.num_gpus and other.id < offers.id)
				)
		)`,
	];
}

/** A search at a moment. `limit` is the most offers that any search returns. */
export function volumeOfferQuery(
	search: VolumeSearch,
	now: number,
	limit: number,
): VolumeOfferQuery {
	const terms = {...volumeTerms(search), now};
	const sqlOf = (field: VolumeField) => (field === 'disk_space' ? freeGb : fieldSql(field, terms));
	const fields = {types: searchableVolumes.fields, sqlOf, country: countrySql};
	return {
		// What takes longest to find out comes last.
		where: [
			...conditionsSql(search.filter, fields),
			...isRoom(now),
			sql`${freeGb} >= ${search.sizeGb ?? LEAST_GB}`,
		],
		orderBy: orderSql(search.order, sqlOf, tieSql(search.order[0]?.[0], terms)),
		limit: Math.min(search.limit, limit),
		freeGb,
	};
}

/** The least that can be had of a machine. */
const LEAST_GB = 1;

/** The room of an offer, however little it is. */
export function roomQuery(offerId: number, now: number): VolumeOfferQuery {
	return {where: [sql`id = ${offerId}`, ...isRoom(now)], orderBy: [sql`id`], limit: 1, freeGb};
}

/** On what terms a search wants prices. */
export function volumeTerms({sizeGb}: Pick<VolumeSearch, 'sizeGb'>): PriceTerms {
	return {pricing: 'on-demand', diskGb: sizeGb ?? DEFAULT_VOLUME_GB};
}
