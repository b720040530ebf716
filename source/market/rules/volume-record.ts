/** Records of volumes and of room for them, made from rows. */
import {HOURS_PER_MONTH} from '../../contract/units.ts';
import type {VolumeSearch} from '../../contract/volume-search.ts';
import type {Volume, VolumeOffer} from '../../contract/volumes.ts';
import type {VolumeRow} from '../store/instance-tables.ts';
import type {OfferColumn, OfferRow} from '../store/schema.ts';
import {offerRecorder} from './offer-record.ts';
import {MICROS_PER_DOLLAR} from './pricing.ts';
import {volumeTerms} from './volume-query.ts';

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

export type RoomRow = OfferRow & {readonly free_gb: number};

export type VolumeOfferRecorder = {
	/** The columns that rows must have. */
	readonly columns: readonly OfferColumn[];
	readonly record: (row: RoomRow) => VolumeOffer;
};

/** Makes offers of room, priced as a search wants it. */
export function volumeOfferRecorder(search: VolumeSearch, now: number): VolumeOfferRecorder {
	const {columns, record} = offerRecorder(offered, {...volumeTerms(search), now});
	return {columns, record: row => ({...record(row), disk_space: row.free_gb})};
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
			const {id, machine_id, label, size_gb, storage_micros, created_at, end_date} = volume;
			const perGb = storage_micros / MICROS_PER_DOLLAR;
			return {
				...(offer && record(offer)),
				id,
				machine_id,
				type: 'machine',
				label,
				disk_space: size_gb,
				start_date: created_at,
				end_date,
				status: instances.length > 0 ? 'in-use' : 'created',
				instances: [...instances],
				storage_cost: perGb,
				storage_total_cost: (perGb * size_gb) / HOURS_PER_MONTH,
			};
		},
	};
}
