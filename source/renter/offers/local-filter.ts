/**
 * Searches with words that a service cannot test. The client tests them on the offers that it gets:
 * prices with the user's traffic, which no service knows, and comparisons that the service does not
 * accept.
 */
import {matches} from '../../contract/grammar/filter-match.ts';
import {
	isFieldOf,
	readVersion,
	type Filter,
	type Scalar,
	type Condition,
	type Operator,
} from '../../contract/grammar/filter.ts';
import {
	searchableOffers,
	type OfferField,
	type OfferSearch,
} from '../../contract/nouns/offer-search.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import {statusOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {FoundOffers} from '../../client/nouns/offers.ts';
import {costFields, costOf, type Job} from '../../contract/nouns/offer-cost.ts';
import {PER_GPU} from '../words/tests.ts';
import {expectsTraffic} from './job.ts';
import type {SearchField, WordSearch} from './words/fields.ts';

const tested = {fields: {...searchableOffers.fields, [PER_GPU]: 'number'}} as const;

/** True if an offer meets all conditions. The offer must have come with the tested fields. */
export function passes(filter: Filter<SearchField>, offer: Offer): boolean {
	return matches(tested, filter, offer, valueOf);
}

/** Fields without which an offer is something else than requested. */
const essential: readonly SearchField[] = [
	'id',
	'machine_id',
	'gpu_name',
	'num_gpus',
	'dph_base',
	'dph_total',
	PER_GPU,
];

/** True unless an offer itself says that it is something else than requested. */
export function isAskedFor(filter: Filter<SearchField>, offer: Offer): boolean {
	const present = essential.filter(field => (valueOf(offer, field) ?? undefined) !== undefined);
	return passes(
		filter.filter(({field}) => present.some(known => known === field)),
		offer,
	);
}

/**
 * True if a field can be tested locally: only the service knows what "rented" and "external" mean.
 */
export function isTestable(field: SearchField): boolean {
	return field !== 'rented' && field !== 'external';
}

/** Fields that the service derives from another one of the offer. */
const derived = {
	verified: 'verification',
	datacenter: 'hosting_type',
	ask_contract_id: 'id',
} as const satisfies Partial<Record<OfferField, OfferField>>;

/** Fields that an offer needs for a local test of this one. */
export function sourcesOf(field: SearchField): readonly OfferField[] {
	if (field === PER_GPU) return ['dph_base', 'num_gpus'];
	return [isDerived(field) ? derived[field] : field];
}

function isDerived(field: string): field is keyof typeof derived {
	return Object.hasOwn(derived, field);
}

function valueOf(offer: Offer, field: string): Scalar | undefined {
	if (field === PER_GPU) return pricePerGpu(offer);
	if (field === 'verified') return valueNamed(offer, 'verification') === 'verified';
	const value = valueNamed(offer, isDerived(field) ? derived[field] : field);
	if (field === 'datacenter') return typeof value === 'number' ? value === 1 : null;
	return field === 'driver_version' ? readVersion(value) : value;
}

function pricePerGpu({dph_base: price, num_gpus: gpus}: Offer): number | undefined {
	return typeof price === 'number' && gpus ? price / gpus : undefined;
}

function valueNamed(offer: Offer, field: string): Scalar | undefined {
	const value: unknown = isFieldOf(searchableOffers.fields, field) ? offer[field] : undefined;
	return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

type SearchCondition = Condition<SearchField>;

/** A search in two parts: the request to the service, and the local tests of its reply. */
type Split = {readonly asked: OfferSearch; readonly here: Filter<SearchField>};

/** Offers that passed, and the origin of the reply. */
export type OfferSearchResult = FoundOffers & {
	/** Undefined for a result of an earlier run. */
	readonly split: Split | undefined;
};

const NONE: ReadonlySet<Operator> = new Set();
/** Comparisons that every service accepts. */
const certain: ReadonlySet<Operator> = new Set(['eq', 'gte']);

/** True if the result of a search depends on the job, beyond its disk. */
export function dependsOnTraffic({filter}: WordSearch, job: Job): boolean {
	return expectsTraffic(job) && filter.some(isAboutPrice);
}

/** True for the price with traffic, which the service's own field of that name leaves out. */
function isAboutPrice({field}: SearchCondition): boolean {
	return field === 'dph_total';
}

/**
 * True for an upper limit: a price that exceeds it without traffic also exceeds it with traffic.
 */
function holdsWithoutTraffic({operator}: SearchCondition): boolean {
	return operator === 'lt' || operator === 'lte';
}

/** Splits a search for a service that does not accept some comparisons. */
export function splitSearch(search: WordSearch, job: Job, refused = NONE): Split {
	const isPriced = (condition: SearchCondition) => expectsTraffic(job) && isAboutPrice(condition);
	const isRefused = (condition: SearchCondition) =>
		refused.has(condition.operator) && isDoubtful(condition);
	const here = search.filter.filter(
		condition => isPriced(condition) || isRefused(condition) || !isOfWire(condition),
	);
	const sent = search.filter.filter(isOfWire);
	if (here.length === 0) return {asked: {...search, filter: sent}, here};
	const filter = sent.filter(
		condition => !isRefused(condition) && (!isPriced(condition) || holdsWithoutTraffic(condition)),
	);
	const needed = [...here.flatMap(({field}) => sourcesOf(field)), ...costFields];
	const {columns, limit} = search;
	return {
		here,
		asked: {
			...search,
			filter,
			// The first offers in the service's order may all fail the local tests.
			limit: Math.max(limit, LEAST_LIMIT),
			columns: columns === undefined ? undefined : [...new Set([...columns, ...needed])],
		},
	};
}

function isOfWire(condition: SearchCondition): condition is Condition<OfferField> {
	return condition.field !== PER_GPU;
}

/** Least number of offers to request if some are filtered out here. */
const LEAST_LIMIT = 2000;

/** True if an offer meets conditions, with the user's traffic in its price. */
export function meetsFilter(filter: Filter<SearchField>, offer: Offer, job: Job): boolean {
	return passes(filter, filter.some(isAboutPrice) ? priced(offer, job) : offer);
}

/** An offer with its price including traffic, for tests. */
export function priced(offer: Offer, job: Job): Offer {
	return expectsTraffic(job) ? {...offer, dph_total: costOf(offer, job).allIn} : offer;
}

/** The comparisons that each service refused. */
const refusals = new WeakMap<Client, ReadonlySet<Operator>>();

type Asking = {readonly job: Job; readonly signal?: AbortSignal | undefined};

/**
 * Searches. A comparison that a service may not accept is tried once; after a refusal, it is tested
 * here.
 */
export async function searchOffers(
	client: Client,
	search: WordSearch,
	{job, signal}: Asking,
): Promise<OfferSearchResult> {
	const known = refusals.get(client) ?? NONE;
	const split = splitSearch(search, job, known);
	try {
		return await answer(client, split, {job, signal, most: search.limit});
	} catch (error) {
		const doubtful = split.asked.filter.filter(isDoubtful).map(({operator}) => operator);
		if (doubtful.length === 0 || !isRefusal(error)) throw error;
		const refused = new Set([...known, ...doubtful]);
		const again = splitSearch(search, job, refused);
		const found = await answer(client, again, {job, signal, most: search.limit});
		refusals.set(client, refused);
		return found;
	}
}

function isDoubtful({operator, field}: SearchCondition): boolean {
	// A search by ids needs no other offers.
	return !certain.has(operator) && isTestable(field) && field !== 'id';
}

async function answer(
	client: Client,
	split: Split,
	{job, signal, most}: Asking & {readonly most: number},
): Promise<OfferSearchResult> {
	const {asked, here} = split;
	const {offers: sent, unreadable} = await client.offers.search(asked, {signal});
	if (here.length === 0) return {offers: sent, unreadable, split};
	const offers = sent.filter(offer => meetsFilter(here, offer, job)).slice(0, most);
	return {offers, unreadable, split};
}

/** True if a service said that it cannot understand the search. */
function isRefusal(error: unknown): boolean {
	return refusing.has(statusOf(error));
}

const refusing: ReadonlySet<unknown> = new Set([400, 422]);
