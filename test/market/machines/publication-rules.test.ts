import {expect, test} from 'vitest';
import {
	checkPublication,
	keptMarketFields,
	newMarketFields,
	buildOffer,
	type Listing,
} from '../../../source/market/machines/publication-rules.ts';
import {trustedOffer} from '../../../source/market/reliability/rules.ts';
import {testAsk, testFacts, testPublication} from '../../helpers/host/hosts.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';

function newPart(machineId: number, gpus: number) {
	return newMarketFields({machineId, gpus, now: TEST_NOW}, undefined);
}

function offer(listing: Partial<Listing> = {}) {
	return buildOffer({
		id: 1,
		machine: {id: 3, host_id: 4, reached: null, reached_since: null},
		now: TEST_NOW,
		facts: testFacts,
		ask: testAsk(),
		ofMarket: newPart(3, 1),
		...listing,
	});
}

test('prices are kept in micro-dollars', () => {
	expect(
		offer({ask: testAsk({dph_base: 0.1 + 0.2, min_bid: null, inet_up_cost: 0.0049999})}),
	).toMatchObject({
		dph_base_micros: 300_000,
		min_bid_micros: null,
		storage_cost_micros: 150_000,
		inet_up_cost_micros: 5000,
		inet_down_cost_micros: 2000,
	});
});

test.each([
	[[0], {num_gpus: 1, gpu_frac: 0.25, total_flops: 41, cpu_cores_effective: 12}],
	[[3, 1, 2], {num_gpus: 3, gpu_frac: 0.75, total_flops: 123, gpu_ids: '[1,2,3]'}],
	[[0, 1, 2, 3], {num_gpus: 4, gpu_frac: 1, gpu_total_ram: 98_256}],
])('an ask of the GPUs %j of four has its share of the machine', (gpu_ids, share) => {
	const facts = {...testFacts, num_gpus: 4};
	expect(offer({facts, ask: testAsk({gpu_ids})})).toMatchObject(share);
});

test('what is not known stays unknown', () => {
	const facts = {
		...testFacts,
		gpu_name: 'X 1',
		dlperf: 500,
		total_flops: null,
		gpu_ram: null,
		cpu_cores: null,
	};
	expect(offer({facts})).toMatchObject({
		dlperf: null,
		total_flops: null,
		score: null,
		gpu_total_ram: null,
		cpu_cores_effective: null,
	});
});

test.each([
	['RTX 4090', [0, 1], 189.2],
	['NVIDIA GeForce RTX 4090', [0], 94.6],
	['RTX 4070 SUPER', [0], 37.8],
	['RTX 4090 Laptop GPU', [0], null],
	['no GPU', [], null],
])('the GPUs of an ask on a machine of %s are estimated, whatever their host says', (...given) => {
	const [gpu_name, gpu_ids, dlperf] = given;
	const facts = {...testFacts, gpu_name, num_gpus: gpu_ids.length * 2, dlperf: 5e6};
	// Its rank in the default order is not the host's word either.
	expect(offer({facts, ask: testAsk({gpu_ids})})).toMatchObject({dlperf, score: null});
});

test('an estimate of performance gives no score, whatever becomes of the trust in its machine', () => {
	const row = {...offer({}), ...noKeys, floor_bid_micros: null};
	const machine = {reliability: 1, verification: 'verified', measured: null};
	expect(trustedOffer(row, machine)).toMatchObject({reliability: 1, score: null});
	expect(row.dlperf).toBeGreaterThan(0);
});

test('what the database keeps whole is whole', () => {
	const facts = {...testFacts, gpu_ram: 24_563.7, cpu_ram: 127_999.5, compute_cap: 889.9};
	expect(offer({facts})).toMatchObject({gpu_ram: 24_564, cpu_ram: 128_000, compute_cap: 890});
});

const noKeys = {
	gpu_key: '',
	country: null,
	driver_vers: null,
	verified: null,
	gpu_mask: 1,
	default_dph_total: 0,
	default_dlperf_per_dph: 0,
	default_flops_per_dph: 0,
};

/** Score of an offer whose performance was measured. */
function scoreAt(dph_base: number): number {
	const row = {...offer({ask: testAsk({dph_base})}), ...noKeys, score: 0};
	const machine = {reliability: 0.95, verification: 'verified', measured: null};
	const measured = trustedOffer({...row, dlperf: 100, floor_bid_micros: null}, machine);
	return measured.score ?? expect.fail('it has no score');
}

test('more for the money comes first, and nothing is without end', () => {
	expect(scoreAt(0.2)).toBeCloseTo(scoreAt(0.4) * 2, 3);
	expect(scoreAt(0)).toBeGreaterThan(scoreAt(0.002));
	expect(scoreAt(0)).toBeLessThan(Infinity);
});

test('shares of one machine, and machines, have bundles of their own', () => {
	const bundles = [1, 2, 52].flatMap(gpus =>
		[1, 2].map(machine => newPart(machine, gpus).bundle_id),
	);
	expect(new Set(bundles).size).toBe(6);
});

test('an offer that is known keeps how it stands, and begins anew where it was away', () => {
	const ofMarket = {...newPart(3, 1), verification: 'verified', reliability: 0.5};
	const known = offer({ofMarket});
	expect(keptMarketFields(known, TEST_NOW + 9)).toEqual(ofMarket);
	expect(keptMarketFields({...known, listed: 0}, TEST_NOW + 9)).toEqual({
		...ofMarket,
		start_date: TEST_NOW + 9,
	});
});

test.each([
	[{busy_gpus: [5]}, 'busy_gpus names the GPU 5, counted from 0, of a machine that has 2.'],
	[
		{asks: [testAsk(), testAsk({gpu_ids: [1, 2]})]},
		'asks.1.gpu_ids names the GPU 2, counted from 0, of a machine that has 2.',
	],
	[{asks: [testAsk({gpu_ids: [0, 0]})]}, 'asks.0.gpu_ids names a GPU twice.'],
	[{asks: [testAsk({gpu_ids: []})]}, 'asks.0.gpu_ids names none of the 2 GPUs.'],
	[
		{asks: [testAsk(), testAsk({gpu_ids: [1]}), testAsk()]},
		'asks.0 and asks.2 are for the same GPUs.',
	],
])('%j is refused', (changes, message) => {
	expect(() => checkPublication(testPublication(changes))).toThrow(message);
});

test('a machine may be published with nothing asked for it', () => {
	expect(() => checkPublication(testPublication({asks: []}))).not.toThrow(Error);
});

test('a new part of a machine stands as its machine does, with a bundle and a beginning of its own', () => {
	const known = offer({ofMarket: {...newPart(3, 1), verification: 'verified', reliability: 0.99}});
	const part = {machineId: 3, gpus: 2, now: TEST_NOW + 9};
	expect(newMarketFields(part, known)).toEqual({
		...newPart(3, 2),
		verification: 'verified',
		reliability: 0.99,
		start_date: TEST_NOW + 9,
	});
});
