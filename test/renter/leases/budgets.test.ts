import {UserFileError} from '../../../source/renter/text/usage-error.ts';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {
	budgetState,
	budgetText,
	isCounted,
	readBudgets,
	stopsFor,
	type Budget,
} from '../../../source/renter/leases/budgets.ts';
import {
	createBudgetKeeping,
	type CountedInstance,
} from '../../../source/renter/leases/budget-keeping.ts';
import {endlessLease} from '../../../source/renter/words/lease.ts';

const [budget] = readBudgets('[{"perHour": 5, "action": "stop"}]');
if (budget === undefined) throw new Error('there is no budget');

function instance(id: number, perHour: number, given: Partial<Instance> = {}): Instance {
	const running = {actual_status: 'running', cur_state: 'running', intended_status: 'running'};
	return {id, ...running, dph_total: perHour, storage_total_cost: 0.1, start_date: id, ...given};
}

function counted(of: Instance, soFar: number, isKept = false): CountedInstance {
	const lease = isKept ? {...endlessLease, isKept} : undefined;
	return {instance: of, soFar, lease, label: '', isUnknown: false};
}

test('a budget is near at 80 percent, and over above all of it', () => {
	const level = (hour: number) =>
		budgetState(budget, {hour, day: undefined, month: undefined})?.level;
	expect([3.9, 4, 5, 5.1].map(level)).toEqual(['fine', 'near', 'near', 'over']);
	const all = {...budget, perDay: 10, perMonth: 100};
	expect(budgetState(all, {hour: 1, day: 9, month: 120})).toMatchObject({
		of: 'month',
		level: 'over',
	});
	expect(budgetState(budget, {hour: undefined, day: 5, month: 5})).toBeUndefined();
});

test.each([
	// What is certain counts; what may be over is said with both sums.
	[1, 1, 'fine', '$1.00 of $5 an hour'],
	[1, 5, 'fine', 'at least $1.00, at most $5.00, of $5 an hour'],
	[1, 5.1, 'may be over', 'at least $1.00, at most $5.10, of $5 an hour'],
	[4.5, 6, 'may be over', 'at least $4.50, at most $6.00, of $5 an hour'],
	[4.5, undefined, 'near', 'at least $4.50 of $5 an hour'],
	[5.1, 6, 'over', 'at least $5.10, at most $6.00, of $5 an hour'],
	[Infinity, Infinity, 'over', 'an unknown amount of $5 an hour'],
] as const)('of $5 an hour, at least $%d and at most $%d is %s', (hour, atMost, level, text) => {
	const state = budgetState(budget, {hour, day: undefined, month: undefined}, atMost);
	expect([state?.level, state && budgetText(state)]).toEqual([level, text]);
	const all = {...budget, perDay: 10};
	const day = budgetState(all, {hour, day: 9.9, month: undefined}, atMost);
	expect(day?.of).toBe(level === 'fine' || level === 'near' ? 'day' : 'hour');
});

test('as few are stopped as it takes, where least is lost, and never what is kept or stopped', () => {
	const stopped = {cur_state: 'stopped', intended_status: 'stopped', actual_status: 'exited'};
	const all = [
		{instance: instance(1, 3), isKept: false, soFar: 50},
		{instance: instance(2, 2), isKept: false, soFar: 1},
		{instance: instance(3, 2), isKept: true, soFar: 0},
		{instance: instance(4, 2, stopped), isKept: false, soFar: 0},
	];
	const stops = (order: Budget['order'], spent: number) => {
		const state = {level: 'over', of: 'hour', limit: 5, spent, atMost: undefined} as const;
		return stopsFor({...budget, order}, state, all).map(({instance: {id}}) => id);
	};
	expect(stops('cheapest-loss', 6)).toEqual([2]);
	expect(stops('cheapest-loss', 9)).toEqual([2, 1]);
	expect(stops('dearest', 6)).toEqual([1]);
	expect(stops('newest', 6)).toEqual([2]);
	const day = {level: 'over', of: 'day', limit: 5, spent: 6, atMost: undefined} as const;
	expect(stopsFor(budget, day, all)).toHaveLength(2);
});

test('a budget stops nothing on one look, nor where the clocks disagree', async () => {
	const ended: number[] = [];
	const told: string[] = [];
	const keeping = createBudgetKeeping({
		profile: 'lab',
		budgets: [budget],
		charged: async () => ({day: undefined, month: undefined}),
		report: event => told.push(event.kind === 'budget' ? event.state.level : event.kind),
		end: ({instance: {id}}) => ended.push(id),
	});
	const three = [
		counted(instance(1, 3), 9),
		counted(instance(2, 3), 1),
		counted(instance(3, 1), 0, true),
	];
	const look = async (seconds: number, date = seconds) =>
		keeping.check(three, {steady: seconds * 1000, date: date * 1000});
	await look(0);
	await look(5);
	await look(20, 7200);
	expect(ended).toEqual([]);
	await look(30, 7210);
	expect(ended).toEqual([2]);
	expect(told).toEqual(['over']);
});

const boots = {actual_status: 'loading'};

function fleet(given: Partial<Instance>): readonly CountedInstance[] {
	return [counted(instance(1, 3), 9), counted(instance(2, 3, given), 1)];
}

test('what may cost too much is one alert, and stops nothing until that is certain', async () => {
	const ended: number[] = [];
	const told: string[] = [];
	const keeping = createBudgetKeeping({
		profile: 'lab',
		budgets: [budget],
		charged: async () => ({day: undefined, month: undefined}),
		report: event => told.push(event.kind === 'budget' ? budgetText(event.state) : event.kind),
		end: ({instance: {id}}) => ended.push(id),
	});
	for (const at of [0, 20_000, 40_000, 60_000]) {
		await keeping.check(fleet(boots), {steady: at, date: at});
	}
	expect([told, ended]).toEqual([['at least $3.10, at most $6.00, of $5 an hour'], []]);
	for (const at of [80_000, 100_000]) await keeping.check(fleet({}), {steady: at, date: at});
	expect([told.at(-1), ended]).toEqual(['$6.00 of $5 an hour', [2]]);
	const unpriced = fleet({...boots, dph_total: null});
	await keeping.check(unpriced, {steady: 120_000, date: 120_000});
	expect(told).toHaveLength(2);
});

test('a budget that only refuses stops nothing', async () => {
	const ended: number[] = [];
	const keeping = createBudgetKeeping({
		profile: 'lab',
		budgets: [{...budget, action: 'refuse', perDay: 1}],
		charged: async () => ({day: 40, month: 40}),
		report: () => undefined,
		end: ({instance: {id}}) => ended.push(id),
	});
	for (const at of [0, 20_000, 40_000]) {
		await keeping.check([counted(instance(1, 40), 9)], {steady: at, date: at});
	}
	expect(ended).toEqual([]);
});

test('a budget is for a profile, a label, or all', () => {
	expect(isCounted(budget, 'lab', 'train')).toBe(true);
	expect(isCounted({...budget, label: 'train'}, 'lab', 'serve')).toBe(false);
	expect(isCounted({...budget, profile: 'home'}, 'lab', 'train')).toBe(false);
});

test('a file of budgets is refused by the name of what is wrong', () => {
	expect(readBudgets(undefined)).toEqual([]);
	const wrong = [
		'{}',
		'[5]',
		'[{"perHour": "5"}]',
		'[{"perHour": 5, "action": "sell"}]',
		'[{"perHour": 5, "order": "oldest"}]',
		'[{"perWeek": 5}]',
		'[{"label": "x", "perDay": 5}]',
	];
	for (const file of wrong) expect(() => readBudgets(file)).toThrow(UserFileError);
});
