import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	decide,
	idleAgain,
	leaseAfterStop,
	costLimitWarning,
	type Sighting,
} from '../../../source/renter/leases/decide.ts';
import {endlessLease, type Lease} from '../../../source/renter/words/lease.ts';
import {runs} from '../../helpers/property.ts';

const MADE = 1_764_000_000;
const END = MADE + 3600;

const deadline: Lease = {...endlessLease, endsAt: END};

/** Looks at seconds after the deadline, on clocks that agree unless `date` says otherwise. */
type Shown = Partial<Omit<Sighting, 'idle'>> & {readonly at: number; readonly isIdle?: boolean};

function looks(...shown: readonly Shown[]): readonly Sighting[] {
	let row: readonly Sighting[] = [];
	for (const {at, isIdle = false, ...given} of shown) {
		const now = {
			date: (END + at) * 1000,
			steady: at * 1000,
			startDate: MADE,
			isStopped: false,
			cost: undefined,
			...given,
		};
		row = [...row, {...now, idle: isIdle ? idleAgain(row.at(-1), now) : undefined}];
	}
	return row;
}

const idle = (at: number) => ({at, isIdle: true});
const costs = (at: number, cost: number | undefined) => ({at, cost});

test('a deadline ends an instance on two looks at least ten seconds apart', () => {
	expect(decide(deadline, looks({at: 1}))).toEqual({kind: 'wait'});
	expect(decide(deadline, looks({at: 1}, {at: 10.9}))).toEqual({kind: 'wait'});
	expect(decide(deadline, looks({at: -1}, {at: 10}))).toEqual({kind: 'wait'});
	expect(decide(deadline, looks({at: -9}, {at: 1}, {at: 11}))).toMatchObject({
		kind: 'end',
		action: 'destroy',
		rule: 'deadline',
		lateMs: 11_000,
		evidence:
			'deadline 2025-11-24T17:00:00Z, two lists at 2025-11-24T17:00:01Z and 2025-11-24T17:00:11Z',
	});
});

test('nothing is ended where the clocks of the two looks disagree', () => {
	const jumped = {at: 20, date: (END + 7200) * 1000};
	expect(decide(deadline, looks({at: 1}, jumped))).toEqual({kind: 'wait'});
	// A machine that slept: its clock stood still while the date went on.
	expect(decide(deadline, looks({at: -3000}, {at: 1, steady: -2_990_000}))).toEqual({kind: 'wait'});
	expect(decide(deadline, looks({at: 1}, {at: 20, date: (END - 50) * 1000}))).toEqual({
		kind: 'wait',
	});
});

test('another instance under the same number is not ended', () => {
	expect(decide(deadline, looks({at: 1}, {at: 20, startDate: MADE + 1}))).toEqual({kind: 'wait'});
	const unsaid = {startDate: undefined};
	expect(decide(deadline, looks({at: 1, ...unsaid}, {at: 20, ...unsaid}))).toEqual({kind: 'wait'});
});

test('what is stopped first is destroyed an hour later, and not before', () => {
	const lease: Lease = {...deadline, action: 'stop-destroy'};
	const stopped = {isStopped: true};
	expect(decide(lease, looks({at: 1}, {at: 20}))).toMatchObject({action: 'stop'});
	expect(decide(lease, looks({at: 3000, ...stopped}, {at: 3599, ...stopped})).kind).toBe('wait');
	expect(decide(lease, looks({at: 3600, ...stopped}, {at: 3611, ...stopped}))).toMatchObject({
		action: 'destroy',
	});
	expect(
		decide({...deadline, action: 'stop'}, looks({at: 1, ...stopped}, {at: 20, ...stopped})),
	).toEqual({kind: 'wait'});
});

test('idle looks end an instance only in an unbroken row', () => {
	const lease: Lease = {...endlessLease, idleSeconds: 120, action: 'stop'};
	expect(decide(lease, looks(idle(0), idle(60), idle(120)))).toMatchObject({
		kind: 'end',
		action: 'stop',
		rule: 'idle',
		evidence: 'idle for 120 s in 3 looks until 2025-11-24T17:02:00Z',
	});
	expect(decide(lease, looks(idle(0), idle(60), idle(119))).kind).toBe('wait');
	expect(decide(lease, looks(idle(0), {at: 60}, idle(120))).kind).toBe('wait');
	expect(decide(lease, looks(idle(0), idle(91), idle(150))).kind).toBe('wait');
	expect(decide(lease, looks(idle(0), idle(60), {at: 120})).kind).toBe('wait');
});

test('a cost ends an instance on two looks that show it', () => {
	const lease: Lease = {...endlessLease, maxCost: 20};
	expect(decide(lease, looks(costs(0, 19.9), costs(20, 20.1))).kind).toBe('wait');
	expect(decide(lease, looks(costs(0, 20), costs(20, undefined))).kind).toBe('wait');
	expect(decide(lease, looks(costs(0, 20), costs(20, 20.1)))).toMatchObject({
		rule: 'cost',
		evidence:
			'cost at least $20.10 of $20, two lists at 2025-11-24T17:00:00Z and 2025-11-24T17:00:20Z',
	});
});

test('a kept instance ends by its own deadline alone', () => {
	const kept: Lease = {...endlessLease, idleSeconds: 60, maxCost: 1, isKept: true};
	const row = looks(
		{at: 0, isIdle: true, cost: 5},
		{at: 60, isIdle: true, cost: 5},
		{at: 90, isIdle: true, cost: 5},
	);
	expect(decide(kept, row).kind).toBe('wait');
	expect(decide({...kept, endsAt: END}, row)).toMatchObject({rule: 'deadline'});
});

test('an instance that was stopped for idling has a deadline for its end from then on', () => {
	const lease: Lease = {...endlessLease, idleSeconds: 60, action: 'stop-destroy'};
	expect(leaseAfterStop(lease, 'idle', END * 1000)).toEqual({
		...endlessLease,
		endsAt: END + 3600,
		action: 'destroy',
	});
	expect(leaseAfterStop(lease, 'deadline', END * 1000)).toBeUndefined();
	expect(leaseAfterStop({...lease, action: 'stop'}, 'idle', END * 1000)).toBeUndefined();
});

const chance = <Value>(usual: Value, seldom: fc.Arbitrary<Value>) =>
	fc.oneof({weight: 9, arbitrary: fc.constant(usual)}, seldom);

/** What happens between two looks, in seconds; a wrong date is never wrong by as much as another. */
const steps = fc.array(
	fc.record({
		passed: fc.integer({min: 1, max: 120}),
		wrong: chance(0, fc.constantFrom(-1, 1)),
		slept: chance(0, fc.integer({min: 3000, max: 9000})),
		isMissing: chance(false, fc.constant(true)),
		isAnother: chance(false, fc.constant(true)),
	}),
	{minLength: 1, maxLength: 60},
);

test('no single wrong clock or list ends an instance early, and no quiet time leaves it', () => {
	const check = fc.property(steps, sequence => {
		let [real, steady, quiet] = [-1800, 0, 0];
		const row: Shown[] = [];
		for (const [index, {passed, wrong, slept, isMissing, isAnother}] of sequence.entries()) {
			real += passed + slept;
			steady += passed;
			const isDisturbed = [wrong !== 0, slept > 0, isMissing, isAnother, real < 0].includes(true);
			quiet = isDisturbed ? 0 : quiet + passed;
			if (isMissing) continue;
			const date = (END + real + wrong * (500 + 10 * index)) * 1000;
			row.push({at: real, steady: steady * 1000, date, startDate: MADE + (isAnother ? 1 : 0)});
			const isEnded = decide(deadline, looks(...row)).kind === 'end';
			if (isEnded ? real < 0 : quiet > 132) return false;
		}
		return true;
	});
	fc.assert(check, {numRuns: runs(1000)});
});

test.each([
	[0.4, 0.99, {}, undefined],
	[0.4, 1, {}, 'at least $0.40, at most $1.00, of $1'],
	[undefined, 1.2, {}, 'at least $0.00, at most $1.20, of $1'],
	[0.4, undefined, {}, undefined],
	[1, 1.2, {}, undefined],
	[0.4, 1.2, {isKept: true}, undefined],
	[0.4, 1.2, {maxCost: undefined}, undefined],
	[0.4, 1.2, {action: 'stop'}, 'at least $0.40, at most $1.20, of $1'],
] as const)(
	'a cost of at least %s and at most %s is said where it may be over, and ends nothing: %j',
	(cost, costAtMost, given, text) => {
		const lease: Lease = {...endlessLease, maxCost: 1, ...given};
		const row = looks({at: 0, cost, costAtMost}, {at: 20, cost, costAtMost});
		const [last] = row.slice(-1);
		expect(last && costLimitWarning(lease, last)).toBe(text);
		expect(decide(lease, row).kind).toBe(cost === 1 ? 'end' : 'wait');
		const isStopped = true;
		expect(last && costLimitWarning({...lease, action: 'stop'}, {...last, isStopped})).toBe(
			undefined,
		);
	},
);
