import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {followEnds, createNextChange} from '../../../source/renter/alerts/fleet-alerts.ts';
import {keptAlert, openKeptAlerts} from '../../../source/renter/alerts/kept-alerts.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {DAY, MINUTE} from '../../../source/contract/rules/durations.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {fleetTexts} from '../../../source/renter/fleet/fleet-texts.ts';
import type {Budget} from '../../../source/renter/leases/budgets.ts';
import {endlessLease, type Lease, writeLabel} from '../../../source/renter/words/lease.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {listOf, lookAt, startDate} from '../../helpers/fleet/looks.ts';
import type {Event} from '../../../source/renter/words/alert.ts';

const perHour: Budget = {
	profile: undefined,
	label: undefined,
	perHour: 1,
	perDay: undefined,
	perMonth: undefined,
	action: 'refuse',
	order: 'cheapest-loss',
};

/** An instance with a lease that is watched, by a clock that is moved by hand. */
type Known = {readonly lost?: Lease; readonly movedMs?: number};

function openEnds(lease: Partial<Lease>, budgets: readonly Budget[] = []) {
	const {localNow} = lookAt(0);
	const clock = createHandScheduler(localNow);
	const state = createStore(unseenFleet);
	const alerts = openKeptAlerts(undefined, clock.now);
	const said: string[] = [];
	let held = {...endlessLease, ...lease};
	const close = followEnds({
		fleet: {state},
		notify: {alert: (alert, text) => alerts.add(keptAlert(alert)) && said.push(text) > 0},
		alerts,
		timers: clock,
		profile: 'lab',
		budgets: () => budgets,
	});
	/** Says what the service lists at this moment. */
	const sees = (more: Partial<Instance> = {}, isListed = true, known: Known = {}) => {
		const label = writeLabel('train', held) ?? '';
		const wishes = {intended_status: 'running', cur_state: 'running', actual_status: 'running'};
		const instance = {id: 7, label, start_date: startDate(0), ...wishes, ...more};
		const look = lookAt((clock.now() - localNow) / 60_000);
		const agreed = {lost: () => known.lost, movedMs: () => known.movedMs};
		const taken = {...look, agreed};
		state.set(applyList(state.get(), listOf(isListed ? [instance] : []), taken));
	};
	return {
		said,
		alerts,
		state,
		sees,
		close,
		planned: clock.planned,
		pass: async (minutes: number) => clock.pass(minutes * 60_000),
		lease: (next: Partial<Lease>) => (held = {...endlessLease, ...next}),
		news: () => alerts.get().flatMap(({isNew, kind}) => (isNew ? [kind] : [])),
	};
}

const start = lookAt(0).now / 1000;
const minutesToMidnight = (DAY - (start % DAY)) / MINUTE;

test('an end is told an hour, ten minutes and one minute before, by the clock between two looks', async () => {
	const {sees, pass, said, news} = openEnds({endsAt: start + 180 * 60});
	sees();
	await pass(119);
	expect(said).toEqual([]);
	await pass(1.1);
	expect(said).toEqual(['7 train ends in 60 min. A lists alerts; + there puts it off by an hour.']);
	await pass(50);
	await pass(9);
	expect(said.map(text => /ends in (\d+) min/.exec(text)?.[1])).toEqual(['60', '10', '1']);
	// The nearest one stands for those before it.
	sees();
	expect(news()).toEqual(['lease-ending']);
});

test('an end is no news to who has just set it: at the rent, or later', async () => {
	const {sees, pass, said, lease} = openEnds({endsAt: start + 20 * 60});
	sees();
	expect(said).toEqual([]);
	lease({endsAt: start + 40 * 60});
	sees();
	expect(said).toEqual([]);
	await pass(30.1);
	expect(said.map(text => text.split('.')[0])).toEqual(['7 train ends in 10 min']);
});

test('who looks late is told the time that is left, once', async () => {
	const old = {start_date: startDate(-300)};
	const {sees, pass, said} = openEnds({endsAt: start + 25 * 60});
	sees(old);
	sees(old);
	await pass(5);
	sees(old);
	expect(said.map(text => text.split('.')[0])).toEqual(['7 train ends in 25 min']);
});

test('an end that is put off is no alert any more, and is told anew when it comes', async () => {
	const old = {start_date: startDate(-300)};
	const {sees, pass, said, news, lease} = openEnds({endsAt: start + 600});
	sees(old);
	expect(news()).toEqual(['lease-ending']);
	lease({endsAt: start + 600 + 2 * 3600});
	sees(old);
	expect(news()).toEqual([]);
	await pass(71);
	expect(said).toHaveLength(2);
	expect(news()).toEqual(['lease-ending']);
});

test('an end that did not come is said to be late, and by how much', async () => {
	const {sees, pass, said, news} = openEnds({endsAt: start + 30});
	sees();
	await pass(2.6);
	sees();
	expect(said.at(-1)).toBe(
		'7 train was to end 2 min ago, and is still there. It may go on costing: nothing has ended it.',
	);
	expect(news()).toEqual(['lease-failed']);
	await pass(30);
	sees();
	expect(said).toHaveLength(1);
});

test('a label that lost the lease that was agreed is told once, with how it is restored', () => {
	const {sees, said, news} = openEnds({});
	const lost = {...endlessLease, idleSeconds: 1800};
	for (const _ of [1, 2]) sees({label: 'train'}, true, {lost});
	expect(said).toEqual([
		expect.stringMatching(
			/^7 train has lost its lease\..*agreed: idle 30m.*rentty lease 7 --restore/,
		),
	]);
	expect(news()).toEqual(['guard-trouble']);
});

test('a deadline that a wrong clock moved is told once, with what sets it', () => {
	const {sees, said, news} = openEnds({endsAt: start + 5 * 3600});
	for (const _ of [1, 2]) sees({}, true, {movedMs: 3_600_000});
	expect(said).toEqual([
		expect.stringMatching(
			/^7 train ends at another time than was asked for\..*1 h ahead.*rentty lease 7 --for \d+m sets/,
		),
	]);
	expect(news()).toEqual(['lease-changed']);
});

test('an instance that is stopped by its lease has ended, and is not late', async () => {
	const {sees, pass, said} = openEnds({endsAt: start + 30, action: 'stop'});
	sees();
	await pass(1);
	const stopped = {actual_status: 'exited', intended_status: 'stopped', cur_state: 'stopped'};
	sees(stopped);
	expect(said.at(-1)).toBe('7 train has ended. stopped: lease deadline');
	await pass(10);
	sees(stopped);
	expect(said).toHaveLength(1);
});

test.for([
	['no lease', {}],
	['a lease for idling', {idleSeconds: 600}],
	['a deadline far away', {endsAt: start + 90_000}],
] as const)('nothing is told of %s', async ([, lease]) => {
	const {sees, pass, said} = openEnds(lease);
	sees();
	await pass(60);
	sees();
	expect(said).toEqual([]);
});

test('a budget is told at 80 % and when it is spent, once a day each', () => {
	const {sees, said} = openEnds({}, [perHour]);
	sees({dph_total: 0.5});
	expect(said).toEqual([]);
	sees({dph_total: 0.85});
	sees({dph_total: 0.85});
	expect(said).toEqual(['lab nears its budget. It costs $0.85 of $1 an hour.']);
	sees({dph_total: 1.2});
	expect(said.at(-1)).toMatch(/^The budget of lab is spent\./);
});

test('what was charged yesterday is told of once, and is not said of today', async () => {
	const {sees, said, state, pass} = openEnds({}, [{...perHour, perHour: undefined, perDay: 5}]);
	sees({dph_total: 0.3});
	await pass(minutesToMidnight - 1);
	state.set({
		...state.get(),
		spent: {today: 6.2, month: 60, at: lookAt(minutesToMidnight - 1).now},
	});
	const told = ['The budget of lab is spent. It costs at least $6.20 of $5 a day.'];
	expect(said).toEqual(told);
	// A change of the fleet between midnight and the next list.
	await pass(2);
	state.set({...state.get()});
	expect(said).toEqual(told);
	expect(fleetTexts(state.get()).today).toBe('$6.20');
	sees({dph_total: 0.3});
	expect(said).toEqual(told);
	expect(fleetTexts(state.get()).today).toBe('');
	expect(state.get().spent).toMatchObject({today: undefined, month: 60});
});

test('what is no longer watched waits for nothing', () => {
	const {sees, close, planned} = openEnds({endsAt: start + 7200});
	sees();
	expect(planned()).toBe(1);
	close();
	expect(planned()).toBe(0);
});

const is = (status: string, id = 7): Instance => ({id, label: 'train-a', actual_status: status});

/** A fleet that is looked at every minute, and what is told of it. */
function openAsked() {
	const state = createStore(unseenFleet);
	const told: Event[] = [];
	const asked = createNextChange(
		{state},
		{
			send: event => told.push(event) > 0,
			alert: () => true,
			setTrouble: () => undefined,
			setBooting: () => undefined,
		},
	);
	let minute = 0;
	return {
		...asked,
		texts: () => told.map(({text}) => text),
		states: () => new Set(told.map(event => event.state)),
		look(...instances: readonly Instance[]) {
			minute += 1;
			state.set(applyList(state.get(), listOf(instances), lookAt(minute)));
		},
	};
}

test('the next change of an instance is told to whoever asked for it, once', () => {
	const asked = openAsked();
	asked.look(is('loading'), is('loading', 8));
	expect(asked.toggle(7)).toBe(true);
	asked.look(is('loading'), is('loading', 8));
	expect(asked.texts()).toEqual([]);
	asked.look(is('running'), is('running', 8));
	expect(asked.texts()).toEqual(['train-a (7) was loading, and is now running.']);
	expect(asked.isAsked(7)).toBe(false);
	asked.look(is('exited'), is('exited', 8));
	expect(asked.texts()).toHaveLength(1);
});

test('asked twice is not asked, and asked anew is told even of the same state', () => {
	const asked = openAsked();
	asked.look(is('loading'));
	asked.toggle(7);
	expect(asked.toggle(7)).toBe(false);
	asked.look(is('running'));
	expect(asked.texts()).toEqual([]);
	asked.toggle(7);
	asked.look(is('loading'));
	asked.look(is('running'));
	asked.toggle(7);
	asked.look(is('loading'));
	// Each has a name of its own, so that what tells each thing once tells it again.
	expect(asked.states().size).toBe(2);
});
