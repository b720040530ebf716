import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {matches} from '../../../source/contract/grammar/filter-match.ts';
import {compareRows} from '../../helpers/market/compare-rows.ts';
import {
	isFieldOf,
	operators,
	readVersion,
	type Condition,
	type FieldType,
	type Scalar,
} from '../../../source/contract/grammar/filter.ts';
import {
	anyInstances,
	searchableInstances,
	printInstanceQuery,
	type InstanceField,
} from '../../../source/contract/nouns/instances.ts';
import {contract} from '../../../source/contract/index.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {openInstanceLists, type InstanceLists} from '../../helpers/fleet/instance-lists.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {onPostgres, slowness} from '../../helpers/market/postgres.ts';
import {least, runs} from '../../helpers/property.ts';

/** What an instance holds under a field, as its reader sees it. */
function valueOf(record: Instance, field: string): Scalar {
	if (field === 'driver_version') return readVersion(record.driver_version) ?? null;
	const value = record[field] ?? null;
	return isScalar(value) ? value : expect.fail(`${field} is not a single value`);
}

function isScalar(value: unknown): value is Scalar {
	return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}

const texts = ['', 'a', 'A', 'Ä', '\u{1F600}', '\uE000', '%', "'", 'running', 'rtx_4090'];
const places = ['US', 'Texas, US', 'texas, us', 'Sweden, SE', 'Nowhere'];
const versions = ['535.183.01', '550.54.15', 'none'];

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, {freq: 3});
const text = fc.constantFrom(...texts);
const flag = fc.constantFrom(0 as const, 1 as const);
const micros = fc.oneof(fc.constantFrom(0, 149_333, 333_333), fc.nat(40_000_000));
const moment = fc.integer({min: TEST_NOW - 1000, max: TEST_NOW});

const offers = fc.array(
	fc.record(
		{
			gpu_name: fc.constantFrom('RTX 4090', 'rtx_4090', 'H100 SXM'),
			num_gpus: fc.constantFrom(1, 2, 8),
			geolocation: orNull(fc.constantFrom(...places)),
			verification: orNull(fc.constantFrom('verified', 'Verified', 'unverified')),
			driver_version: orNull(fc.constantFrom(...versions)),
			min_bid_micros: orNull(micros),
			gpu_total_ram: orNull(fc.constantFrom(0, 24_564)),
			dlperf: orNull(fc.double({min: 0, max: 1000, noNaN: true})),
			static_ip: orNull(flag),
			score: orNull(fc.constantFrom(1, 2.5)),
		},
		{requiredKeys: []},
	),
	{minLength: 3, maxLength: 3},
);

const instances = fc.array(
	fc.record({
		ask_id: fc.constantFrom(1, 2, 3),
		label: orNull(text),
		actual: orNull(fc.constantFrom('running', 'exited', 'loading')),
		current: fc.constantFrom('running', 'stopped'),
		message: orNull(text),
		template_id: orNull(fc.nat(3)),
		image: text,
		created_at: moment,
		end_date: fc.integer({min: TEST_NOW + 60, max: TEST_NOW + 1000}),
		running_since: orNull(moment),
		disk_gb: fc.constantFrom(8, 10.08, 33),
		gpu_micros: micros,
		storage_micros: micros,
		up_micros: micros,
		is_bid: flag,
	}),
	{minLength: 1, maxLength: 20},
);

const literals: Readonly<Record<FieldType, fc.Arbitrary<Scalar>>> = {
	number: fc.oneof(fc.constantFrom(0, 1, 2, -1), fc.double({noNaN: true, noDefaultInfinity: true})),
	boolean: fc.boolean(),
	text,
	name: text,
	version: fc.constantFrom(...versions.map(version => readVersion(version) ?? null)),
	place: fc.constantFrom(...places),
	flag: fc.nat(1),
	numbers: fc.nat(7),
};

const fields = Object.keys(searchableInstances.fields).filter(name =>
	isFieldOf(searchableInstances.fields, name),
);
const orderFields = Object.keys(searchableInstances.orderFields).filter(name =>
	isFieldOf(searchableInstances.orderFields, name),
);

/** Fields that differ among the instances made here, null among their values. */
const varied = [
	'label',
	'actual_status',
	'template_id',
	'start_date',
	'end_date',
	'disk_space',
	'is_bid',
	'geolocation',
	'driver_version',
	'static_ip',
] as const;
const computed = [
	'duration',
	'min_bid',
	'uptime_mins',
	'dph_total',
	'vram_costperhour',
	'dlperf_per_dphtotal',
] as const;
const orderField = fc.oneof(
	fc.constantFrom(...varied, ...computed),
	fc.constantFrom(...orderFields),
);

const filterField = fc.oneof(fc.constantFrom(...varied), fc.constantFrom(...fields));

/** Values to compare with: of some instance, by its place among them, or whatever comes to mind. */
const condition = filterField.chain(field =>
	fc.record({
		field: fc.constant(field),
		operator: fc.constantFrom(...operators),
		wanted: fc.array(
			fc.oneof(fc.nat(), fc.record({literal: orNull(literals[searchableInstances.fields[field]])})),
			{maxLength: 4},
		),
	}),
);

type Wanted = typeof condition extends fc.Arbitrary<infer Value> ? Value : never;

const query = fc.record({
	conditions: fc.array(condition, {maxLength: 1}),
	order: fc.array(fc.tuple(orderField, fc.constantFrom('asc', 'desc')), {maxLength: 3}),
	limit: fc.integer({min: 1, max: 6}),
});

/** A condition whose values are filled in from instances. */
function conditionOf(
	{field, operator, wanted}: Wanted,
	all: readonly Instance[],
): Condition<InstanceField> {
	const values = wanted.map(want => {
		if (typeof want !== 'number') return want.literal;
		const chosen = all[want % all.length];
		return chosen === undefined ? null : valueOf(chosen, field);
	});
	return operator === 'in' || operator === 'notin'
		? {field, operator, value: values}
		: {field, operator, value: values[0] ?? null};
}

const schema = contract.instances.page.replies[200];

/** The instances on all pages of a query, one page after the other. */
async function readPages(lists: InstanceLists, wanted: Readonly<Record<string, string>>) {
	const pages: Array<readonly Instance[]> = [];
	let after: Readonly<Record<string, string>> = {};
	for (;;) {
		const {body} = await lists.page({...wanted, ...after});
		const {instances: found, next_token: token, total_instances: total} = schema.parse(body);
		pages.push(found);
		if (token === null || token === undefined) return {pages, total};
		if (pages.length > 30) expect.fail('the pages do not end');
		after = {after_token: token};
	}
}

test('pages in any order give every instance that fits once, as sorting them all does', async () => {
	const seen = {pages: 0, some: 0};
	await fc.assert(
		fc.asyncProperty(
			offers,
			instances,
			fc.array(query, {minLength: 1, maxLength: 8}),
			async (offerChanges, rows, queries) => {
				await using lists = await openInstanceLists(offerChanges);
				for (const row of rows) await lists.add(row);
				await lists.add({account_id: lists.other});
				// What began within the present minute looks alike, and is in order all the same.
				lists.clock.pass(60);
				const {body} = await lists.read('/api/v0/instances/');
				const all = contract.instances.list.replies[200].parse(body).instances;
				for (const {conditions, order, limit} of queries) {
					const filter = conditions.map(asked => conditionOf(asked, all));
					const expected = all
						.filter(record => matches(searchableInstances, filter, record, valueOf))
						.toSorted(compareRows(searchableInstances, [...order, ['id', 'asc']], valueOf));
					const wanted = {...anyInstances, filter, order, limit};
					const {pages, total} = await readPages(lists, printInstanceQuery(wanted));
					expect(pages.flat().map(({id}) => id)).toEqual(expected.map(({id}) => id));
					expect(pages.slice(0, -1).every(page => page.length === limit)).toBe(true);
					expect(total).toBe(expected.length);
					seen.pages += pages.length;
					if (expected.length > 0 && expected.length < all.length) seen.some++;
				}
			},
		),
		{numRuns: runs(40 / slowness)},
	);
	// Proof that it tried something.
	expect(seen.pages).toBeGreaterThanOrEqual(least(onPostgres ? 0 : 50));
	expect(seen.some).toBeGreaterThanOrEqual(least(1));
});
