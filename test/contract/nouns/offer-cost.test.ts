import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {costOf, type Job, type PricedOffer} from '../../../source/contract/nouns/offer-cost.ts';
import {pricesOf} from '../../../source/market/offers/pricing-rules.ts';

const job: Job = {diskGb: 40, hours: 24, inGbPerHour: 0, outGbPerHour: 0};

const whole: PricedOffer = {
	num_gpus: 2,
	dph_base: 0.6,
	dph_total: 0.608,
	storage_cost: 0.144,
	storage_total_cost: 0.008,
	inet_down_cost: 0.002,
	inet_up_cost: 0.004,
};

const dollars = fc.integer({min: 0, max: 50_000_000});
const perGb = fc.option(fc.integer({min: 0, max: 100_000}));
const size = fc.integer({min: 1, max: 5000});

const jobs: fc.Arbitrary<Job> = fc.record({
	diskGb: size,
	hours: fc.integer({min: 1, max: 1000}),
	inGbPerHour: fc.integer({min: 0, max: 500}),
	outGbPerHour: fc.integer({min: 0, max: 500}),
});

/** An offer with the prices that a market gives it for a disk of some size. */
const priced = fc
	.record({
		base: dollars,
		storage: fc.integer({min: 0, max: 1_000_000}),
		up: perGb,
		down: perGb,
		diskGb: size,
	})
	.map(({base, storage, up, down, diskGb}) => ({
		diskGb,
		offer: {
			num_gpus: 1,
			...pricesOf(
				{
					dph_base_micros: base,
					min_bid_micros: null,
					storage_cost_micros: storage,
					inet_up_cost_micros: up,
					inet_down_cost_micros: down,
					credit_discount_max: null,
					gpu_total_ram: null,
					dlperf: null,
					total_flops: null,
				},
				{pricing: 'on-demand', diskGb},
			),
		},
	}));

test('without traffic an hour costs what the market says that it does', () => {
	fc.assert(
		fc.property(priced, ({offer, diskGb}) => {
			const cost = costOf(offer, {...job, diskGb});
			expect(cost.allIn).toBeCloseTo(offer.dph_total, 9);
			expect(cost.gpu).toBe(offer.dph_base);
			expect(cost.disk).toBeCloseTo(offer.storage_total_cost, 9);
		}),
	);
});

test('the price of another disk is the one that the market gives for that disk', () => {
	fc.assert(
		fc.property(priced, size, ({offer, diskGb}, wantedGb) => {
			const wanted = {...job, diskGb: wantedGb};
			const exact = costOf(offer, wanted, diskGb).disk;
			expect(costOf({...offer, storage_cost: undefined}, wanted, diskGb).disk).toBeCloseTo(
				exact ?? Number.NaN,
				9,
			);
		}),
	);
});

test('the parts add up to the whole, and a job costs its hours', () => {
	fc.assert(
		fc.property(priced, jobs, ({offer, diskGb}, wanted) => {
			const cost = costOf(offer, wanted, diskGb);
			const parts = [cost.gpu, cost.disk, cost.trafficIn, cost.trafficOut];
			fc.pre(!parts.includes(undefined));
			const total = parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
			expect(cost.allIn).toBeCloseTo(total, 6);
			expect(cost.job).toBeCloseTo(total * wanted.hours, 3);
		}),
	);
});

test('more disk, more traffic or more hours never cost less', () => {
	fc.assert(
		fc.property(priced, jobs, jobs, ({offer}, wanted, more) => {
			const larger: Job = {
				diskGb: wanted.diskGb + more.diskGb,
				hours: wanted.hours + more.hours,
				inGbPerHour: wanted.inGbPerHour + more.inGbPerHour,
				outGbPerHour: wanted.outGbPerHour + more.outGbPerHour,
			};
			const [less, most] = [costOf(offer, wanted).job, costOf(offer, larger).job];
			fc.pre(less !== undefined && most !== undefined);
			expect(most).toBeGreaterThanOrEqual(less);
		}),
	);
});

test('a price that needs what the service did not send is unknown, and never 0', () => {
	const names = ['dph_base', 'dph_total', 'storage_cost', 'storage_total_cost'] as const;
	fc.assert(
		fc.property(fc.subarray([...names]), fc.constantFrom(null, undefined), (left, nothing) => {
			const offer: PricedOffer = {...whole};
			const sent = Object.assign(offer, Object.fromEntries(left.map(name => [name, nothing])));
			const {gpu, disk, running, allIn} = costOf(sent, job);
			expect([undefined, 0.6]).toContain(rounded(gpu));
			expect([undefined, 0.008]).toContain(rounded(disk));
			expect([undefined, 0.608]).toContain(rounded(running));
			expect(allIn).toBe(running);
		}),
	);
	expect(costOf({}, job)).toMatchObject({gpu: undefined, disk: undefined, allIn: undefined});
});

function rounded(value: number | undefined): number | undefined {
	return value === undefined ? undefined : Number(value.toFixed(9));
}

test('traffic without a price makes only a job with traffic unknown', () => {
	const offer = {...whole, inet_down_cost: null};
	expect(costOf(offer, job).allIn).toBeCloseTo(0.608);
	expect(costOf(offer, {...job, outGbPerHour: 5}).allIn).toBeCloseTo(0.628);
	expect(costOf(offer, {...job, inGbPerHour: 5}).allIn).toBeUndefined();
	expect(costOf(offer, {...job, inGbPerHour: 5}).disk).toBeCloseTo(0.008);
});

test('an offer priced for another disk keeps its GPU price and changes that of its disk', () => {
	const cost = costOf({...whole, dph_base: undefined}, {...job, diskGb: 400}, 40);
	expect(cost.gpu).toBeCloseTo(0.6);
	expect(cost.disk).toBeCloseTo(0.08);
	expect(costOf({dph_total: 0.608}, {...job, diskGb: 400}, 40).allIn).toBeUndefined();
	expect(costOf({dph_total: 0.608}, job).allIn).toBe(0.608);
});

test('a price per GPU needs a number of GPUs', () => {
	expect(costOf(whole, job).allInPerGpu).toBeCloseTo(0.304);
	expect(costOf({...whole, num_gpus: 0}, job).allInPerGpu).toBeUndefined();
	expect(costOf({...whole, num_gpus: undefined}, job).allInPerGpu).toBeUndefined();
});
