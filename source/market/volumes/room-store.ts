/**
 * Volumes: their records, and searches for room. A machine's room is the disk of its own offer, the
 * one with the most GPUs, less that of its volumes and instances; it has that offer's number.
 */
import {type RawBuilder, sql} from 'kysely';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {
	DEFAULT_VOLUME_GB,
	searchableVolumes,
	type VolumeField,
	type VolumeSearch,
} from '../../contract/nouns/volume-search.ts';
import type {Volume, VolumeOffer} from '../../contract/nouns/volumes.ts';
import type {VolumeRow} from '../database/instance-tables.ts';
import type {OfferColumn, OfferRow} from '../database/schema.ts';
import {offerRecorder} from '../offers/record-rules.ts';
import type {PriceTerms} from '../offers/pricing-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {conditionsSql, orderSql} from '../database/search-sql.ts';
import {countrySql, fieldSql, isSoldSql, tieSql} from '../offers/query-store.ts';
import {freeGb, LEAST_GB, roomMicros} from '../lifecycle/asks-store.ts';

/** Machine fields of both kinds of record. */
const hardware = [
	'machine_id',
	'host_id',
	'cluster_id',
	'cpu_name',
	'cpu_arch',
	'cuda_max_good',
	'disk_name',
	'driver_version',
	'mobo_name',
	'os_version',
	'inet_up',
	'inet_down',
	'reliability2',
	'static_ip',
	'geolocation',
	'verification',
] as const;

const offered = [
	...hardware,
	'ask_contract_id',
	'bundle_id',
	'gpu_arch',
	'cpu_ghz',
	'disk_bw',
	'driver_vers',
	'reliability',
	'reliability_mult',
	'score',
	'geolocode',
	'vericode',
	'vms_enabled',
	'external',
	'start_date',
	'end_date',
	'duration',
	'storage_cost',
	'storage_total_cost',
] as const;

export type RoomRow = OfferRow & {readonly free_gb: number; readonly room_micros: number};

export type VolumeOfferRecorder = {
	/** The columns that rows must have. */
	readonly columns: readonly OfferColumn[];
	readonly record: (row: RoomRow) => VolumeOffer;
};

/** Makes offers of room, priced as a search wants it. */
export function volumeOfferRecorder(search: VolumeSearch, now: number): VolumeOfferRecorder {
	const {columns, record} = offerRecorder(offered, {...volumeTerms(search), now});
	return {
		columns,
		record(row) {
			const {driver_vers, geolocode, vericode, ...offer} = record({
				...row,
				storage_cost_micros: row.room_micros,
			});
			const disk_space = row.free_gb;
			return {...offer, disk_space, ...textsOf({driver_vers, geolocode, vericode})};
		},
	};
}

/** Numbers that are texts in offers of room; one that is not known is empty. */
function textsOf<Name extends string>(numbers: Readonly<Record<Name, number | null | undefined>>) {
	const texts = Object.entries<number | null | undefined>(numbers).map(([name, number]) => [
		name,
		String(number ?? ''),
	]);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are the same
	return Object.fromEntries(texts) as Record<Name, string>;
}

export type VolumeRecorder = {
	/** The columns of offers that are needed. */
	readonly columns: readonly OfferColumn[];
	/** `offer` is undefined where its machine is no longer known. */
	readonly record: (
		volume: VolumeRow,
		offer: OfferRow | undefined,
		instances: readonly number[],
	) => Volume;
};

export function volumeRecorder(now: number): VolumeRecorder {
	const names = [...hardware, 'public_ipaddr'];
	const {columns, record} = offerRecorder(names, {...volumeTerms({sizeGb: undefined}), now});
	return {
		columns,
		record(volume, offer, instances) {
			const {id, machine_id, label, size_gb, created_at, end_date} = volume;
			return {
				...(offer && record(offer)),
				id,
				machine_id,
				type: 'machine',
				label,
				disk_space: size_gb,
				start_date: created_at,
				end_date,
				status: statusOf(volume, instances),
				status_msg: volume.message,
				clone_of: volume.clone_of,
				wish: volume.wish,
				instances: [...instances],
				...agreedPrice(volume),
			};
		},
	};
}

function statusOf({agreed_micros: agreed}: VolumeRow, instances: readonly number[]): string {
	if (agreed !== null) return 'creating';
	return instances.length > 0 ? 'in-use' : 'created';
}

/** Price of a volume, of a clone that is not whole the one that it will have. */
export function agreedPrice({
	agreed_micros: agreed,
	storage_micros: micros,
	size_gb: sizeGb,
}: Pick<VolumeRow, 'agreed_micros' | 'storage_micros' | 'size_gb'>) {
	const perGb = (agreed ?? micros) / MICROS_PER_DOLLAR;
	return {storage_cost: perGb, storage_total_cost: (perGb * sizeGb) / HOURS_PER_MONTH};
}

type Sql = RawBuilder<unknown>;

type VolumeOfferQuery = {
	/** All of these hold. */
	readonly where: readonly Sql[];
	readonly orderBy: readonly Sql[];
	readonly limit: number;
	/** Free space in GB. */
	readonly freeGb: RawBuilder<number>;
	readonly roomMicros: RawBuilder<number>;
};

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
	const sqlOf = (field: VolumeField) => {
		if (field === 'disk_space') return freeGb;
		return field === 'storage_cost' ? sql`(${roomMicros} / 1e6)` : fieldSql(field, terms);
	};
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
		roomMicros,
	};
}

export type RoomOf = {readonly offerId: number} | {readonly machineId: number};

/** The room of an offer, or of a machine, however little it is. */
export function roomQuery(of: RoomOf, now: number): VolumeOfferQuery {
	const isMeant = 'offerId' in of ? sql`id = ${of.offerId}` : sql`machine_id = ${of.machineId}`;
	return {
		where: [isMeant, ...isRoom(now)],
		orderBy: [sql`id`],
		limit: 1,
		freeGb,
		roomMicros,
	};
}

/** Terms of the prices of a search. */
function volumeTerms({sizeGb}: Pick<VolumeSearch, 'sizeGb'>): PriceTerms {
	return {pricing: 'on-demand', diskGb: sizeGb ?? DEFAULT_VOLUME_GB};
}
