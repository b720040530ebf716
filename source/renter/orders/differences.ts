/** An order and the record of its instance, compared field by field. */
import type {AgreedOrder} from '../../client/rentals/pending-rent.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {plainName} from '../words/gpu-match.ts';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';

export type Difference =
	| {
			readonly field: 'gpu' | 'pricing' | 'image' | 'label' | 'template';
			readonly ordered: string;
			readonly got: string;
	  }
	| {readonly field: 'gpus' | 'disk'; readonly ordered: number; readonly got: number}
	| {readonly field: RateName; readonly ordered: number; readonly got: number}
	| {
			readonly field: 'price';
			/** Dollars an hour, with the disk. */
			readonly ordered: number;
			readonly got: number;
			/** Dollars an hour more. */
			readonly costs: number;
	  }
	| {
			readonly field: 'ports';
			readonly ordered: readonly string[];
			/** Ports of the order that are reachable. */
			readonly got: readonly string[];
	  };

/** Dollars a GB: of disk for a month, of traffic. */
export type RateName = 'storage' | 'upload' | 'download';

export type Field = Difference['field'];

/** `unsaid` if the record contains nothing to compare. A field that was not ordered is `same`. */
export type DifferenceVerdict = Difference | 'same' | 'unsaid';

const comparers = {
	gpu: ({gpuName}, {gpu_name: got}) =>
		compareTexts('gpu', gpuName, knownText(got), (a, b) => plainGpu(a) === plainGpu(b)),
	gpus: ({gpus: ordered}, {num_gpus}) => {
		const got = amountOf(num_gpus);
		if (ordered === undefined) return 'same';
		if (got === undefined) return 'unsaid';
		return got === ordered ? 'same' : {field: 'gpus', ordered, got};
	},
	disk: compareDisk,
	price: comparePrice,
	storage: ({storageRate}, {storage_cost: got}) => compareRate('storage', storageRate, got),
	upload: ({uploadRate}, {inet_up_cost: got}) => compareRate('upload', uploadRate, got),
	download: ({downloadRate}, {inet_down_cost: got}) => compareRate('download', downloadRate, got),
	pricing: ({pricing}, {is_bid: isBid}) => {
		const got = typeof isBid !== 'boolean' ? undefined : isBid ? 'bid' : 'on-demand';
		return compareTexts('pricing', pricing, got);
	},
	image: ({image}, {image_uuid: got}) => compareTexts('image', image, knownText(got), isSameImage),
	// An empty label is a value: the instance has no name. Null is not.
	label: ({label}, {label: got}) =>
		compareTexts('label', label, typeof got === 'string' ? got.trim() : undefined),
	template: ({templateHash}, {template_hash_id: got}) =>
		compareTexts('template', templateHash, knownText(got)),
	ports: comparePorts,
} as const satisfies Readonly<
	Record<Field, (agreed: AgreedOrder, got: Instance) => DifferenceVerdict>
>;

export const fields: readonly Field[] = Object.keys(comparers).filter(isField);

function isField(name: string): name is Field {
	return Object.hasOwn(comparers, name);
}

/** The verdict on each field. Ports are judged only while the instance runs. */
export function verdictsOf(
	agreed: AgreedOrder,
	instance: Instance,
): ReadonlyMap<Field, DifferenceVerdict> {
	return new Map(fields.map(field => [field, comparers[field](agreed, instance)]));
}

/** A text that is not empty or a placeholder. */
function knownText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A number that can be a price or an amount. */
function amountOf(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function compareTexts(
	field: 'gpu' | 'pricing' | 'image' | 'label' | 'template',
	ordered: string | undefined,
	got: string | undefined,
	isSame = (one: string, other: string) => one === other,
): DifferenceVerdict {
	const wanted = ordered?.trim() ?? '';
	if (wanted === '') return 'same';
	if (got === undefined) return 'unsaid';
	return isSame(wanted, got) ? 'same' : {field, ordered: wanted, got};
}

/** Names of makers and product lines, which some services add. */
const brands = /(?<![a-z])(?:nvidia|geforce|tesla|amd|radeon|instinct)(?![a-z])/gi;

/** One name for `RTX_4090`, `NVIDIA GeForce RTX 4090` and `RTX 4090`. */
function plainGpu(name: string): string {
	return plainName(name.replaceAll(brands, '')) || plainName(name);
}

/** Tolerance for services that count whole GB. */
const ROUNDING_GB = 0.5;

/** Compares the disk. A size that was rounded up is no difference, unless the total costs more. */
function compareDisk(agreed: AgreedOrder, instance: Instance): DifferenceVerdict {
	const ordered = agreed.diskGb;
	// Every instance has a disk: zero means that the size is still unknown.
	const got = amountOf(instance.disk_space) || undefined;
	if (ordered === undefined) return 'same';
	if (got === undefined) return 'unsaid';
	const isLess = ordered - got > ROUNDING_GB;
	const isDearer =
		got - ordered > ROUNDING_GB && typeof comparePrice(agreed, instance) === 'object';
	return isLess || isDearer ? {field: 'disk', ordered, got} : 'same';
}

/**
 * Compares the price. Only a higher one differs: no renter should lose an instance for costing
 * less.
 */
function comparePrice({perHour: ordered}: AgreedOrder, instance: Instance): DifferenceVerdict {
	const got = priceByRecord(instance, ordered);
	if (ordered === undefined) return 'same';
	if (got === undefined) return 'unsaid';
	const digits = digitsOf(Math.max(ordered, got));
	const [before, after] = [rounded(ordered, digits), rounded(got, digits)];
	// Two sums of the same parts may differ in hidden digits, and round differently.
	const isVisible = got - ordered >= 0.5 * 10 ** -digits;
	if (after <= before || !isVisible) return 'same';
	return {field: 'price', ordered: before, got: after, costs: rounded(after - before, digits)};
}

/** Tolerance for services that round rates to three decimals. */
const RATE_ROUNDING = 0.0005;

/**
 * Compares a rate. A higher one differs, even if the hour costs the same: disk and traffic are
 * charged by it.
 */
function compareRate(
	field: RateName,
	ordered: number | undefined,
	said: unknown,
): DifferenceVerdict {
	const got = amountOf(said);
	if (ordered === undefined) return 'same';
	if (got === undefined) return 'unsaid';
	return got - ordered > RATE_ROUNDING ? {field, ordered, got} : 'same';
}

/** Decimals that prices are shown with. */
export function digitsOf(sum: number): number {
	return sum < 10 ? 4 : 2;
}

function rounded(sum: number, digits: number): number {
	return Number(sum.toFixed(digits));
}

/**
 * Price of an hour with the disk, by a record. Services may leave the disk out of `dph_total`: then it
 * equals `dph_base`, and the disk is added, unless the total is just the agreed price. Without a total,
 * the known parts are a minimum.
 */
export function priceByRecord(instance: Instance, agreed?: number): number | undefined {
	const [base, total] = [amountOf(instance.dph_base), amountOf(instance.dph_total)];
	const disk = diskPerHour(instance);
	const parts = base === undefined ? undefined : base + (disk ?? 0);
	if (total === undefined) return finite(parts ?? disk);
	const isWhole = agreed !== undefined && isNear(total, agreed);
	const isWithoutDisk = base !== undefined && isNear(total, base) && !isWhole;
	return finite(isWithoutDisk ? parts : total);
}

function diskPerHour({storage_total_cost, storage_cost, disk_space}: Instance): number | undefined {
	const [whole, each, size] = [storage_total_cost, storage_cost, disk_space].map(amountOf);
	if (whole !== undefined) return whole;
	return each === undefined || size === undefined ? undefined : (each * size) / HOURS_PER_MONTH;
}

function finite(value: number | undefined): number | undefined {
	return amountOf(value);
}

function isNear(one: number, other: number): boolean {
	return Math.abs(one - other) < 0.5 * 10 ** -digitsOf(Math.max(one, other));
}

function comparePorts({ports: ordered}: AgreedOrder, instance: Instance): DifferenceVerdict {
	if (ordered === undefined || ordered.length === 0) return 'same';
	const {ports} = instance;
	if (instance.actual_status !== 'running' || !isRecord(ports)) return 'unsaid';
	const reached = new Set(
		Object.entries(ports)
			.filter(([, bindings]) => Array.isArray(bindings) && bindings.length > 0)
			.map(([name]) => (name.includes('/') ? name : `${name}/tcp`)),
	);
	const got = ordered.filter(port => reached.has(port));
	return got.length === ordered.length ? 'same' : {field: 'ports', ordered, got};
}

type ImageName = {
	/** Registry and repository; without the registry if it is the usual one. */
	readonly name: string;
	readonly tag: string | undefined;
	readonly digest: string | undefined;
};

/** Names of the registry that applies if an image names none. */
const usualRegistries = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);

/** True if two names can mean the same image: a missing tag or digest is no contradiction. */
export function isSameImage(one: string, other: string): boolean {
	const [first, second] = [readImage(one), readImage(other)];
	if (first === undefined || second === undefined) return true;
	if (first.name !== second.name) return false;
	const {digest} = first;
	// A tag may have moved since; a digest cannot.
	if (digest !== undefined && second.digest !== undefined) return digest === second.digest;
	return first.tag === undefined || second.tag === undefined || first.tag === second.tag;
}

/** Undefined for a text without a repository, such as the bare id of an image. */
function readImage(text: string): ImageName | undefined {
	const [named = '', digest] = text.trim().split('@', 2);
	if (named === '' || /^(?:sha256:)?[\da-f]{64}$/i.test(named)) return undefined;
	const at = named.indexOf(':', named.lastIndexOf('/') + 1);
	const tag = at < 0 ? '' : named.slice(at + 1);
	return {
		name: plainRepository(at < 0 ? named : named.slice(0, at)),
		// An image pinned by its digest does not imply the tag `latest`.
		tag: tag || (digest === undefined ? 'latest' : undefined),
		digest: digest?.toLowerCase(),
	};
}

/** A repository's name in lower case, which services do not always send. */
function plainRepository(text: string): string {
	const [first = '', ...rest] = text.toLowerCase().split('/');
	const path = usualRegistries.has(first) ? rest : [first, ...rest];
	return (path.length === 2 && path[0] === 'library' ? path.slice(1) : path).join('/');
}
