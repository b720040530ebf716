import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {createMarketClock} from '../../../source/market/base/clock.ts';
import {createHandClock, TEST_NOW} from '../../helpers/market/market.ts';

const HOUR = 3600;

/** A market's clock over one that is moved by hand. */
function openClock(earliest?: number) {
	const hand = createHandClock(TEST_NOW);
	const clock = createMarketClock(hand, earliest);
	return {...hand, after: () => clock.now() - TEST_NOW, jumped: () => clock.jumpedAt() - TEST_NOW};
}

test('a market has the time of its machine', () => {
	const clock = openClock();
	expect(clock.after()).toBe(0);
	clock.pass(0.25);
	expect(clock.after()).toBe(0.25);
	clock.pass(HOUR);
	expect([clock.after(), clock.jumped()]).toEqual([HOUR + 0.25, -Infinity]);
});

test('a market follows a clock that jumps forward, and knows when it did', () => {
	const clock = openClock();
	clock.jump(5);
	expect([clock.after(), clock.jumped()]).toEqual([5, -Infinity]);
	clock.pass(10);
	clock.jump(8 * HOUR);
	expect([clock.after(), clock.jumped()]).toEqual([8 * HOUR + 15, 8 * HOUR + 15]);
	clock.pass(20);
	expect([clock.after(), clock.jumped()]).toEqual([8 * HOUR + 35, 8 * HOUR + 15]);
});

test('where the clock goes back, time passes on slower until the clock has caught up', () => {
	const clock = openClock();
	clock.pass(HOUR);
	expect(clock.after()).toBe(HOUR);
	clock.jump(-HOUR);
	expect(clock.after()).toBe(HOUR);
	clock.pass(100);
	expect(clock.after()).toBeCloseTo(HOUR + 90);
	clock.pass(9 * HOUR);
	expect(clock.after()).toBeCloseTo(HOUR + 90 + 8.1 * HOUR);
	clock.pass(HOUR);
	expect(clock.after()).toBe(10 * HOUR + 100);
	expect(clock.jumped()).toBe(-Infinity);
});

test('a market begins no earlier than its database ends', () => {
	const clock = openClock(TEST_NOW + 60);
	expect(clock.after()).toBe(60);
	clock.pass(10);
	expect(clock.after()).toBeCloseTo(69);
	clock.pass(600);
	expect(clock.after()).toBe(610);
});

test('however a clock is set, the time of a market grows, and never goes faster than both', () => {
	const moves = fc.array(
		fc.record({
			seconds: fc.double({min: 0, max: 1e5, noNaN: true}),
			jump: fc.oneof(fc.constant(0), fc.double({min: -1e6, max: 1e6, noNaN: true})),
		}),
		{minLength: 1, maxLength: 30},
	);
	fc.assert(
		fc.property(moves, steps => {
			const clock = openClock();
			let before = clock.after();
			for (const {seconds, jump} of steps) {
				clock.pass(seconds);
				clock.jump(jump);
				const now = clock.after();
				const shown = clock.now() - TEST_NOW;
				expect(now).toBeGreaterThanOrEqual(before);
				expect(now).toBeGreaterThanOrEqual(shown);
				expect(now).toBeLessThanOrEqual(Math.max(shown, before + seconds) + 1e-6);
				before = now;
			}
		}),
	);
});
