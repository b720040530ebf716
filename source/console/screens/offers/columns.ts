import {countryOf, lower} from '../../../contract/filter-match.ts';
import type {OfferField} from '../../../contract/offer-fields.ts';
import type {Offer} from '../../../contract/offers.ts';
import type {Column} from '../../components/columns.ts';
import {
	count,
	decimals,
	duration,
	gigabytes,
	gigabytesOfMb,
	known,
	MISSING,
	percent,
	price,
} from '../../format.ts';
import {printable} from '../../terminal/output/text-width.ts';

/** The fields that the list shows: no others are asked for. */
export const listedFields: readonly OfferField[] = [
	'id',
	'gpu_name',
	'num_gpus',
	'gpu_ram',
	'dph_base',
	'dph_total',
	'dlperf_per_dphtotal',
	'reliability',
	'inet_down',
	'inet_up',
	'geolocation',
	'duration',
	'verification',
	'hosting_type',
	'cuda_max_good',
	'direct_port_count',
	'disk_space',
	'cpu_cores_effective',
	'cpu_ram',
];

const text = known(printable);

/** A number of an offer; undefined where the service sent none. */
function numberOf(offer: Offer, field: OfferField): number | undefined {
	const value = offer[field];
	return typeof value === 'number' ? value : undefined;
}

/** A column of numbers: right-aligned, ordered by the number. */
function numeric(
	field: OfferField,
	title: string,
	width: number,
	rank: number,
	format: (value: number | undefined) => string,
	best: 'low' | 'high' = 'high',
): Column<Offer> {
	return {
		id: field,
		title,
		width,
		align: 'right',
		rank,
		best,
		cell: offer => format(numberOf(offer, field)),
		sortKey: offer => numberOf(offer, field),
	};
}

/** A column of words: left-aligned, ordered by the alphabet. */
function words(
	id: string,
	title: string,
	width: number,
	rank: number,
	cell: (offer: Offer) => string,
): Column<Offer> {
	return {
		id,
		title,
		width,
		align: 'left',
		rank,
		best: 'low',
		cell,
		sortKey: offer => lower(cell(offer)),
	};
}

/** The country of an offer as two letters. */
export function country({geolocation}: Offer): string {
	if (typeof geolocation !== 'string') return MISSING;
	return countryOf(geolocation)?.toUpperCase() ?? printable(geolocation);
}

/** How far an offer can be relied on: checked by the market, and whether in a datacenter. */
export function tier({hosting_type: hosting, verification}: Offer): string {
	if (hosting === 1) return 'dc';
	if (verification === 'verified') return 'ver';
	if (verification === 'unverified') return 'unv';
	return verification === 'deverified' ? 'dev' : text(verification);
}

/** What the list can show, from left to right; on a narrow screen those of low rank remain. */
export const offerColumns: ReadonlyArray<Column<Offer>> = [
	numeric('id', 'ID', 8, 4, known(String), 'low'),
	words('gpu_name', 'GPU', 11, 0, offer => text(offer.gpu_name)),
	numeric(
		'num_gpus',
		'QTY',
		3,
		1,
		known(value => `${value}x`),
	),
	numeric('gpu_ram', 'VRAM', 4, 5, gigabytesOfMb),
	numeric('dph_base', '$/H', 7, 6, price, 'low'),
	numeric('dph_total', 'ALL-IN', 8, 0, price, 'low'),
	numeric('dlperf_per_dphtotal', 'DLP/$', 5, 7, decimals(0)),
	numeric('reliability', 'REL%', 5, 2, percent),
	numeric('inet_down', 'DOWN', 5, 8, count),
	words('geolocation', 'LOC', 3, 3, country),
	numeric('duration', 'DAYS', 4, 9, duration),
	words('tier', 'TIER', 4, 10, tier),
	numeric('cuda_max_good', 'CUDA', 4, 11, decimals(1)),
	numeric('direct_port_count', 'PORTS', 5, 12, count),
	numeric('disk_space', 'DISK', 6, 13, gigabytes),
	numeric('cpu_cores_effective', 'VCPU', 5, 14, decimals(0)),
	numeric('cpu_ram', 'RAM', 5, 15, gigabytesOfMb),
	numeric('inet_up', 'UP', 5, 16, count),
];
