import {expect, test} from 'vitest';
import {
	advance,
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

const report = (status: HostStatus, boot = 1): LifecycleEvent => ({kind: 'report', status, boot});
const start: LifecycleEvent = {kind: 'start', hasGpus: true};
const queue: LifecycleEvent = {kind: 'start', hasGpus: false};
const stop: LifecycleEvent = {kind: 'stop'};
const outbid: LifecycleEvent = {kind: 'outbid'};
const reboot: LifecycleEvent = {kind: 'reboot'};
const recycle: LifecycleEvent = {kind: 'recycle'};
const destroy: LifecycleEvent = {kind: 'destroy'};
const silent: LifecycleEvent = {kind: 'contact', contact: 'silent'};
const lost: LifecycleEvent = {kind: 'contact', contact: 'lost'};
const heard: LifecycleEvent = {kind: 'contact', contact: 'heard'};

const made = newInstance('running', 'heard');
const up = after(made, report('loading'), report('running'));

const states = {
	made,
	loading: after(made, report('loading')),
	up,
	crashed: after(up, report('exited')),
	rebooting: after(up, reboot),
	halted: after(up, stop),
	queued: after(up, stop, queue),
	outbid: after(up, outbid),
	'made stopped': newInstance('stopped', 'heard'),
	'without capacity': newWithoutCapacity('heard'),
	silent: after(up, silent),
	lost: after(up, lost),
	'halted and lost': after(up, stop, lost),
	destroyed: after(up, destroy),
} as const satisfies Record<string, InstanceState>;

const events = {
	'is loading': report('loading'),
	'is up': report('running'),
	exits: report('exited'),
	fails: report('failed'),
	stops: stop,
	'starts with GPUs': start,
	'starts without GPUs': queue,
	'is outbid': outbid,
	reboots: reboot,
	'is recycled': recycle,
	'is destroyed': destroy,
	'is not heard': silent,
	'is lost': lost,
	'is heard': heard,
} as const satisfies Record<string, LifecycleEvent>;

function words({actual, intended, current, next}: InstanceState): string {
	return [actual, intended, current, next].join(' ');
}

test('an instance goes through its life as the wire shows it', () => {
	const steps = [report('loading'), report('running'), stop, start, report('loading', 2)];
	const lives = steps.map((_, index) => words(after(made, ...steps.slice(0, index + 1))));
	expect([words(made), ...lives]).toEqual([
		' running running running',
		'loading running running running',
		'running running running running',
		'exited stopped stopped stopped',
		'exited running running running',
		'loading running running running',
	]);
});

/** What is shown as actual, intended, current and next; `=` where nothing changes. */
const table: ReadonlyArray<
	readonly [state: keyof typeof states, event: keyof typeof events, shown: string]
> = [
	['made', 'is loading', 'loading running running running'],
	['made', 'is up', 'running running running running'],
	['made', 'fails', 'exited stopped stopped stopped'],
	['made', 'stops', 'exited stopped stopped stopped'],
	['made', 'starts with GPUs', '='],
	['made', 'starts without GPUs', '='],
	['made', 'is outbid', 'exited running stopped stopped'],
	['made', 'is not heard', 'unknown running running running'],
	['made', 'is lost', 'offline running running running'],
	['made', 'is destroyed', ' stopped unloaded unloaded'],
	['loading', 'is loading', '='],
	['loading', 'is up', 'running running running running'],
	['loading', 'exits', 'exited running running running'],
	['loading', 'fails', 'exited stopped stopped stopped'],
	['loading', 'stops', 'exited stopped stopped stopped'],
	['up', 'is up', '='],
	['up', 'exits', 'exited running running running'],
	['up', 'fails', 'exited stopped stopped stopped'],
	['up', 'stops', 'exited stopped stopped stopped'],
	['up', 'starts with GPUs', '='],
	['up', 'starts without GPUs', '='],
	['up', 'is outbid', 'exited running stopped stopped'],
	['up', 'reboots', 'loading running running running'],
	['up', 'is recycled', 'loading running running running'],
	['up', 'is destroyed', 'running stopped unloaded unloaded'],
	['up', 'is not heard', 'unknown running running running'],
	['up', 'is lost', 'offline running running running'],
	['up', 'is heard', '='],
	['crashed', 'is up', 'running running running running'],
	['crashed', 'starts with GPUs', '='],
	['crashed', 'stops', 'exited stopped stopped stopped'],
	['crashed', 'reboots', 'loading running running running'],
	['rebooting', 'is up', '='],
	['rebooting', 'stops', 'exited stopped stopped stopped'],
	['halted', 'is up', '='],
	['halted', 'exits', '='],
	['halted', 'fails', '='],
	['halted', 'stops', '='],
	['halted', 'starts with GPUs', 'exited running running running'],
	['halted', 'starts without GPUs', 'exited running stopped running'],
	['halted', 'is outbid', '='],
	['halted', 'reboots', '='],
	['halted', 'is recycled', '='],
	['halted', 'is not heard', 'unknown stopped stopped stopped'],
	['halted', 'is destroyed', 'exited stopped unloaded unloaded'],
	['queued', 'is up', '='],
	['queued', 'stops', 'exited stopped stopped stopped'],
	['queued', 'starts with GPUs', 'exited running running running'],
	['queued', 'starts without GPUs', '='],
	['queued', 'reboots', '='],
	['outbid', 'stops', 'exited stopped stopped stopped'],
	['outbid', 'starts with GPUs', 'exited running running running'],
	['outbid', 'starts without GPUs', 'exited running stopped running'],
	['outbid', 'is outbid', '='],
	['made stopped', 'stops', '='],
	['made stopped', 'starts with GPUs', ' running running running'],
	['made stopped', 'starts without GPUs', ' running stopped running'],
	['without capacity', 'stops', '='],
	['without capacity', 'starts with GPUs', ' running running running'],
	['silent', 'is heard', 'running running running running'],
	['silent', 'is lost', 'offline running running running'],
	['silent', 'stops', 'unknown stopped stopped stopped'],
	['lost', 'is heard', 'running running running running'],
	['lost', 'exits', 'offline running running running'],
	['lost', 'stops', 'offline stopped stopped stopped'],
	['lost', 'is destroyed', 'offline stopped unloaded unloaded'],
	['halted and lost', 'is heard', 'exited stopped stopped stopped'],
];

test.each(table)('an instance that is %s and %s shows "%s"', (name, event, shown) => {
	const state = states[name];
	const [boot, next] = [state.boot, events[event]];
	const moved = advance(
		state,
		next.kind === 'report' && name !== 'rebooting' ? {...next, boot} : next,
	);
	if (shown === '=') expect(moved).toBe(state);
	else expect(words(moved)).toBe(shown);
});

test.each(Object.keys(events))('what is destroyed stays so when it %s', name => {
	const [, event] = Object.entries(events).find(([known]) => known === name) ?? [];
	expect(event && advance(states.destroyed, event)).toBe(states.destroyed);
});

test.each([
	['outbid', states.outbid, messages.outbid],
	['queued', states.queued, messages.queued],
	['made without capacity', states['without capacity'], messages.noCapacity],
	['stopped by its renter', states.halted, null],
	[
		'stopped for a reason',
		after(up, {kind: 'stop', message: messages.noCredit}),
		messages.noCredit,
	],
	['stopped again after that', after(up, {kind: 'stop', message: 'Why.'}, stop), 'Why.'],
	['started again after that', after(up, {kind: 'stop', message: 'Why.'}, start), null],
	['rebooting', states.rebooting, 'rebooting'],
	['recycling', after(up, recycle), 'recycling'],
])('one that is %s says why', (_, state, message) => {
	expect(state.message).toBe(message);
});

test('what a host says is shown with its words', () => {
	const said: LifecycleEvent = {
		kind: 'report',
		boot: 1,
		status: 'failed',
		message: 'No such image',
	};
	expect(advance(made, said)).toMatchObject({actual: 'exited', message: 'Error: No such image'});
	const error = 'Error response from daemon: no such image';
	expect(advance(made, {...said, message: error})).toMatchObject({message: error});
	expect(advance(made, {...said, message: null})).toMatchObject({
		message: 'Error: its host gave no reason.',
	});
	expect(advance(made, {...said, status: 'loading'})).toMatchObject({message: 'No such image'});
});

test.each([
	['made', false, true],
	['loading', false, true],
	['up', true, true],
	['crashed', false, true],
	['rebooting', false, true],
	['halted', false, true],
	['outbid', false, true],
	['silent', false, true],
	['lost', false, false],
	['halted and lost', false, false],
] as const)(
	'one that is %s pays for computing: %s, and for its disk: %s',
	(name, compute, disk) => {
		expect(metersOf(states[name])).toEqual({compute, disk});
	},
);
