import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {
	get,
	openUsedMarket,
	roundDollars,
	TODAY,
	UNTIL_MIDNIGHT,
	week,
} from '../../helpers/market/billing.ts';
import {refusal, TEST_NOW, wholeReply} from '../../helpers/market/market.ts';

const DAY = 86_400;
const {charges} = contract.billing;

test('charges tell what each instance and volume cost on each day', async () => {
	await using market = await openUsedMarket();
	const reply = await get(market, 'v0/charges/', {
		select_filters: {day: week},
		latest_first: false,
		limit: 20,
		format: 'tree',
	});
	const hours = UNTIL_MIDNIGHT / 3600;
	expect(reply).toMatchObject({
		status: 200,
		body: {success: true, count: 4, total: 4, next_token: null},
	});
	const {results = []} = wholeReply(charges, reply.body);
	expect(results.map(({source, amount, start, end}) => [source, amount, start, end])).toEqual([
		['instance-1', roundDollars(2 * hours), TEST_NOW, TEST_NOW + UNTIL_MIDNIGHT],
		['volume-1', roundDollars(0.1 * hours), TEST_NOW, TEST_NOW + UNTIL_MIDNIGHT],
		['instance-1', 2, TEST_NOW + UNTIL_MIDNIGHT, TEST_NOW + UNTIL_MIDNIGHT + 3600],
		['volume-1', 0.1, TEST_NOW + UNTIL_MIDNIGHT, TEST_NOW + UNTIL_MIDNIGHT + 3600],
	]);
	const span = {start: TEST_NOW + UNTIL_MIDNIGHT, end: TEST_NOW + UNTIL_MIDNIGHT + 3600};
	const item = {...span, source: null, items: []};
	expect(results[2]).toEqual({
		...span,
		type: 'instance',
		source: 'instance-1',
		description: 'Instance 1 (trainer)',
		amount: 2,
		metadata: {
			instance_id: 1,
			label: 'trainer',
			name: 'trainer',
			day: '2026-11-19',
			gpu_name: 'RTX A5000',
		},
		items: [
			{
				...item,
				type: 'gpu',
				description: 'computing, $1 an hour',
				quantity: 1,
				rate: 1,
				amount: 1,
				metadata: {unit: 'hour'},
			},
			{
				...item,
				type: 'disk',
				description: 'disk, $1 per GB and month',
				quantity: 1,
				rate: 1,
				amount: 1,
				metadata: {unit: 'GB month'},
			},
		],
	});
	expect(results[3]).toMatchObject({type: 'volume', description: 'Volume 1 (data)'});
});

test.each([
	[{in: ['instance']}, ['instance-1', 'instance-1']],
	[{in: ['v']}, ['volume-1', 'volume-1']],
	[{eq: 'volume'}, ['volume-1', 'volume-1']],
	[{in: ['serverless']}, []],
	[{in: []}, []],
	[null, ['instance-1', 'volume-1', 'instance-1', 'volume-1']],
])('charges of the type %j alone can be asked for', async (type, sources) => {
	await using market = await openUsedMarket();
	const {body} = await get(market, 'v0/charges/', {select_filters: {day: week, type}});
	expect(wholeReply(charges, body).results?.map(({source}) => source)).toEqual(sources);
	expect(body).toMatchObject({count: sources.length, total: sources.length});
});

test.each([
	['seconds', {gte: TODAY * DAY, lte: TODAY * DAY}, 2],
	['a moment of the day', {gte: TEST_NOW + 100, lte: TEST_NOW + 100}, 2],
	['days', {gte: TODAY, lte: TODAY}, 2],
	['text', {gte: String(TODAY), lte: String(TODAY + 1)}, 4],
	['one bound', {gte: TEST_NOW + DAY}, 2],
	['the past', {gte: 0, lte: TODAY - 1}, 0],
	['far bounds', {gte: -1e300, lte: 1e300}, 4],
])('days are given as %s', async (_, day, count) => {
	await using market = await openUsedMarket();
	const {body} = await get(market, 'v0/charges/', {select_filters: {day}});
	expect(body).toMatchObject({success: true, count});
});

test.each(['v0/charges/', 'v1/invoices/'])('%s comes page by page, both ways', async path => {
	await using market = await openUsedMarket();
	await market.pass(DAY);
	const time = path.includes('charges') ? {day: week} : {when: week};
	const whole = {select_filters: time, limit: 100};
	const {results: all = []} = wholeReply(charges, (await get(market, path, whole)).body);
	expect(all.length).toBeGreaterThan(3);
	for (const latest_first of [false, true]) {
		const query = {select_filters: time, latest_first, limit: 1};
		const found = [];
		let after_token: string | undefined;
		do {
			const asked = after_token === undefined ? query : {...query, after_token};
			const {results, total, count, next_token} = wholeReply(
				charges,
				(await get(market, path, asked)).body,
			);
			expect([total, count]).toEqual([all.length, 1]);
			found.push(...(results ?? []));
			after_token = next_token ?? undefined;
		} while (after_token !== undefined);
		expect(found).toEqual(latest_first ? all.toReversed() : all);
	}
});

test.each(['v0/charges/', 'v1/invoices/'])('%s takes no token of anything else', async path => {
	await using market = await openUsedMarket();
	const time = path.includes('charges') ? {day: week} : {when: week};
	const query = {select_filters: time, limit: 1};
	const {next_token: token} = wholeReply(charges, (await get(market, path, query)).body);
	expect(typeof token).toBe('string');
	const foreign = btoa(JSON.stringify([JSON.stringify({}), 1, 'x', 1]));
	for (const [after_token, more] of [
		[token, {latest_first: true}],
		[token, {select_filters: {...time, type: {in: ['instance', 'charge']}}}],
		['rubbish', {}],
		['💥', {}],
		[`${token}x`, {}],
		[foreign, {}],
		[btoa('{}'), {}],
		['null', {}],
	] as const) {
		const reply = await get(market, path, {...query, ...more, after_token});
		expect(reply.status).toBe(400);
		expect(reply.body).toEqual(refusal('invalid_token', 'Invalid pagination token'));
	}
});

test('invoices tell what was paid, and what each day cost', async () => {
	await using market = await openUsedMarket();
	const {status, body} = await get(market, 'v1/invoices/', {
		select_filters: {when: week},
		latest_first: true,
	});
	expect(status).toBe(200);
	expect(body).toMatchObject({success: true, count: 3, total: 3, next_token: null});
	const {results = []} = wholeReply(charges, body);
	expect(results[2]).toMatchObject({
		type: 'charge',
		amount: -roundDollars((2.1 * UNTIL_MIDNIGHT) / 3600),
	});
	expect(results[1]).toEqual({
		start: TEST_NOW,
		end: TEST_NOW,
		type: 'credit',
		source: 'credit',
		description: 'Opening credit',
		amount: 100,
		metadata: {invoice_id: 1, service: 'operator'},
		items: [],
	});
	expect(results[0]).toMatchObject({
		type: 'charge',
		source: 'usage',
		description: 'All that was used on 2026-11-19',
		amount: -2.1,
		metadata: {invoice_id: 20_261_119, service: 'usage'},
		items: [],
	});
	for (const [service, wanted] of [
		['operator', 'credit'],
		['credit', 'credit'],
		['charge', 'charge'],
		['transfer', undefined],
	]) {
		const filters = {when: week, service: {in: [service]}};
		const {results: some = []} = wholeReply(
			charges,
			(await get(market, 'v1/invoices/', {select_filters: filters})).body,
		);
		expect(new Set(some.map(({type}) => type))).toEqual(new Set(wanted && [wanted]));
	}
});

test.each([{}, {when: {}}, {when: {gte: 5, lte: 4}}, {when: null}])(
	'invoices of %j have no time that they could be of',
	async filters => {
		await using market = await openUsedMarket();
		const reply = await get(market, 'v1/invoices/', {select_filters: filters});
		expect(reply).toMatchObject({
			status: 200,
			body: {success: false, error: 'Invalid date range', msg: 'Invalid date range'},
		});
	},
);

const noDays = "Must provide both 'day' gte and lte filters for instance charges";

test.each([
	['v0/charges/', {}, noDays],
	['v0/charges/', {select_filters: {}}, noDays],
	['v0/charges/', {select_filters: {day: {gte: 9e8, lte: 8e8}}}, noDays],
	[
		'v0/charges/',
		{select_filters: 'x'},
		'Error in query parameters: select_filters is not valid JSON.',
	],
	['v0/charges/', {select_filters: '[]'}, 'select_filters must be a JSON object.'],
	['v0/charges/', {select_filters: {day: 5}}, 'day takes {"gte": …, "lte": …}'],
	['v0/charges/', {select_filters: {day: {eq: 5}}}, 'eq is not a valid search op for day'],
	['v0/charges/', {select_filters: {day: {gte: 'x'}}}, 'day must be in seconds since 1970'],
	['v0/charges/', {select_filters: {day: week, type: 'x'}}, 'type takes {"in": [names]}'],
	['v0/charges/', {select_filters: {day: week, type: {in: [5]}}}, 'type takes {"in": [names]}'],
	[
		'v0/charges/',
		{select_filters: {when: week}},
		'Error in query parameters: when is not a valid search key',
	],
	[
		'v0/charges/',
		{select_filters: {day: week}, limit: 'many'},
		'Error in query parameters: limit must be a number',
	],
	['v1/invoices/', {select_filters: {when: {lte: true}}}, 'when must be in seconds since 1970'],
	['v0/users/me/invoices', {sdate: 'x'}, 'sdate must be in seconds since 1970'],
])('%s with %j is refused', async (path, query, msg) => {
	await using market = await openUsedMarket();
	const reply = await get(market, path, query);
	expect(reply).toEqual({status: 400, body: refusal('invalid_request', msg)});
});
