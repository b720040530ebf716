/**
 * Searches whose words a service cannot test. The client tests them on the offers that it gets: prices
 * with the user's traffic, which no service knows, and comparisons that the service does not take.
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
import {expectsTraffic} from './job.ts';

/**
 * True if an offer meets all conditions. It must have been sent with the fields that they are
 * about.
 */
export function passes(filter: Filter<OfferField>, offer: Offer): boolean {
	return matches(searchableOffers, filter, offer, valueOf);
}

/**
 * True if a field can be tested locally: only the service knows what "rented" and "external" mean.
 */
export function isTestable(field: OfferField): boolean {
	return field !== 'rented' && field !== 'external';
}

/** Fields that the service works out from another one of the offer. */
const derived = {
	verified: 'verification',
	datacenter: 'hosting_type',
	ask_contract_id: 'id',
} as const satisfies Partial<Record<OfferField, OfferField>>;

/** The field that an offer must come with for a test of this one. */
export function sourceOf(field: OfferField): OfferField {
	return isDerived(field) ? derived[field] : field;
}

function isDerived(field: string): field is keyof typeof derived {
	return Object.hasOwn(derived, field);
}

function valueOf(offer: Offer, field: string): Scalar | undefined {
	if (field === 'verified') return valueNamed(offer, 'verification') === 'verified';
	const value = valueNamed(offer, isDerived(field) ? derived[field] : field);
	if (field === 'datacenter') return typeof value === 'number' ? value === 1 : null;
	return field === 'driver_version' ? readVersion(value) : value;
}

function valueNamed(offer: Offer, field: string): Scalar | undefined {
	const value: unknown = isFieldOf(searchableOffers.fields, field) ? offer[field] : undefined;
	return isScalar(value) ? value : undefined;
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

type OfferCondition = Condition<OfferField>;

/** A search in two parts: what the service is asked for, and what is tested here on its answer. */
type Split = {readonly asked: OfferSearch; readonly here: Filter<OfferField>};

/** Offers that passed, and how the answer came about. */
export type Found = FoundOffers & {
	/** Undefined for a result of an earlier run. */
	readonly split: Split | undefined;
};

const NONE: ReadonlySet<Operator> = new Set();
/** Comparisons that every service takes. */
const certain: ReadonlySet<Operator> = new Set(['eq', 'gte']);

/** True if the result of a search depends on the job, beyond its disk. */
export function dependsOnTraffic({filter}: OfferSearch, job: Job): boolean {
	return expectsTraffic(job) && filter.some(isAboutPrice);
}

/** The price with everything. The service's own field of that name is without traffic. */
function isAboutPrice({field}: OfferCondition): boolean {
	return field === 'dph_total';
}

/** True for an upper limit: a price that exceeds it without traffic also does with traffic. */
function holdsWithoutTraffic({operator}: OfferCondition): boolean {
	return operator === 'lt' || operator === 'lte';
}

/** Parts a search for a service that does not take some comparisons. */
export function splitSearch(search: OfferSearch, job: Job, refused = NONE): Split {
	const isPriced = (condition: OfferCondition) => expectsTraffic(job) && isAboutPrice(condition);
	const isRefused = (condition: OfferCondition) =>
		refused.has(condition.operator) && isDoubtful(condition);
	const here = search.filter.filter(condition => isPriced(condition) || isRefused(condition));
	if (here.length === 0) return {asked: search, here};
	const filter = search.filter.filter(
		condition => !isRefused(condition) && (!isPriced(condition) || holdsWithoutTraffic(condition)),
	);
	const needed = [...here.map(({field}) => sourceOf(field)), ...costFields];
	const {columns} = search;
	return {
		here,
		asked: {
			...search,
			filter,
			columns: columns === undefined ? undefined : [...new Set([...columns, ...needed])],
		},
	};
}

/** True if an offer meets conditions, with the user's traffic in its price. */
export function meets(filter: Filter<OfferField>, offer: Offer, job: Job): boolean {
	return passes(filter, filter.some(isAboutPrice) ? priced(offer, job) : offer);
}

/** An offer with its price including traffic, for tests. */
export function priced(offer: Offer, job: Job): Offer {
	return expectsTraffic(job) ? {...offer, dph_total: costOf(offer, job).allIn} : offer;
}

/** The comparisons that each service refused. */
const refusals = new WeakMap<Client, ReadonlySet<Operator>>();

type Asking = {readonly job: Job; readonly signal?: AbortSignal | undefined};

/** Searches. A comparison that a service may not take is tried once; after a refusal, it is tested here. */
export async function searchOffers(
	client: Client,
	search: OfferSearch,
	{job, signal}: Asking,
): Promise<Found> {
	const known = refusals.get(client) ?? NONE;
	const split = splitSearch(search, job, known);
	try {
		return await answer(client, split, {job, signal});
	} catch (error) {
		const doubtful = split.asked.filter.filter(isDoubtful).map(({operator}) => operator);
		if (doubtful.length === 0 || !isRefusal(error)) throw error;
		const refused = new Set([...known, ...doubtful]);
		const found = await answer(client, splitSearch(search, job, refused), {job, signal});
		refusals.set(client, refused);
		return found;
	}
}

function isDoubtful({operator, field}: OfferCondition): boolean {
	// A search by numbers asks for no other offers to test.
	return !certain.has(operator) && isTestable(field) && field !== 'id';
}

async function answer(client: Client, split: Split, {job, signal}: Asking): Promise<Found> {
	const {asked, here} = split;
	const {offers: sent, unreadable} = await client.offers.search(asked, {signal});
	const offers = here.length === 0 ? sent : sent.filter(offer => meets(here, offer, job));
	return {offers, unreadable, split};
}

/** True if a service said that it cannot understand the search. */
function isRefusal(error: unknown): boolean {
	return refusing.has(statusOf(error));
}

const refusing: ReadonlySet<unknown> = new Set([400, 422]);
