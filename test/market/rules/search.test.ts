import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareRows, matches} from '../../../source/contract/filter-match.ts';
import {isFieldOf, operators, readVersion} from '../../../source/contract/filter.ts';
import type {Condition, FieldType, Scalar} from '../../../source/contract/filter.ts';
import {offerFields} from '../../../source/contract/offer-fields.ts';
import type {OfferField} from '../../../source/contract/offer-fields.ts';
import {anyOffers, conditionsOf} from '../../../source/contract/offer-search.ts';
import type {OfferSearch} from '../../../source/contract/offer-search.ts';
import type {Offer} from '../../../source/contract/offers.ts';
import {makeOffers} from '../../../source/market/seed/offers.ts';
import type {NewOffer} from '../../../source/market/store/schema.ts';
import {openTestOffers, TEST_NOW} from '../../helpers/market.ts';

/** What an offer holds under a field of a search, as its reader sees it. */
function valueOf(offer: Offer, field: string): Scalar {
	const {verification, hosting_type: hosting, driver_version: driver} = offer;
	if (field === 'verified') return verification == null ? null : verification === 'verified';
	if (field === 'datacenter') return hosting == null ? null : hosting === 1;
	if (field === 'driver_version') return readVersion(driver) ?? null;
	const value = offer[field] ?? null;
	return isScalar(value) ? value : expect.fail(`${field} is not a single value`);
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

/** The same search over offers that were served, without a database. */
function findInMemory(served: readonly Offer[], search: OfferSearch): readonly number[] {
	const conditions = conditionsOf(search);
	return served
		.filter(offer => matches(offerFields, conditions, offer, valueOf))
		.toSorted(compareRows(offerFields, [...search.order, ['id', 'asc']], valueOf))
		.map(({id}) => id);
}

const plain = makeOffers({seed: 3, count: 40, epoch: TEST_NOW});

const texts = [
	'',
	'a',
	'A',
	'Ä',
	'ä',
	'\u{1f600}',
	'\ufffd',
	'\ue000',
	'%',
	"'",
	'null',
	'verified',
];
const names = ['RTX 4090', 'rtx_4090', 'RTX-4090', 'GTX 1650 Max-Q', 'H100 SXM', 'ÄX 1'];
const places = ['US', 'us', ', US', 'Texas, US', 'texas, us', 'Sweden, SE', 'X,se ', 'Nowhere', ''];
const versions = ['535.183.01', '550.54.15', '570', 'none'];

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, {freq: 4});
const flag = fc.constantFrom(0 as const, 1 as const);
const micros = fc.oneof(fc.constantFrom(0, 1, 149_333, 333_333), fc.nat(40_000_000));

/** An offer with things missing, doubled and spelled in odd ways. */
const offer: fc.Arbitrary<NewOffer> = fc
	.record({
		base: fc.constantFrom(...plain),
		odd: fc.record(
			{
				gpu_name: fc.constantFrom(...names),
				cpu_name: orNull(fc.constantFrom(...texts)),
				geolocation: orNull(fc.constantFrom(...places)),
				verification: orNull(fc.constantFrom('verified', 'Verified', 'unverified')),
				driver_version: orNull(fc.constantFrom(...versions)),
				hosting_type: orNull(fc.constantFrom(0, 1, 2)),
				dph_base_micros: micros,
				storage_cost_micros: micros,
				min_bid_micros: orNull(micros),
				inet_up_cost_micros: orNull(micros),
				gpu_total_ram: orNull(fc.constantFrom(0, 24_564, 81_920)),
				dlperf: orNull(fc.double({min: 0, max: 1000, noNaN: true})),
				score: orNull(fc.constantFrom(1, 2, 2.5)),
				static_ip: orNull(flag),
				external: orNull(flag),
				expected_reliability: orNull(fc.constantFrom(0.5, 0.9, 1)),
				disk_space: orNull(fc.constantFrom(5, 8, 10.08, 100)),
				end_date: orNull(fc.constantFrom(TEST_NOW + 60, TEST_NOW + 1e6)),
			},
			{requiredKeys: []},
		),
	})
	.map(({base, odd}) => ({...base, ...odd}));

const offers = fc
	.array(offer, {minLength: 1, maxLength: 25})
	.map(list => list.map((made, index) => ({...made, id: 100 + ((index * 7) % 25)})));

const literals: Readonly<Record<FieldType, fc.Arbitrary<Scalar>>> = {
	number: fc.oneof(fc.constantFrom(0, 1, 2, 0.5, -1), fc.double({noNaN: true})),
	boolean: fc.boolean(),
	text: fc.constantFrom(...texts),
	name: fc.constantFrom(...names),
	version: fc.constantFrom(...versions.map(version => readVersion(version) ?? null)),
	place: fc.constantFrom(...places),
};

const fields = Object.keys(offerFields).filter(name => isFieldOf(offerFields, name));
const priced: readonly OfferField[] = ['dph_total', 'dlperf_per_dphtotal', 'flops_per_dphtotal'];
const field: fc.Arbitrary<OfferField> = fc.oneof(
	{weight: 5, arbitrary: fc.constantFrom(...fields)},
	{weight: 1, arbitrary: fc.constantFrom(...priced)},
);

/** Values to compare with: of some offer, by its place among them, or whatever comes to mind. */
const condition = field.chain(name =>
	fc.record({
		field: fc.constant(name),
		operator: fc.constantFrom(...operators),
		wanted: fc.array(
			fc.oneof(fc.nat(), fc.record({literal: orNull(literals[offerFields[name]])})),
			{maxLength: 4},
		),
	}),
);

const disk = fc.oneof(
	fc.constantFrom(undefined, 0, 5, 8, 10.08),
	fc.double({min: 0, max: 1e5, noNaN: true}),
);

const search = fc.record({
	conditions: fc.array(condition, {maxLength: 3}),
	order: fc.array(fc.tuple(field, fc.constantFrom('asc', 'desc')), {maxLength: 3}),
	pricing: fc.constantFrom('on-demand', 'bid', 'reserved'),
	diskGb: disk,
	leastReliability: fc.constantFrom(undefined, undefined, 0.9),
});

type Wanted = typeof condition extends fc.Arbitrary<infer Value> ? Value : never;

/** A condition whose values are filled in from offers. */
function conditionOf(
	{field: name, operator, wanted}: Wanted,
	served: readonly Offer[],
): Condition<OfferField> {
	const values = wanted.map(want => {
		if (typeof want !== 'number') return want.literal;
		const chosen = served[want % served.length];
		return chosen === undefined ? null : valueOf(chosen, name);
	});
	return operator === 'in' || operator === 'notin'
		? {field: name, operator, value: values}
		: {field: name, operator, value: values[0] ?? null};
}

test('a search in the database finds what it finds in memory, in the same order', async () => {
	const seen = {empty: 0, full: 0, some: 0};
	await fc.assert(
		fc.asyncProperty(offers, search, async (list, {conditions, ...rest}) => {
			await using market = await openTestOffers(list);
			const served = await market.all(rest);
			const filter = conditions.map(wanted => conditionOf(wanted, served));
			const wanted = {...anyOffers, ...rest, filter, limit: 1000};
			const found = (await market.find(wanted)).map(({id}) => id);
			expect(found).toEqual(findInMemory(served, wanted));
			const [none, all] = [found.length === 0, found.length === served.length];
			seen[none ? 'empty' : all ? 'full' : 'some']++;
		}),
		{numRuns: 300},
	);
	// Proof that it tried something.
	expect(seen.some).toBeGreaterThan(50);
});

/** Offers like any others but for these changes, numbered from 1. */
function changed(changes: ReadonlyArray<Partial<NewOffer>>): readonly NewOffer[] {
	const made = makeOffers({seed: 3, count: changes.length, epoch: TEST_NOW});
	return made.map((one, index) => ({...one, id: index + 1, ...changes[index]}));
}

test('offers that are not listed, or whose time is up, are hidden', async () => {
	await using market = await openTestOffers(
		changed([
			{listed: 0},
			{end_date: TEST_NOW},
			{end_date: TEST_NOW + 0.25},
			{end_date: null},
			{end_date: TEST_NOW - 1},
		]),
	);
	const found = await market.find({...anyOffers, order: []});
	expect(found).toMatchObject([
		{id: 3, duration: 0.25},
		{id: 4, duration: null},
	]);
});

test('a search by bid leaves out offers that take none', async () => {
	const list = changed([{min_bid_micros: 250_000}, {min_bid_micros: null}]);
	await using market = await openTestOffers(list);
	const found = await market.find({...anyOffers, pricing: 'bid'});
	expect(found).toMatchObject([{id: 1, is_bid: true, dph_base: 0.25}]);
	expect(await market.find(anyOffers)).toHaveLength(2);
});

test('a search returns as many offers as it asks for, or as one search may', async () => {
	await using market = await openTestOffers(plain);
	expect(await market.find({...anyOffers, limit: 3})).toHaveLength(3);
	expect(await market.find({...anyOffers, limit: 1e9}, 12)).toHaveLength(12);
});

test('offers that rank alike come by their number', async () => {
	const list = plain.map((made, index) => ({...made, score: index % 2, id: 90 - index}));
	await using market = await openTestOffers(list);
	for (const direction of ['asc', 'desc'] as const) {
		const found = await market.find({...anyOffers, order: [['score', direction]]});
		const ids = (score: number) => found.filter(made => made.score === score).map(({id}) => id);
		for (const score of [0, 1]) expect(ids(score)).toEqual(ids(score).toSorted((a, b) => a - b));
	}
});

test('two letters mean a country where places are compared, and nothing more elsewhere', async () => {
	const [text, place] = ['Texas, US', 'Sweden, SE'];
	const list = changed([
		{cpu_name: 'US', geolocation: place},
		{cpu_name: 'x', geolocation: text},
	]);
	await using market = await openTestOffers(list);
	const find = async (name: OfferField) => {
		const filter = [{field: name, operator: 'eq', value: 'us'}] as const;
		return (await market.find({...anyOffers, filter})).map(({id}) => id);
	};
	expect(await find('cpu_name')).toEqual([1]);
	expect(await find('geolocation')).toEqual([2]);
});
