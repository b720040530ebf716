import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {
	createShares,
	percentile,
	coordinatesOf,
	stepsOf,
} from '../../../source/market/gpu-market/rules.ts';
import {openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';
import {
	openTestMarket,
	TEST_NOW,
	wholeReply,
	type TestMarket,
} from '../../helpers/market/market.ts';

const {current, history, locations} = contract.gpuMarket;

async function get(market: Pick<TestMarket, 'call'>, path: string): Promise<unknown> {
	const reply = await market.call(`/api/v0/metrics/gpu/${path}`);
	expect(reply).toMatchObject({status: 200});
	return reply.body;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

test('GPUs of all machines are counted once, by name, and by what they were asked for by', async () => {
	await using market = await openTestMarketFile({offers: 200});
	const now = async (query = '') =>
		wholeReply(current, await get(market, `current/?${query}`)).gpus;
	const all = await now('verified=all');
	const machines = await market.database
		.selectFrom('machines')
		.select(({fn}) => fn.sum<number>('num_gpus').as('gpus'))
		.where('listed', '=', 1)
		.executeTakeFirstOrThrow();
	expect(sum(all.map(({total}) => total ?? 0))).toBe(machines.gpus);
	for (const gpu of all) {
		const {total = 0, available = 0, usage} = gpu;
		const {rented_verified: one, rented_unverified: other} = gpu;
		expect(total).toBe((available ?? 0) + (one ?? 0) + (other ?? 0));
		expect(usage).toBeCloseTo((100 * ((one ?? 0) + (other ?? 0))) / (total ?? 1), 0);
		if (gpu.price_median != null) {
			expect(gpu.price_p10).toBeLessThanOrEqual(gpu.price_median);
			expect(gpu.price_p90).toBeGreaterThanOrEqual(gpu.price_median);
		}
	}
	const totals = async (query: string) => sum((await now(query)).map(({total}) => total ?? 0));
	const parts = [await totals('verified=yes'), await totals('verified=no')];
	expect(sum(parts)).toBe(machines.gpus);
	expect(await totals('')).toBe(parts[0]);
	const sizes = ['1', '2', '4', '8'].map(async size => totals(`verified=all&num_gpus=${size}`));
	expect(sum(await Promise.all(sizes))).toBe(machines.gpus);
});

test('what was offered and rented is kept every five minutes, and a step at which nothing was counted is left out', async () => {
	await using market = await openTestMarketFile({offers: 30, now: TEST_NOW});
	const {ask_id: id} = await rentDirectly(market.database);
	const [offer] = await market.search({id: {eq: id}});
	const {gpu_name: name = '', num_gpus: gpus = 0} = offer ?? {};
	await market.pass(300);
	await market.pass(600);
	const query = `verified=all&step=300&start=${TEST_NOW}&gpu_name=${encodeURIComponent(name ?? '')}`;
	const found = wholeReply(history, await get(market, `history/?${query}`)).gpus;
	expect(Object.keys(found)).toEqual([name]);
	const [{supply_demand: counts, pricing} = {}] = Object.values(found);
	const at = Math.floor(TEST_NOW / 300) * 300;
	// Before the second figure nothing was rented: most steps have both prices, and the others are left out.
	expect(counts?.timestamps).toEqual([at + 300, at + 900]);
	const {rented_verified: one = [], rented_unverified: other = []} = counts ?? {};
	expect(sum([...one, ...other])).toBe(2 * (gpus ?? 0));
	expect(pricing).toMatchObject({timestamps: counts?.timestamps, rented_median: {length: 2}});
});

test('history begins where the market did, however early a start is asked for', async () => {
	await using market = await openTestMarketFile({offers: 3, now: TEST_NOW});
	await market.pass(3600);
	const query = `verified=all&gpu_name=all&step=300`;
	const timesSince = async (start: number) => {
		const {gpus} = wholeReply(history, await get(market, `history/?${query}&start=${start}`));
		return Object.values(gpus).map(({supply_demand: counts}) => counts?.timestamps);
	};
	const all = await timesSince(TEST_NOW - 300);
	expect(all.flat().length).toBeGreaterThan(1);
	expect(Math.min(...all.flat().map(Number))).toBe(Math.floor(TEST_NOW / 300) * 300);
	expect(await timesSince(0)).toEqual(all);
});

test('figures of two days are kept closely, and older ones by the hour, for three months', async () => {
	await using market = await openTestMarketFile({offers: 3});
	const moments = async () => {
		const rows = await market.database.selectFrom('gpu_samples').select('at').distinct().execute();
		return rows.map(({at}) => at);
	};
	const [first = 0] = await moments();
	await market.pass(300);
	await market.pass(3 * 86_400 - 300 - (TEST_NOW % 3600));
	expect(await moments()).not.toContain(first + 300);
	await market.pass(3600 * 24 * 91);
	expect(await moments()).toHaveLength(1);
});

test('a place is the city that its host names, and its country', () => {
	expect(coordinatesOf('Stockholm, SE')).toMatchObject({city: 'Stockholm', country_code: 'SE'});
	expect(coordinatesOf('Berlin, Mitte, DE')).toMatchObject({city: 'Berlin, Mitte'});
	expect(coordinatesOf(', US')).toMatchObject({city: '', country_code: 'US'});
	expect(coordinatesOf('Sweden, SE')).toMatchObject({city: '', country_code: 'SE'});
	expect(coordinatesOf('Atlantis')).toBeUndefined();
});

test('places are told by country, and unknown ones left out', async () => {
	await using market = await openTestMarket({offers: 60});
	const {locations: places} = wholeReply(locations, await get(market, 'locations/'));
	expect(places.length).toBeGreaterThan(10);
	for (const place of places) {
		expect(Math.abs(place.latitude ?? 99)).toBeLessThan(75);
		expect(place.country_code).toMatch(/^[A-Z]{2}$/);
		expect(place.num_gpus).toBeGreaterThan(0);
	}
});

test.each([
	['current/?verified=maybe', 'verified'],
	['current/?num_gpus=3', 'num_gpus'],
	['history/?start=now', 'start'],
])('%s is refused by name', async (path, name) => {
	await using market = await openTestMarket();
	const reply = await market.call(`/api/v0/metrics/gpu/${path}`);
	expect(reply).toMatchObject({status: 400, body: {error: 'invalid_args'}});
	expect(reply.text).toContain(name);
});

test.each([
	[10, 1],
	[50, 2],
	[75, 2],
	[90, 5],
])('%i percent of the GPUs cost at most %i dollars', (percent, dollars) => {
	const prices = [
		[5_000_000, 2],
		[1_000_000, 3],
		[2_000_000, 5],
	] as const;
	expect(percentile(prices, percent)).toBe(dollars);
	expect(percentile([], percent)).toBeNull();
});

test('of thousands of prices few are kept, and percentiles stay where they are', () => {
	const shares = createShares();
	const machine = {gpuName: 'H100', verified: true, datacenter: false, rented: 0, dlperf: 1};
	for (let micros = 1; micros <= 5000; micros++) {
		const price = {micros: micros * 1000, rentedPrices: [[micros * 2000, 1]] as const};
		shares.add({...machine, ...price, gpus: 2, available: 2, tflops: 1});
	}
	const [share] = new Map(shares.read()).get('H100') ?? [];
	expect(share).toMatchObject({size: 2, available: 10_000, dlperf: 5000});
	for (const prices of [share?.prices ?? [], share?.rentedPrices ?? []]) {
		expect(prices).toHaveLength(25);
		const most = prices === share?.prices ? 5 : 10;
		for (const part of [10, 50, 90]) {
			const exact = (part / 100) * most;
			expect(Math.abs((percentile(prices, part) ?? 0) - exact)).toBeLessThan(0.021 * most);
		}
	}
});

test('points are at most 500, on whole steps, and never after the present', () => {
	expect(stepsOf({}, 1_000_000)).toEqual({start: 913_500, end: 1_000_000, step: 300});
	expect(stepsOf({start: 0, end: 9e9, step: 1}, 1_000_000)).toMatchObject({
		end: 1_000_000,
		step: 2005,
	});
	expect(stepsOf({start: 999_000, step: 1}, 1_000_000).step).toBe(60);
});
