import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	advance,
	isWaiting,
	messages,
	metersOf,
	newInstance,
	newWithoutCapacity,
	type HostStatus,
	type InstanceState,
	type LifecycleEvent,
} from '../../../source/market/lifecycle/rules.ts';

const after = (state: InstanceState, ...events: readonly LifecycleEvent[]) =>
	events.reduce(advance, state);

const start: LifecycleEvent = {kind: 'start', hasGpus: true};
const stop: LifecycleEvent = {kind: 'stop'};
const outbid: LifecycleEvent = {kind: 'outbid'};
const reboot: LifecycleEvent = {kind: 'reboot'};
const recycle: LifecycleEvent = {kind: 'recycle'};
const silent: LifecycleEvent = {kind: 'contact', contact: 'silent'};
const lost: LifecycleEvent = {kind: 'contact', contact: 'lost'};
const heard: LifecycleEvent = {kind: 'contact', contact: 'heard'};

const anyEvent = fc.oneof(
	fc.record({
		kind: fc.constant('report' as const),
		boot: fc.integer({min: 0, max: 4}),
		status: fc.constantFrom<HostStatus>('loading', 'running', 'exited', 'failed'),
		message: fc.constantFrom(null, 'pulling', 'out of memory'),
	}),
	fc.record({
		kind: fc.constant('contact' as const),
		contact: fc.constantFrom('heard' as const, 'silent' as const, 'lost' as const),
	}),
	fc.record({kind: fc.constant('start' as const), hasGpus: fc.boolean()}),
	fc.constantFrom(stop, outbid, reboot, recycle, {...stop, message: messages.noCredit}),
);

const anyStart = fc.constantFrom(
	newInstance('running', 'heard'),
	newInstance('stopped', 'heard'),
	newWithoutCapacity('silent'),
	newWithoutCapacity('lost'),
);

const anyLife = fc
	.tuple(anyStart, fc.array(anyEvent, {maxLength: 12}))
	.map(([first, lived]) => after(first, ...lived));

test('nothing but the documented words is ever shown', () => {
	fc.assert(
		fc.property(anyLife, ({actual, intended, current, next}) => {
			expect([null, 'loading', 'running', 'exited', 'unknown', 'offline']).toContain(actual);
			expect(['running', 'stopped']).toContain(intended);
			expect(['running', 'stopped']).toContain(current);
			expect(['running', 'stopped']).toContain(next);
		}),
	);
});

test('what has GPUs is meant to have them, and what has none does not run and costs no computing', () => {
	fc.assert(
		fc.property(anyLife, state => {
			if (state.current === 'running') {
				expect(state).toMatchObject({intended: 'running', next: 'running'});
				return;
			}
			expect(['loading', 'running']).not.toContain(state.actual);
			expect(metersOf(state).compute).toBe(false);
			expect(isWaiting(state)).toBe(state.intended === 'running');
		}),
	);
});

test('only a start gives GPUs, and only to one that has none', () => {
	fc.assert(
		fc.property(anyLife, anyEvent, (state, event) => {
			const moved = advance(state, event);
			if (moved.current !== 'running' || state.current === 'running') return;
			expect(event).toEqual(start);
			expect(moved.boot).toBe(state.boot + 1);
		}),
	);
});

test('an event that changes nothing answers the same state', () => {
	fc.assert(
		fc.property(anyLife, anyEvent, (state, event) => {
			const moved = advance(state, event);
			const isSame = moved === state;
			// What is shown follows from the rest.
			const [{actual: _, ...before}, {actual: __, ...now}] = [state, moved];
			expect(isSame).toBe(JSON.stringify(before) === JSON.stringify(now));
		}),
	);
});

test('reports about another boot change nothing', () => {
	fc.assert(
		fc.property(anyLife, anyEvent, (state, event) => {
			if (event.kind !== 'report' || event.boot === state.boot) return;
			expect(advance(state, event)).toBe(state);
		}),
	);
});

test('a silence and its end leave an instance as it was', () => {
	fc.assert(
		fc.property(anyLife, fc.constantFrom(silent, lost), (state, quiet) => {
			const before = advance(state, heard);
			expect(after(before, quiet, heard)).toEqual(before);
		}),
	);
});

test('boots and containers only count up, and a new container is a new boot', () => {
	fc.assert(
		fc.property(anyLife, anyEvent, (state, event) => {
			const {boot, container} = advance(state, event);
			expect(boot - state.boot).toBeOneOf([0, 1]);
			expect(container - state.container).toBeOneOf([0, 1]);
			expect(boot - state.boot).toBeGreaterThanOrEqual(container - state.container);
		}),
	);
});
