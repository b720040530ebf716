import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import * as z from 'zod/mini';
import {FilterError, operators} from '../../../source/contract/grammar/filter.ts';
import {
	searchableOffers,
	anyOffers,
	conditionsOf,
	parseOfferSearch,
} from '../../../source/contract/nouns/offer-search.ts';
import * as offers from '../../../source/contract/nouns/offers.ts';
import {least, runs} from '../../helpers/property.ts';

test('nothing asked for is any offers, best first', () => {
	expect(parseOfferSearch({})).toEqual(anyOffers);
	expect(parseOfferSearch({order: null, limit: null, type: null, allocated_storage: null})).toEqual(
		anyOffers,
	);
});

test('the body that the documented client sends is read', () => {
	const search = parseOfferSearch({
		verified: {eq: true},
		external: {eq: false},
		rentable: {eq: true},
		num_gpus: {eq: '1'},
		gpu_name: {eq: 'RTX 4090'},
		reliability2: {gt: '0.98'},
		gpu_ram: {gte: 24_000},
		order: [['score', 'desc']],
		type: 'bid',
		limit: '10',
		allocated_storage: '32.0',
		select_cols: ['id', 'dph_total'],
	});
	expect(search).toEqual({
		filter: [
			{field: 'verified', operator: 'eq', value: true},
			{field: 'external', operator: 'eq', value: false},
			{field: 'rentable', operator: 'eq', value: true},
			{field: 'num_gpus', operator: 'eq', value: 1},
			{field: 'gpu_name', operator: 'eq', value: 'RTX 4090'},
			{field: 'reliability', operator: 'gt', value: 0.98},
			{field: 'gpu_ram', operator: 'gte', value: 24_000},
		],
		order: [['score', 'desc']],
		limit: 10,
		pricing: 'bid',
		diskGb: 32,
		leastReliability: undefined,
		columns: ['id', 'dph_total'],
	});
});

test.each<readonly [alias: string, given: number | string, field: string, value: unknown]>([
	['reliability2', '0.9', 'reliability', 0.9],
	['ubuntu_version', '22.04', 'os_version', '22.04'],
	['dphtotal', 0.5, 'dph_total', 0.5],
	['gpu_totalram', 48_000, 'gpu_total_ram', 48_000],
	['gpu_ram_GB', '24', 'gpu_ram', 24_000],
	['gpu_total_ram_GB', 48, 'gpu_total_ram', 48_000],
	['gpu_totalram_GB', 48, 'gpu_total_ram', 48_000],
	['cpu_ram_GB', 64.5, 'cpu_ram', 64_500],
	['cuda_vers', '12.4', 'cuda_max_good', 12.4],
	['compute_capability', 890, 'compute_cap', 890],
	['dph', '0.5', 'dph_total', 0.5],
	['dlperf_usd', 100, 'dlperf_per_dphtotal', 100],
	['flops_usd', 100, 'flops_per_dphtotal', 100],
	['target_reliability', '0.9', 'expected_reliability', 0.9],
	['allocated_storage', 20, 'disk_space', 20],
])('%s %j is %s %j', (alias, given, field, value) => {
	const {filter, order} = parseOfferSearch({[alias]: {gte: given}, order: [[alias, 'asc']]});
	expect(filter).toEqual([{field, operator: 'gte', value}]);
	expect(order).toEqual([[field, 'asc']]);
});

test.each([
	['on-demand', 'on-demand'],
	['ondemand', 'on-demand'],
	['bid', 'bid'],
	['interruptible', 'bid'],
	['reserved', 'reserved'],
])('the type %s means %s', (type, pricing) => {
	expect(parseOfferSearch({type}).pricing).toBe(pricing);
});

test('keys that mean nothing to a search are passed over, whatever they hold', () => {
	const body = {client_id: 'me', extra_ids: [1], owner: {a: 1}, show_incompatible: null};
	expect(parseOfferSearch(body)).toEqual(anyOffers);
	expect(parseOfferSearch({external: false, has_avx: 1}).filter).toEqual([
		{field: 'external', operator: 'eq', value: false},
		{field: 'has_avx', operator: 'eq', value: 1},
	]);
});

test('an order without a known direction ascends', () => {
	const order = [['dph_total'], ['score', 'sideways'], ['id', 'desc']];
	expect(parseOfferSearch({order}).order).toEqual([
		['dph_total', 'asc'],
		['score', 'asc'],
		['id', 'desc'],
	]);
});

test('all columns are the same as none in particular', () => {
	expect(parseOfferSearch({select_cols: ['id', '*']}).columns).toBeUndefined();
});

test.each<readonly [body: Readonly<Record<string, unknown>>, message: string]>([
	[{order: 'score'}, 'order takes a list of [field, direction]'],
	[{order: ['score']}, 'Error in query parameters: order: nothing is not a valid search key'],
	[
		{order: [['toString', 'asc']]},
		'Error in query parameters: order: "toString" is not a valid search key',
	],
	[{limit: 0}, 'Error in query parameters: limit takes a whole number of at least 1'],
	[{limit: 1.5}, 'Error in query parameters: limit takes a whole number of at least 1'],
	[{limit: 'all'}, 'Error in query parameters: limit takes a whole number of at least 1'],
	[{type: 'spot'}, 'type is one of on-demand, ondemand, bid, interruptible, reserved'],
	[{allocated_storage: -1}, 'allocated_storage takes a number of at least 0'],
	[{target_reliability: 'high'}, 'target_reliability takes a number of at least 0'],
	[{select_cols: 'id'}, 'select_cols takes a list of names'],
	[{select_cols: [1]}, 'select_cols takes a list of names'],
])('%j is refused by name', (body, message) => {
	expect(() => parseOfferSearch(body)).toThrow(message);
	expect(offers.search.body.safeParse(body).error?.issues).toMatchObject([{message}]);
});

test('a disk and a reliability that are wanted are conditions too', () => {
	const search = parseOfferSearch({num_gpus: 2, allocated_storage: 50, target_reliability: 0.9});
	expect(conditionsOf(search)).toEqual([
		{field: 'num_gpus', operator: 'eq', value: 2},
		{field: 'disk_space', operator: 'gte', value: 50},
		{field: 'expected_reliability', operator: 'gte', value: 0.9},
	]);
});

const names = [
	...Object.keys(searchableOffers.fields),
	...Object.keys(searchableOffers.aliases ?? {}),
];
const record = z.record(z.string(), z.unknown());
const amount = fc.double({min: 0, noNaN: true, noDefaultInfinity: true});
const numbers = Object.entries(searchableOffers.fields)
	.filter(([, type]) => type === 'number')
	.map(([field]) => field);

const body = fc.record(
	{
		order: fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom('asc', 'desc', 'up'))),
		limit: fc.oneof(fc.integer({min: 1}), fc.integer({min: 1}).map(String)),
		type: fc.constantFrom('on-demand', 'ondemand', 'bid', 'interruptible', 'reserved'),
		allocated_storage: amount,
		target_reliability: amount,
		select_cols: fc.array(fc.string()),
		verified: fc.record({eq: fc.constantFrom(true, 'false', null)}),
		gpu_name: fc.record({in: fc.array(fc.string())}),
		number: fc.tuple(fc.constantFrom(...numbers), fc.constantFrom('lt', 'gte', 'neq'), amount),
	},
	{requiredKeys: []},
);

test('a search that is written and read again is the same', () => {
	fc.assert(
		fc.property(body, ({number, ...rest}) => {
			const filter = number && {[number[0]]: {[number[1]]: number[2]}};
			const search = parseOfferSearch({...rest, ...filter});
			const sent: unknown = JSON.parse(JSON.stringify(z.encode(offers.search.body, search)));
			expect(z.decode(offers.search.body, z.parse(record, sent))).toEqual(search);
		}),
		{numRuns: runs(300)},
	);
});

test('whatever is sent is read as a search, or refused as one', () => {
	const keys = [...names, 'order', 'limit', 'type', 'allocated_storage', 'select_cols', 'owner'];
	const key = fc.oneof(fc.constantFrom(...keys), fc.string());
	const tests = fc.dictionary(fc.constantFrom(...operators, 'like'), fc.jsonValue());
	let read = 0;
	fc.assert(
		fc.property(fc.dictionary(key, fc.oneof(fc.jsonValue(), tests), {maxKeys: 3}), sent => {
			try {
				parseOfferSearch(sent);
				read++;
			} catch (error) {
				if (!(error instanceof FilterError)) throw error;
			}
		}),
		{numRuns: runs(500)},
	);
	expect(read).toBeGreaterThanOrEqual(least(20));
});
