import {array, assert, constantFrom, integer, property, record} from 'fast-check';
import {expect, test} from 'vitest';
import {
	intervalOf,
	slowDown,
	speedUp,
	startPace,
	countCall,
	waitFor,
} from '../../../source/client/exchange/pace.ts';
import {contract} from '../../../source/contract/index.ts';

const search = contract.offers.search;
const NOW = 1_795_000_000_000;

test('calls may come at once until the burst is used, and then as the threshold has it', () => {
	let pace = startPace(search, 1, NOW);
	for (let call = 0; call < 10; call++) {
		expect(waitFor(pace, true, NOW)).toBe(0);
		pace = countCall(pace, NOW);
	}
	expect(waitFor(pace, true, NOW)).toBe(6000);
	expect(waitFor(pace, true, NOW + 4000)).toBe(2000);
	expect(waitFor(pace, true, NOW + 6000)).toBe(0);
});

test('the last call of a burst is left to those that a person waits for', () => {
	let pace = startPace(search, 1, NOW);
	for (let call = 0; call < 9; call++) pace = countCall(pace, NOW);
	expect(waitFor(pace, false, NOW)).toBe(6000);
	expect(waitFor(pace, true, NOW)).toBe(0);
});

test('without a threshold nobody waits, until the service wants fewer calls', () => {
	const pace = startPace(contract.account.current, 1, NOW);
	expect(waitFor(pace, false, NOW)).toBe(0);
	const slowed = slowDown(pace, {}, NOW);
	expect(intervalOf(slowed)).toBe(1.5);
	expect(waitFor(slowed, true, NOW)).toBe(1500);
});

test('each refusal makes it half as slow again, to a minute, and answers bring it back', () => {
	let pace = startPace(search, 1, NOW);
	const intervals = [];
	for (let refusal = 0; refusal < 8; refusal++) {
		pace = slowDown(pace, {}, NOW);
		intervals.push(Number(intervalOf(pace).toFixed(2)));
	}
	expect(intervals).toEqual([9, 13.5, 20.25, 30.38, 45.56, 60, 60, 60]);
	let answers = 0;
	for (; intervalOf(pace) > 6; answers++) pace = speedUp(pace);
	expect(answers).toBeGreaterThan(8);
	expect(answers).toBeLessThan(20);
	expect(intervalOf(pace)).toBe(6);
});

test('what the service says about its threshold and its patience is believed, within a minute', () => {
	const pace = startPace(search, 1, NOW);
	const told = slowDown(pace, {thresholdSeconds: 10, retryAfterSeconds: 4}, NOW);
	expect(intervalOf(told)).toBe(15);
	expect(waitFor(told, true, NOW)).toBe(4000);
	expect(waitFor(told, false, NOW + 4000)).toBe(0);
	const mad = slowDown(pace, {thresholdSeconds: 1e9, retryAfterSeconds: 1e9}, NOW);
	expect(intervalOf(mad)).toBe(60);
	expect(waitFor(mad, true, NOW)).toBe(60_000);
});

test('whatever happens, no more calls are made than burst and threshold allow', () => {
	const step = record({
		passMs: integer({min: 0, max: 20_000}),
		happens: constantFrom('answer', 'refusal', 'nothing'),
	});
	assert(
		property(array(step, {maxLength: 80}), steps => {
			let pace = startPace(search, 1, NOW);
			let now = NOW;
			let made = 0;
			for (const {passMs, happens} of steps) {
				now += passMs;
				if (waitFor(pace, true, now) === 0) {
					pace = countCall(pace, now);
					made += 1;
				}
				if (happens === 'answer') pace = speedUp(pace);
				if (happens === 'refusal') pace = slowDown(pace, {}, now);
			}
			const refusals = steps.filter(({happens}) => happens === 'refusal').length;
			// Each refusal leaves one call for the moment when it opens again.
			expect(made).toBeLessThanOrEqual(10 + refusals + (now - NOW) / 6000);
		}),
	);
});
