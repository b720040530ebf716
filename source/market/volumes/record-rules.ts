/** Records of volumes, and of volume space. */
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import {DEFAULT_VOLUME_GB, type VolumeSearch} from '../../contract/nouns/volume-search.ts';
import type {Volume, VolumeOffer} from '../../contract/nouns/volumes.ts';
import type {VolumeRow} from '../database/instance-tables.ts';
import type {OfferTableColumn, OfferRow} from '../database/schema.ts';
import {offerRecorder} from '../offers/record-rules.ts';
import type {PriceTerms} from '../offers/pricing-rules.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';

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

/** An offer that represents volume space: free space in GB, and micro-dollars per GB and month. */
export type VolumeSpaceRow = OfferRow & {readonly free_gb: number; readonly room_micros: number};

type VolumeOfferRecorder = {
	/** The columns that rows must have. */
	readonly columns: readonly OfferTableColumn[];
	readonly record: (row: VolumeSpaceRow) => VolumeOffer;
};

/** Makes offers of volume space with the prices of a search. */
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

/** Numbers as text, as offers of volume space have them; unknown ones are empty. */
function textsOf<Name extends string>(numbers: Readonly<Record<Name, number | null | undefined>>) {
	const texts = Object.entries<number | null | undefined>(numbers).map(([name, number]) => [
		name,
		String(number ?? ''),
	]);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are the same
	return Object.fromEntries(texts) as Record<Name, string>;
}

type VolumeRecorder = {
	/** Columns that offers must have. */
	readonly columns: readonly OfferTableColumn[];
	/** Record of a volume; `offer` is undefined for an unknown machine. */
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

/** Price of a volume; for an unfinished clone the agreed one. */
export function agreedPrice({
	agreed_micros: agreed,
	storage_micros: micros,
	size_gb: sizeGb,
}: Pick<VolumeRow, 'agreed_micros' | 'storage_micros' | 'size_gb'>) {
	const perGb = (agreed ?? micros) / MICROS_PER_DOLLAR;
	return {storage_cost: perGb, storage_total_cost: (perGb * sizeGb) / HOURS_PER_MONTH};
}

export function volumeTerms({sizeGb}: Pick<VolumeSearch, 'sizeGb'>): PriceTerms {
	return {pricing: 'on-demand', diskGb: sizeGb ?? DEFAULT_VOLUME_GB};
}
