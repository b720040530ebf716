import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {metersOf} from '../../../source/market/lifecycle/rules.ts';
import {
	amountMicros,
	dayNumberOf,
	meterTraffic,
	unitsOf,
	meterUsage,
	type MeteredUsage,
} from '../../../source/market/ledger/metering-rules.ts';
import {runs} from '../../helpers/property.ts';

const HOUR_MS = 3_600_000;
const DAY_SECONDS = 86_400;
/** A midnight in 2026. */
const MIDNIGHT = 20_775 * DAY_SECONDS;

const both = {compute: true, disk: true};
const rates = {gpuMicros: 400_000, storageMicros: 150_000, diskGb: 10};

/** What is charged, by what it is charged as. */
function quantities(usages: readonly MeteredUsage[]): Readonly<Record<string, number>> {
	const sums: Record<string, number> = {};
	for (const {item, day, rateMicros, quantity} of usages) {
		const name = `${item} ${day} ${rateMicros}`;
		sums[name] = (sums[name] ?? 0) + quantity;
	}
	return sums;
}

const moments = fc.double({min: MIDNIGHT - 90_000, max: MIDNIGHT + 200_000, noNaN: true});

test('time costs the same in whatever steps it is charged', () => {
	fc.assert(
		fc.property(
			fc.array(moments, {minLength: 2, maxLength: 40}),
			fc.record({compute: fc.boolean(), disk: fc.boolean()}),
			fc.double({min: 0.001, max: 100_000, noNaN: true}),
			(times, meters, diskGb) => {
				const cuts = times.toSorted((one, other) => one - other);
				const terms = {...rates, diskGb};
				const [from = 0, until = 0] = [cuts[0], cuts.at(-1)];
				const steps = cuts.flatMap((cut, i) => meterUsage(cut, cuts[i + 1] ?? cut, meters, terms));
				expect(quantities(steps)).toEqual(quantities(meterUsage(from, until, meters, terms)));
			},
		),
		{numRuns: runs(2000)},
	);
});

test('no millisecond is lost or charged twice', () => {
	fc.assert(
		fc.property(moments, moments, (one, other) => {
			const [from, until] = one < other ? [one, other] : [other, one];
			const used = meterUsage(from, until, {compute: true, disk: false}, rates);
			const sum = used.reduce((ms, {quantity}) => ms + quantity, 0);
			expect(sum).toBe(Math.round(until * 1000) - Math.round(from * 1000));
			for (const {quantity} of used) expect(quantity).toBeLessThanOrEqual(DAY_SECONDS * 1000);
		}),
	);
});

test('midnight in UTC parts what is charged', () => {
	expect(meterUsage(MIDNIGHT - 1.5, MIDNIGHT + 0.25, both, rates)).toEqual([
		{item: 'gpu', day: 20_774, rateMicros: 400_000, quantity: 1500, ...span(-1.5, 0)},
		{item: 'disk', day: 20_774, rateMicros: 150_000, quantity: 15_000, ...span(-1.5, 0)},
		{item: 'gpu', day: 20_775, rateMicros: 400_000, quantity: 250, ...span(0, 0.25)},
		{item: 'disk', day: 20_775, rateMicros: 150_000, quantity: 2500, ...span(0, 0.25)},
	]);
	expect(dayNumberOf(MIDNIGHT - 0.001)).toBe(20_774);
	expect(dayNumberOf(MIDNIGHT)).toBe(20_775);
});

function span(from: number, until: number) {
	return {from: MIDNIGHT + from, until: MIDNIGHT + until};
}

test.each([
	[0, 0],
	[5, 4],
	[5, 5],
	[5.0001, 5.0004],
])('from %d until %d costs nothing', (from, until) => {
	expect(meterUsage(from, until, both, rates)).toEqual([]);
});

test('what is not there costs nothing', () => {
	expect(meterUsage(0, 10, {compute: false, disk: false}, rates)).toEqual([]);
	expect(meterUsage(0, 10, both, {...rates, diskGb: 0}).map(({item}) => item)).toEqual(['gpu']);
	expect(meterTraffic('bwu', 0, 5, 10)).toEqual([]);
	expect(meterTraffic('bwu', -5, 5, 10)).toEqual([]);
});

test('traffic is charged on the day on which it was told of', () => {
	expect(meterTraffic('bwd', 5_000_000, 20_000, MIDNIGHT)).toEqual([
		{item: 'bwd', day: 20_775, rateMicros: 20_000, quantity: 5_000_000, ...span(0, 0)},
	]);
});

test.each([
	['gpu', HOUR_MS, 400_000, 400_000],
	['gpu', HOUR_MS / 2, 1, 1],
	['gpu', HOUR_MS / 2 - 1, 1, 0],
	['gpu', 1, 3_600_000, 1],
	['disk', 10 * 720 * HOUR_MS, 150_000, 1_500_000],
	['bwd', 1_500_000_000, 20_000, 30_000],
	['bwu', 1, 20_000, 0],
	// A quarter of a million GB for a day at almost a dollar: its product is beyond 2 ** 53.
	['disk', 250_001 * 24 * HOUR_MS, 999_999, 8_333_358_333],
] as const)('%s of %d at %d costs %d', (item, quantity, rate, amount) => {
	expect(amountMicros(item, quantity, rate)).toBe(amount);
});

test('an amount is exact to the micro-dollar, also where a double cannot tell which way to round', () => {
	fc.assert(
		fc.property(
			fc.constantFrom('gpu', 'disk', 'bwd', 'bwu'),
			fc.oneof(
				fc.maxSafeNat(),
				fc.nat(1e12),
				fc.nat(1e6).map(count => count * 1_800_000),
			),
			fc.oneof(fc.nat(100_000_000), fc.nat(20)),
			(item, quantity, rate) => {
				const unit = BigInt({gpu: 3.6e6, disk: 720 * 3.6e6, bwd: 1e9, bwu: 1e9}[item]);
				const exact = (BigInt(quantity) * BigInt(rate) + unit / 2n) / unit;
				expect(amountMicros(item, quantity, rate)).toBe(Number(exact));
			},
		),
		{numRuns: runs(2000)},
	);
});

test('what is shown as a quantity times its rate is what it costs', () => {
	expect(unitsOf('gpu', 90 * 60_000)).toBe(1.5);
	expect(unitsOf('disk', 10 * 720 * HOUR_MS)).toBe(10);
	expect(unitsOf('bwu', 2_500_000_000)).toBe(2.5);
});

test.each([
	['running', 'running', 'heard', {compute: true, disk: true}],
	['loading', 'running', 'heard', {compute: false, disk: true}],
	[null, 'running', 'heard', {compute: false, disk: true}],
	['exited', 'running', 'heard', {compute: false, disk: true}],
	['exited', 'stopped', 'heard', {compute: false, disk: true}],
	['unknown', 'running', 'silent', {compute: false, disk: true}],
	['offline', 'running', 'lost', {compute: false, disk: false}],
] as const)('what is %s, has GPUs as %s and is %s costs %j', (actual, current, contact, meters) => {
	expect(metersOf({actual, current, contact})).toEqual(meters);
});
