import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	advanceClock,
	passedBy,
	type Clocks,
	type Counted,
} from '../../../source/renter/leases/decide.ts';
import {least, runs} from '../../helpers/property.ts';

const HOUR = 3_600_000;
const MADE = 1_764_000_000_000;

/** The moments of looks thirty seconds apart: each says by how much a clock is ahead of what passed. */
function counted(...looks: ReadonlyArray<Partial<Clocks>>): Counted | undefined {
	let last: Counted | undefined;
	for (const [index, {date = 0, wall = 0, steady = 0}] of looks.entries()) {
		const passed = index * 30_000;
		const now = {date: MADE + passed + date, wall: MADE + passed + wall, steady: passed + steady};
		last = advanceClock(last, now);
	}
	return last;
}

test.each([
	['nothing jumps', [30_000, 30_000, 30_000], 30_000],
	['the service jumps on', [3 * HOUR, 30_000, 30_000], 30_000],
	['the service jumps back', [-3 * HOUR, 30_000, 30_000], 30_000],
	["this machine's clock is set", [30_000, 3 * HOUR, 30_000], 30_000],
	['this machine sleeps', [3 * HOUR, 3 * HOUR, 30_000], 3 * HOUR],
	['all three disagree', [3 * HOUR, 2 * HOUR, 30_000], 30_000],
	['two are known, and agree', [30_000, 31_000], 31_000],
	['two are known, and disagree', [3 * HOUR, 30_000], 30_000],
	['two are known, and one went back', [-HOUR, 30_000], 0],
])('where %s, what passed is what two clocks say, else the least', (_, gaps, passed) => {
	expect(passedBy(gaps)).toBe(passed);
});

test('a clock that jumped counts once it has gone on evenly for as long as it jumped', () => {
	const [fine, late] = [{}, {date: 120_000}];
	expect(counted(fine, fine, late)).toMatchObject({time: MADE + 60_000, apartSince: 60_000});
	expect(counted(fine, fine, late, late, late, late)).toMatchObject({time: MADE + 150_000});
	const settled = {time: MADE + 180_000 + 120_000, apartSince: undefined};
	expect(counted(fine, fine, late, late, late, late, late)).toMatchObject(settled);
	const back = {time: MADE + 120_000, apartSince: undefined};
	expect(counted(fine, fine, late, late, fine)).toMatchObject(back);
	expect(counted(late, fine, fine)).toMatchObject({time: MADE + 60_000, apartSince: undefined});
});

const seconds = fc.integer({min: 10, max: 20_000});

const steps = fc.array(
	fc.record({
		passed: fc.integer({min: 1, max: 90}),
		jumps: fc.constantFrom(undefined, undefined, undefined, 'date', 'wall', 'sleep'),
		by: fc.oneof(
			seconds,
			fc.integer({min: 10, max: 90}),
			seconds.map(one => -one),
		),
	}),
	{minLength: 1, maxLength: 60},
);

test('no jump of one clock against both others passes for time, whichever jumps and however often', () => {
	let settled = 0;
	const check = fc.property(steps, sequence => {
		const clocks = {date: MADE, wall: MADE, steady: 0};
		let last = advanceClock(
			advanceClock(undefined, {...clocks, steady: -10_000, date: MADE - 10_000}),
			clocks,
		);
		let [real, ahead, since, counts] = [0, 0, 0, 0];
		for (const {passed, jumps, by} of sequence) {
			real += passed * 1000;
			clocks.date += passed * 1000;
			clocks.wall += passed * 1000;
			// A steady clock stands still while its machine sleeps, and does no more than that.
			clocks.steady += jumps === 'sleep' ? 0 : passed * 1000;
			if (jumps === 'wall') clocks.wall += by * 1000;
			if (jumps === 'date') {
				clocks.date += by * 1000;
				[ahead, since] = [ahead + by * 1000, clocks.steady];
			}
			last = advanceClock(last, {...clocks});
			const offset = last.time - MADE - real;
			const change = Math.abs(offset - counts);
			if (change <= 3000) continue;
			// It is the service's own time from here on, which has gone on evenly for so long.
			settled += 1;
			expect(offset).toBe(ahead);
			expect(clocks.steady - since).toBeGreaterThanOrEqual(change);
			counts = offset;
		}
	});
	fc.assert(check, {numRuns: runs(2000)});
	expect(settled).toBeGreaterThan(least(20));
});
