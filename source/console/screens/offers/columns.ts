import {countryOf, lower, normal} from '../../../contract/grammar/filter-match.ts';
import {costFields, costOf, type Job, type OfferCost} from '../../../contract/nouns/offer-cost.ts';
import type {OfferField} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {
	type Column,
	isInSet,
	isVisible,
	leastColumn,
	mostColumn,
	textColumn,
} from '../../list/columns.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {
	count,
	decimals,
	duration,
	wholeGigabytes,
	gigabytesOfMb,
	known,
	MISSING,
	percent,
	price,
} from '../../../renter/text/format.ts';
import type {KindPrices} from '../../../renter/offers/kind-prices.ts';
import {standingColumn} from './standing-column.ts';
import {gpuNameWithin} from '../../../renter/words/gpu-match.ts';
import {printable} from '../../../renter/text/text-width.ts';

/** A column of offers, with the fields that it is made from. */
export type OfferColumn = Column<Offer> & {
	readonly fields: readonly OfferField[];
	/** Fields shown unchanged: a search for one of them shows the column. @default all of them */
	readonly shows?: readonly OfferField[];
	/** The service's own field for the column's order; undefined if it has none. */
	readonly ordersBy?: OfferField | undefined;
};

const text = known(printable);

/** A number of an offer; undefined if the service sent none. */
function numberOf(offer: Offer, field: OfferField): number | undefined {
	const value = offer[field];
	return typeof value === 'number' ? value : undefined;
}

type Sketch = readonly [title: string, width: number, rank: number];

type Set = {
	readonly set: 'compact' | 'normal' | 'wide';
	readonly about: string;
} & Pick<OfferColumn, 'weight' | 'shows'>;

/** A column of a number of the offer: right-aligned, ordered by the number. */
function numeric(
	field: OfferField,
	sketch: Sketch,
	format: (value: number | undefined) => string,
	more: Set & {readonly best?: 'low' | 'high'},
): OfferColumn {
	return {
		...mostColumn([field, ...sketch], (offer: Offer) => numberOf(offer, field), format),
		...more,
		fields: [field],
		ordersBy: field,
	};
}

const keyOf = (shown: string) => (shown === MISSING ? undefined : lower(shown));

/** A column of words: left-aligned, ordered by the alphabet, missing ones last. */
function words(
	id: string,
	sketch: Sketch,
	cell: (offer: Offer, width: number) => string,
	more: Set &
		Pick<OfferColumn, 'fields' | 'ordersBy'> &
		Partial<Pick<OfferColumn, 'sortKey' | 'growth'>>,
): OfferColumn {
	return {
		...textColumn([id, ...sketch], (offer: Offer) => keyOf(cell(offer, Infinity)), String),
		cell,
		...more,
	};
}

/** A column of an offer's cost for a job, computed here: the service knows no traffic. */
function cost(
	part: 'allIn' | 'allInPerGpu' | 'perDay' | 'perWeek',
	sketch: Sketch,
	costsOf: (offer: Offer) => OfferCost,
	more: Set & Pick<OfferColumn, 'ordersBy'>,
): OfferColumn {
	const format = part === 'allIn' || part === 'allInPerGpu' ? price : decimals(2);
	return {
		...leastColumn([part, ...sketch], (offer: Offer) => costsOf(offer)[part], format),
		...more,
		fields: costFields,
		shows: part === 'allIn' ? ['dph_total'] : [],
	};
}

/** The country of an offer as two letters. */
function country({geolocation}: Offer): string {
	if (typeof geolocation !== 'string') return MISSING;
	return countryOf(geolocation)?.toUpperCase() ?? printable(geolocation);
}

/** Trust in an offer: verified by the market, and in a datacenter or not. */
export function tier({hosting_type: hosting, verification}: Offer): string {
	if (hosting === 1) return 'dc';
	if (verification === 'verified') return 'ver';
	if (verification === 'unverified') return 'unv';
	return verification === 'deverified' ? 'dev' : text(verification);
}

/**
 * Columns of offers for a job, from left to right; narrow screens keep those of low rank.
 *
 * @param kinds usual prices of each kind of GPU, where known
 */
export function offerColumns(job: Job, kinds?: KindPrices): readonly OfferColumn[] {
	return [...identity, ...costs(job), standingColumn(kinds), ...usual, ...wide];
}

/** Names as the service compares them. */
function nameKey(name: string | null): string | undefined {
	const key = normal('name', name);
	return key === null ? undefined : String(key);
}

const gpuWithin = ({gpu_name: name, num_gpus: gpus}: Offer, width: number) =>
	known((value: string) => gpuNameWithin(value, width, gpus === undefined ? '' : `${gpus}×`))(name);

const quantity = known((value: number) => `${value}x`);

const identity: readonly OfferColumn[] = [
	words('gpu_name', ['GPU', 14, 0], gpuWithin, {
		set: 'compact',
		growth: [19],
		about: 'its GPUs',
		weight: 'strong',
		fields: ['gpu_name', 'num_gpus'],
		shows: ['gpu_name', 'num_gpus'],
		ordersBy: 'gpu_name',
		sortKey: ({gpu_name: name}) => (name === undefined ? undefined : nameKey(name)),
	}),
	numeric('gpu_ram', ['VRAM', 4, 5], gigabytesOfMb, {
		set: 'compact',
		about: 'memory of a GPU',
		weight: 'quiet',
	}),
];

function costs(job: Job): readonly OfferColumn[] {
	// Computed each time, which is quicker than a cache for thousands of offers.
	const costsOf = (offer: Offer) => costOf(offer, job);
	const ordersBy = job.inGbPerHour + job.outGbPerHour === 0 ? 'dph_total' : undefined;
	const about = 'with your disk and traffic';
	return [
		cost('allIn', ['$/H ALL-IN', 10, 0], costsOf, {
			set: 'compact',
			weight: 'strong',
			about: `${about}, an hour`,
			ordersBy,
		}),
		cost('allInPerGpu', ['ALL/GPU', 8, 17], costsOf, {
			set: 'wide',
			about: `${about}, an hour of a GPU`,
		}),
		cost('perDay', ['$/DAY', 8, 18], costsOf, {set: 'wide', about: `${about}, a day`, ordersBy}),
		cost('perWeek', ['$/WEEK', 9, 19], costsOf, {set: 'wide', about: `${about}, a week`, ordersBy}),
	];
}

const usual: readonly OfferColumn[] = [
	numeric('reliability', ['REL%', 5, 2], percent, {set: 'compact', about: 'reliability'}),
	numeric('inet_down', ['DOWN', 5, 8], count, {
		set: 'normal',
		about: 'download, Mb/s',
		weight: 'quiet',
	}),
	words('geolocation', ['WHERE', 5, 3], country, {
		set: 'compact',
		about: 'country',
		fields: ['geolocation'],
	}),
	numeric('duration', ['DAYS', 4, 9], duration, {
		set: 'normal',
		about: 'longest rental',
		weight: 'quiet',
	}),
	numeric('cuda_max_good', ['CUDA', 4, 11], decimals(1), {
		set: 'normal',
		about: 'newest CUDA',
		weight: 'quiet',
	}),
	numeric('direct_port_count', ['PORTS', 5, 12], count, {
		set: 'normal',
		about: 'open ports',
		weight: 'quiet',
	}),
	numeric('disk_space', ['DISK', 6, 13], wholeGigabytes, {
		set: 'normal',
		about: 'free disk',
		weight: 'quiet',
	}),
];

const wide: readonly OfferColumn[] = [
	numeric('num_gpus', ['QTY', 3, 1], quantity, {set: 'wide', about: 'number of GPUs', shows: []}),
	numeric('dph_base', ['GPU$/H', 6, 6], price, {
		set: 'wide',
		shows: [],
		about: 'GPUs alone, an hour',
		best: 'low',
	}),
	numeric('dlperf_per_dphtotal', ['SPEED/$', 7, 7], decimals(0), {
		set: 'wide',
		about: 'deep learning speed per $',
	}),
	words('tier', ['TIER', 4, 10], tier, {
		set: 'wide',
		about: 'verified, unverified, datacenter',
		fields: ['verification', 'hosting_type'],
	}),
	numeric('id', ['ID', 8, 13], known(String), {set: 'wide', about: 'number', best: 'low'}),
	numeric('cpu_cores_effective', ['VCPU', 5, 14], decimals(0), {set: 'wide', about: 'CPU cores'}),
	numeric('cpu_ram', ['RAM', 5, 15], gigabytesOfMb, {set: 'wide', about: 'whole memory'}),
	numeric('inet_up', ['UP', 5, 16], count, {set: 'wide', about: 'upload, Mb/s'}),
	numeric('pcie_bw', ['PCIE', 5, 20], decimals(1), {set: 'wide', about: 'PCIe, GB/s'}),
	numeric('pci_gen', ['PCI', 3, 21], decimals(0), {set: 'wide', about: 'PCIe generation'}),
	words('driver_version', ['DRIVER', 10, 22], offer => text(offer.driver_version), {
		set: 'wide',
		about: 'version of the driver',
		fields: ['driver_version'],
		sortKey: ({driver_version: version}) =>
			version?.replaceAll(/\d+/g, part => part.padStart(5, '0')),
	}),
	numeric('host_id', ['HOST', 7, 23], known(String), {set: 'wide', about: 'host', best: 'low'}),
	numeric('machine_id', ['MACH', 7, 24], known(String), {
		set: 'wide',
		about: 'machine',
		best: 'low',
	}),
	numeric('score', ['SCORE', 6, 25], decimals(1), {set: 'wide', about: 'rank of the service'}),
	numeric('dlperf', ['DLPERF', 6, 26], decimals(1), {set: 'wide', about: 'speed in deep learning'}),
	numeric('total_flops', ['TFLOPS', 6, 27], decimals(1), {set: 'wide', about: 'speed in numbers'}),
	numeric('gpu_mem_bw', ['GB/S', 5, 28], count, {set: 'wide', about: 'bandwidth of the VRAM'}),
	numeric('disk_bw', ['DISKBW', 6, 29], count, {set: 'wide', about: 'disk, MB/s'}),
	numeric('min_bid', ['BID', 7, 30], price, {
		set: 'wide',
		about: 'least bid, an hour',
		best: 'low',
	}),
	words('cpu_name', ['CPU', 20, 31], offer => text(offer.cpu_name), {
		set: 'wide',
		growth: [40],
		about: 'model of the CPU',
		fields: ['cpu_name'],
	}),
];

const all = [...identity, ...usual, ...wide];

/** Fields beside the columns, for the pane next to the list. */
const besideColumns: readonly OfferField[] = ['host_id', 'machine_id', 'pci_gen', 'gpu_lanes'];

/**
 * Fields requested for a list with these columns: all but those of wide ones, so that others can be shown
 * at once.
 */
export function listedFields(choice: ColumnChoice): readonly OfferField[] {
	const columns = all.filter(column => isInSet(column, 'normal') || isVisible(column, choice));
	return [...new Set([...columns.flatMap(({fields}) => fields), ...costFields, ...besideColumns])];
}
