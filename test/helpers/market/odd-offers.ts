/** Offers and searches as nobody would make them, for comparing one way of searching with another. */
import * as fc from 'fast-check';
import {
	isFieldOf,
	operators,
	readVersion,
	type Condition,
	type FieldType,
	type Scalar,
} from '../../../source/contract/grammar/filter.ts';
import {searchableOffers, type OfferField} from '../../../source/contract/nouns/offer-search.ts';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {makeOffers} from './made-offers.ts';
import type {NewOffer} from '../../../source/market/database/schema.ts';
import {TEST_NOW} from './market.ts';

/** What an offer holds under a field of a search, as its reader sees it. */
export function valueOf(offer: Offer, field: string): Scalar {
	const {verification, hosting_type: hosting, driver_version: driver} = offer;
	if (field === 'verified') return verification == null ? null : verification === 'verified';
	if (field === 'datacenter') return hosting == null ? null : hosting === 1;
	if (field === 'driver_version') return readVersion(driver) ?? null;
	const value = offer[field] ?? null;
	if (Array.isArray(value)) return JSON.stringify(value);
	if (!isScalar(value)) throw new TypeError(`${field} is not a single value`);
	return value;
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['number', 'string', 'boolean'].includes(typeof value);
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
export const oddOffer: fc.Arbitrary<NewOffer> = fc
	.record({
		base: fc.constantFrom(...plain),
		odd: fc.record(
			{
				gpu_name: fc.constantFrom(...names),
				cpu_name: orNull(fc.constantFrom(...texts)),
				geolocation: orNull(fc.constantFrom(...places)),
				gpu_ids: orNull(fc.constantFrom('[0]', '[0,1]', '[1,7]', '[17]')),
				hostname: orNull(fc.constantFrom(...texts)),
				verification: orNull(fc.constantFrom('verified', 'Verified', 'unverified')),
				driver_version: orNull(fc.constantFrom(...versions)),
				hosting_type: orNull(fc.constantFrom(0, 1, 2)),
				dph_base_micros: micros,
				storage_cost_micros: micros,
				min_bid_micros: orNull(micros),
				avail_vol_ask_id: orNull(fc.nat(40_000_000)),
				avail_vol_micros: orNull(micros),
				avail_vol_size: orNull(fc.double({min: 1, max: 1e6, noNaN: true})),
				inet_up_cost_micros: orNull(micros),
				gpu_total_ram: orNull(fc.constantFrom(0, 24_564, 81_920)),
				dlperf: orNull(fc.oneof(fc.constant(0), fc.double({min: 1e-9, max: 1000, noNaN: true}))),
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

export const oddOffers = fc
	.array(oddOffer, {minLength: 1, maxLength: 25})
	.map(list => list.map((made, index) => ({...made, id: 100 + ((index * 7) % 25)})));

const literals: Readonly<Record<FieldType, fc.Arbitrary<Scalar>>> = {
	number: fc.oneof(fc.constantFrom(0, 1, 2, 0.5, -1), fc.double({noNaN: true})),
	boolean: fc.boolean(),
	text: fc.constantFrom(...texts),
	name: fc.constantFrom(...names),
	version: fc.constantFrom(...versions.map(version => readVersion(version) ?? null)),
	place: fc.constantFrom(...places),
	flag: fc.constantFrom(0, 1, 2),
	numbers: fc.constantFrom(0, 1, 7),
};

const fields = Object.keys(searchableOffers.fields).filter(name =>
	isFieldOf(searchableOffers.fields, name),
);
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
			fc.oneof(fc.nat(), fc.record({literal: orNull(literals[searchableOffers.fields[name]])})),
			{maxLength: 4},
		),
	}),
);

const disk = fc.oneof(
	fc.constantFrom(undefined, 0, 5, 8, 10.08),
	fc.double({min: 1e-9, max: 1e5, noNaN: true}),
);

export const oddSearch = fc.record({
	conditions: fc.array(condition, {maxLength: 3}),
	order: fc.array(fc.tuple(field, fc.constantFrom('asc', 'desc')), {maxLength: 3}),
	pricing: fc.constantFrom('on-demand', 'bid', 'reserved'),
	diskGb: disk,
	leastReliability: fc.constantFrom(undefined, undefined, 0.9),
});

type Wanted = typeof condition extends fc.Arbitrary<infer Value> ? Value : never;

/** A condition whose values are filled in from offers. */
export function conditionOf(
	{field: name, operator, wanted}: Wanted,
	served: readonly Offer[],
): Condition<OfferField> {
	const isList = searchableOffers.fields[name] === 'numbers';
	const values = wanted.map(want => {
		if (typeof want !== 'number') return want.literal;
		const chosen = served[want % served.length];
		if (isList) return chosen?.gpu_ids?.[0] ?? null;
		return chosen === undefined ? null : valueOf(chosen, name);
	});
	if (operator === 'in' || operator === 'notin') return {field: name, operator, value: values};
	// Lists are not ordered.
	const single = isList && operator !== 'neq' ? 'eq' : operator;
	return {field: name, operator: single, value: values[0] ?? null};
}
