import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {MARK_VARIABLE} from '../../../source/contract/rules/env.ts';
import {orderWithMark, matchInstance} from '../../../source/client/rentals/match-instance.ts';
import {
	isDoubtful,
	learn,
	readPendingRent,
	type PendingRent,
	type RentState,
} from '../../../source/client/rentals/pending-rent.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';

const AT = 1_795_000_000_000;

function pendingRentOf(given: Partial<PendingRent> = {}): PendingRent {
	return {
		token: 'mine',
		service: 'https://console.example',
		profile: 'prod',
		offerId: 7,
		machineId: 70,
		label: 'trainer',
		notedAt: AT,
		owner: 1,
		before: [1, 2],
		state: {kind: 'sent', at: AT},
		...given,
	};
}

function instanceOf(id: number, given: Partial<Instance> = {}): Instance {
	return {id, machine_id: 70, label: 'trainer', start_date: AT / 1000 + 2, ...given};
}

const marked = (id: number, token: string) => instanceOf(id, {extra_env: [[MARK_VARIABLE, token]]});

const states: readonly RentState[] = [
	{kind: 'sent', at: AT},
	{kind: 'unknown', at: AT, candidates: []},
	{kind: 'not created', at: AT, why: 'not found'},
	{kind: 'not created', at: AT, why: 'refused', says: 'no credit'},
	{kind: 'created', at: AT, id: 9, proof: 'mark'},
];

test('in whatever order processes learn of a pending rent, what says the most is left', () => {
	fc.assert(
		fc.property(fc.shuffledSubarray([...states], {minLength: 1}), some => {
			const best = states.findLast(state => some.includes(state));
			const pending = pendingRentOf();
			const sent = best?.kind === 'sent' ? pending.state : best;
			expect(some.reduce(learn, pending).state).toEqual(sent);
		}),
	);
});

test('an instance that was found stays found', () => {
	const created = learn(pendingRentOf(), {kind: 'created', at: AT, id: 9, proof: 'answer'});
	expect(learn(created, {kind: 'created', at: AT + 1, id: 10, proof: 'comparison'})).toBe(created);
	expect(created.before).toBeUndefined();
});

test('a pending rent is the same after it was written and read', () => {
	for (const state of states) {
		const pending = pendingRentOf({state});
		expect(readPendingRent(JSON.parse(JSON.stringify(pending)))).toEqual(pending);
	}
	expect(readPendingRent({...pendingRentOf(), state: {kind: 'granted'}})).toBeUndefined();
	expect(readPendingRent(null)).toBeUndefined();
});

test('what was not found is doubted for an hour', () => {
	const pending = pendingRentOf({state: {kind: 'not created', at: AT, why: 'not found'}});
	expect(isDoubtful(pending, AT + 3_599_000)).toBe(true);
	expect(isDoubtful(pending, AT + 3_600_000)).toBe(false);
	const refused = pendingRentOf({state: {kind: 'not created', at: AT, why: 'refused'}});
	expect(isDoubtful(refused, AT)).toBe(false);
});

test('an order is marked beside its own environment, and left alone where there is no room', () => {
	const order = {
		image: 'i',
		env: [
			['A', '1'],
			[MARK_VARIABLE, 'of another rental'],
		],
	} as const;
	expect(orderWithMark(order, 'mine').env).toEqual([
		['A', '1'],
		[MARK_VARIABLE, 'mine'],
	]);
	const full = {image: 'i', env: [['A', 'x'.repeat(32_766)]]} as const;
	expect(orderWithMark(full, 'mine')).toBe(full);
});

type Case = readonly [
	name: string,
	instances: readonly Instance[],
	expected: ReturnType<typeof matchInstance>,
	others?: readonly PendingRent[],
	pending?: Partial<PendingRent>,
];

const rival = pendingRentOf({token: 'rival', machineId: undefined});
const none = {kind: 'none'} as const;
const compared = (id: number) => ({kind: 'found', id, proof: 'comparison'}) as const;

const cases: readonly Case[] = [
	['its mark', [instanceOf(8), marked(9, 'mine')], {kind: 'found', id: 9, proof: 'mark'}],
	['its mark twice', [marked(9, 'mine'), marked(8, 'mine')], {kind: 'found', id: 8, proof: 'mark'}],
	['the mark of another', [marked(9, 'theirs')], none],
	['a new instance', [instanceOf(1), instanceOf(9)], compared(9)],
	['one that was there before', [instanceOf(2)], none],
	['two new ones', [instanceOf(8), instanceOf(9)], {kind: 'several', ids: [8, 9]}],
	['another machine', [instanceOf(9, {machine_id: 71})], none],
	['another label', [instanceOf(9, {label: null})], none],
	['a machine that is not said', [instanceOf(9, {machine_id: undefined})], compared(9)],
	['one of last week', [instanceOf(9, {start_date: AT / 1000 - 600_000})], none],
	[
		'one for which there are two pending rents',
		[instanceOf(9)],
		{kind: 'several', ids: [9]},
		[rival],
	],
	[
		'one that another pending rent has become',
		[instanceOf(9)],
		none,
		[{...rival, state: {kind: 'created', at: AT, id: 9, proof: 'answer'}}],
	],
	[
		'one beside a pending rent that was refused',
		[instanceOf(9)],
		compared(9),
		[{...rival, state: {kind: 'not created', at: AT, why: 'refused'}}],
	],
	['no list of before', [instanceOf(9)], none, [], {before: undefined}],
	['any label where none was wished', [instanceOf(9)], compared(9), [], {label: undefined}],
];

test.for(cases)(
	'an instance is known by %s',
	([, instances, expected, others = [], given = {}]) => {
		const pending = pendingRentOf(given);
		expect(matchInstance(pending, instances, [pending, ...others], AT)).toEqual(expected);
	},
);
