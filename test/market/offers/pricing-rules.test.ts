import {expect, test} from 'vitest';
import {
	baseMicros,
	pricesOf,
	type PriceFacts,
	type PriceTerms,
} from '../../../source/market/offers/pricing-rules.ts';

const offer: PriceFacts = {
	dph_base_micros: 1_000_000,
	min_bid_micros: 600_000,
	storage_cost_micros: 149_333,
	inet_up_cost_micros: 3000,
	inet_down_cost_micros: 0,
	credit_discount_max: 0.4,
	gpu_total_ram: 24_564,
	dlperf: 22.229_41,
	total_flops: 27.525_07,
};

const terms: PriceTerms = {pricing: 'on-demand', diskGb: 10};

test.each<readonly [name: string, facts: Partial<PriceFacts>, diskGb: number, diskHour: number]>([
	['the documented sample', {}, 10, 0.002_074_07],
	['the documented sample of an instance', {storage_cost_micros: 150_000}, 10.08, 0.0021],
	['no disk', {}, 0, 0],
	['storage for nothing', {storage_cost_micros: 0}, 500, 0],
	['a terabyte', {storage_cost_micros: 100_000}, 1024, 0.142_222_22],
])('%s costs what its gigabytes cost a month, by 720 hours', (_, facts, diskGb, diskHour) => {
	const prices = pricesOf({...offer, ...facts}, {...terms, diskGb});
	expect(prices.storage_total_cost).toBeCloseTo(diskHour, 8);
	expect(prices.dph_total).toBe(prices.dph_base + prices.storage_total_cost);
});

test('the ratios of the documented sample come out', () => {
	const prices = pricesOf(offer, terms);
	expect(prices.dph_total).toBeCloseTo(1.002_074_07, 8);
	expect(prices.dlperf_per_dphtotal).toBeCloseTo(22.1834, 4);
	expect(prices.flops_per_dphtotal).toBeCloseTo(27.4681, 4);
	expect(prices.vram_costperhour).toBeCloseTo(4.0794e-5, 9);
});

test('what a price consists of is itemised, for running and for standing still', () => {
	const {search, instance} = pricesOf({...offer, storage_cost_micros: 144_000}, terms);
	expect(search).toEqual({
		gpuCostPerHour: 1,
		diskHour: 0.002,
		totalHour: 1.002,
		discountTotalHour: 0,
		discountedTotalPerHour: 1.002,
	});
	expect(instance).toEqual({
		gpuCostPerHour: 0,
		diskHour: 0.002,
		totalHour: 0.002,
		discountTotalHour: 0,
		discountedTotalPerHour: 0.002,
	});
});

test('by bid, the least bid is the price of the GPUs', () => {
	const prices = pricesOf(offer, {pricing: 'bid', diskGb: 0});
	expect(prices).toMatchObject({is_bid: true, dph_base: 0.6, dph_total: 0.6, min_bid: 0.6});
	expect(pricesOf(offer, terms)).toMatchObject({is_bid: false, dph_base: 1, min_bid: 0.6});
});

test('an offer that takes no bids has no price by bid', () => {
	const unbid = {...offer, min_bid_micros: null};
	expect(baseMicros(unbid, 'bid')).toBeNull();
	expect(() => pricesOf(unbid, {pricing: 'bid', diskGb: 8})).toThrow('takes no bids');
	expect(pricesOf(unbid, terms)).toMatchObject({min_bid: null, dph_base: 1});
});

test('reserved offers show half of their discount, which is that for a month', () => {
	const facts = {...offer, storage_cost_micros: 0};
	expect(pricesOf(facts, {...terms, pricing: 'reserved'})).toMatchObject({
		dph_total: 1,
		discount_rate: 0.2,
		discounted_hourly: 0.2,
		discounted_dph_total: 0.8,
		search: {totalHour: 1, discountTotalHour: 0.2, discountedTotalPerHour: 0.8},
	});
	expect(pricesOf(facts, terms)).toMatchObject({
		discount_rate: 0,
		discounted_hourly: 0,
		discounted_dph_total: 1,
		credit_discount_max: 0.4,
	});
});

test('traffic is priced by the gigabyte and by 1024 of them', () => {
	expect(pricesOf(offer, terms)).toMatchObject({
		inet_up_cost: 0.003,
		internet_up_cost_per_tb: 3.072,
		inet_down_cost: 0,
		internet_down_cost_per_tb: 0,
	});
});

test('what is not known, or would divide by nothing, stays unknown', () => {
	const unknown = {
		...offer,
		inet_up_cost_micros: null,
		gpu_total_ram: null,
		dlperf: null,
		total_flops: null,
	};
	expect(pricesOf(unknown, terms)).toMatchObject({
		inet_up_cost: null,
		internet_up_cost_per_tb: null,
		vram_costperhour: null,
		dlperf_per_dphtotal: null,
		flops_per_dphtotal: null,
	});
	const free = {...offer, dph_base_micros: 0, storage_cost_micros: 0, gpu_total_ram: 0};
	expect(pricesOf(free, terms)).toMatchObject({
		dph_total: 0,
		vram_costperhour: null,
		dlperf_per_dphtotal: null,
	});
});
