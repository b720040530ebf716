import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {afterStep, nextStep, type WantedRun} from '../../../source/host/agent/reconciler.ts';
import type {BootState} from '../../../source/host/base/runtime.ts';

const number = fc.integer({min: 1, max: 3});
const wanted: fc.Arbitrary<WantedRun> = fc.record({
	wanted: fc.constantFrom('running', 'stopped', 'gone'),
	boot: number,
	container: number,
});
const held: fc.Arbitrary<BootState | undefined> = fc.option(
	fc.record({boot: number, container: number, isStarted: fc.boolean()}),
	{nil: undefined},
);

/** All steps from one to the other, and what there is in the end. */
function settle(want: WantedRun, has: BootState | undefined) {
	const steps: string[] = [];
	let now = has;
	for (let step = nextStep(want, now); step !== undefined; step = nextStep(want, now)) {
		now = afterStep(step, want, now);
		steps.push(step);
		if (steps.length > 3) throw new Error('it never settles');
	}
	return {steps, now};
}

test('a few steps make what is wanted of whatever there is', () => {
	fc.assert(
		fc.property(wanted, held, (want, has) => {
			const {now} = settle(want, has);
			const {boot, container} = want;
			const ends = {
				running: {boot, container, isStarted: true},
				stopped: now && {...now, isStarted: false},
				gone: undefined,
			};
			expect(now).toEqual(ends[want.wanted]);
		}),
	);
});

const started: BootState = {boot: 1, container: 1, isStarted: true};
const stopped: BootState = {...started, isStarted: false};

test.each<
	readonly [what: string, want: WantedRun, has: BootState | undefined, steps: readonly string[]]
>([
	['a new instance', {wanted: 'running', boot: 1, container: 1}, undefined, ['start']],
	['one made stopped', {wanted: 'stopped', boot: 1, container: 1}, undefined, []],
	['one that runs', {wanted: 'running', boot: 1, container: 1}, started, []],
	['one to stop', {wanted: 'stopped', boot: 1, container: 1}, started, ['stop']],
	['one to reboot', {wanted: 'running', boot: 2, container: 1}, started, ['stop', 'start']],
	['one to recycle', {wanted: 'running', boot: 2, container: 2}, started, ['remove', 'start']],
	['one remade while stopped', {wanted: 'stopped', boot: 2, container: 2}, stopped, ['remove']],
	['one to destroy', {wanted: 'gone', boot: 1, container: 1}, started, ['remove']],
])('%s takes no steps but those it needs', (_, want, has, steps) => {
	expect(settle(want, has).steps).toEqual(steps);
});

test('what is removed to be made anew is held until it is gone for good', () => {
	const anew = {wanted: 'running', boot: 2, container: 2} as const;
	const left = afterStep('remove', anew, started);
	expect(nextStep(anew, left)).toBe('start');
	expect(nextStep({...anew, wanted: 'gone'}, left)).toBe('remove');
	expect(afterStep('remove', {...anew, wanted: 'gone'}, left)).toBeUndefined();
});
