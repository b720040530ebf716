/** The fields of a search as people write them: names, aliases, and units. */
import {isFieldOf, type FieldType} from '../../../contract/grammar/filter.ts';
import {
	searchableOffers,
	type OfferField,
	type OfferSearch,
	type Pricing,
} from '../../../contract/nouns/offer-search.ts';
import {
	findWordField,
	type Clause,
	type Lexicon,
	type Unit,
	type WordField,
} from '../../words/clauses.ts';
import {printWords} from '../../words/parse.ts';
import {comparingSigns, meantPerGpu, PER_GPU} from '../../words/tests.ts';

/** Fields in words: those of the wire, and the price of one GPU, which is tested locally. */
export type SearchField = OfferField | typeof PER_GPU;

/** A search in words, before it is split into the service's tests and the local ones. */
export type WordSearch = OfferSearch<SearchField>;

export type OfferWord = WordField<SearchField>;

export type OfferClause = Clause<SearchField> | OfferPricing;
type OfferPricing = {readonly kind: 'pricing'; readonly pricing: Pricing};

type Entry = readonly [
	name: string,
	field: SearchField,
	unit: Unit,
	about: string,
	aliases?: readonly string[],
];

/** The fields with a name of their own here, the most used first. */
const entries: readonly Entry[] = [
	['gpu', 'gpu_name', 'none', 'name of the GPU'],
	['qty', 'num_gpus', 'none', 'number of GPUs', ['gpus']],
	['price', 'dph_base', 'dollars', '$ per hour for the GPUs'],
	[PER_GPU, PER_GPU, 'dollars', '$ per hour for one of its GPUs: price<0.30/gpu'],
	['all-in', 'dph_total', 'dollars', '$ per hour with the disk', ['allin', 'dph', 'dphtotal']],
	['vram', 'gpu_ram', 'memory', 'GB of memory of one GPU', ['gpu_ram_GB']],
	[
		'total-vram',
		'gpu_total_ram',
		'memory',
		'GB of memory of all GPUs',
		['gpu_totalram', 'gpu_total_ram_GB', 'gpu_totalram_GB'],
	],
	['loc', 'geolocation', 'none', 'countries, such as us,ca, or eu', ['country', 'geo']],
	['rel', 'reliability', 'share', 'reliability in percent', ['reliability2']],
	['days', 'duration', 'days', 'days until the offer ends'],
	['disk', 'disk_space', 'gigabytes', 'GB of free disk'],
	['down', 'inet_down', 'megabits', 'Mb/s from the internet'],
	['up', 'inet_up', 'megabits', 'Mb/s to the internet'],
	['cuda', 'cuda_max_good', 'none', 'newest CUDA that it runs', ['cuda_vers']],
	['ports', 'direct_port_count', 'none', 'ports that are open to the outside'],
	['vcpu', 'cpu_cores_effective', 'none', 'CPU cores', ['cpus']],
	['ram', 'cpu_ram', 'memory', 'GB of memory of the machine', ['cpu_ram_GB']],
	['verified', 'verified', 'none', 'checked by the market'],
	['rentable', 'rentable', 'none', 'free at present'],
	['dc', 'datacenter', 'none', 'in a datacenter'],
	['speed', 'dlperf_per_dphtotal', 'none', 'deep learning speed per $', ['dlp', 'dlperf_usd']],
	['flops', 'flops_per_dphtotal', 'none', 'TFLOPS per $', ['flops_usd']],
	['static', 'static_ip', 'none', 'its address does not change'],
	['vm', 'vms_enabled', 'none', 'runs virtual machines'],
	['driver', 'driver_version', 'none', 'version of the driver'],
	['os', 'os_version', 'none', 'version of the system', ['ubuntu_version']],
	['display', 'gpu_display_active', 'none', 'a screen is attached', ['display_active']],
	['machine', 'machine_id', 'none', 'number of the machine'],
	['host', 'host_id', 'none', 'number of the host'],
];

const units: Partial<Record<OfferField, Unit>> = {
	expected_reliability: 'share',
	dph_base: 'dollars',
	dph_total: 'dollars',
	min_bid: 'dollars',
	storage_cost: 'dollars',
	storage_total_cost: 'dollars',
	inet_up_cost: 'dollars',
	inet_down_cost: 'dollars',
	vram_costperhour: 'dollars',
};

/** Fields that programs use, but not lines of words. */
const forPrograms: ReadonlySet<OfferField> = new Set([
	'gpu_ids',
	'is_bid',
	'vericode',
	'geolocode',
	'resource_type',
	'bundled_results',
	'avail_vol_ask_id',
	'avail_vol_dph',
	'avail_vol_size',
	'nw_disk_min_bw',
	'nw_disk_max_bw',
	'nw_disk_avg_bw',
	'platform_fee',
	'logo',
	'webpage',
]);

/** Type of a field in lines of words, in which 1 stands for a true flag. */
function wordType(field: SearchField): FieldType {
	if (field === PER_GPU) return 'number';
	const type: FieldType = searchableOffers.fields[field];
	return type === 'flag' ? 'number' : type;
}

const fields: readonly OfferWord[] = [
	...entries.map(([name, field, unit, about]) => ({
		name,
		field,
		type: wordType(field),
		unit,
		about,
	})),
	...Object.keys(searchableOffers.fields)
		.filter(name => isFieldOf(searchableOffers.fields, name))
		.filter(name => !forPrograms.has(name) && entries.every(([, field]) => field !== name))
		.map(unnamed),
];

function unnamed(field: OfferField): OfferWord {
	return {
		name: field,
		field,
		type: wordType(field),
		unit: units[field] ?? 'none',
		about: field.replaceAll('_', ' '),
	};
}

export const lexicon: Lexicon<SearchField> = {
	fields,
	byName: new Map(
		fields.flatMap(field => {
			const aliases = entries.find(([name]) => name === field.name)?.[4] ?? [];
			return [field.field, ...aliases, field.name].map(
				name => [name.toLowerCase(), field] as const,
			);
		}),
	),
	bareWords: ['dc', 'unverified', 'any', 'bid', 'reserved', 'static', 'vm'],
	signs: comparingSigns,
	meant: word =>
		meantPerGpu(word, written => findWordField(lexicon, written)?.field === 'dph_base'),
};

/** The field with this name on the wire. */
export function findOfferWord(field: SearchField): OfferWord {
	const found = fields.find(known => known.field === field);
	if (found === undefined) throw new Error(`${field} is missing from the words`);
	return found;
}

/** A line of words in its normal form. Reading it again yields the same request. */
export function printClauses(
	clauses: readonly OfferClause[],
	gpuNames: readonly string[] = [],
): string {
	return printWords(clauses, gpuNames, ({pricing}: OfferPricing) => pricing);
}
