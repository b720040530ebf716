/** Budgets: what a fleet may cost an hour, a day and a month, and what happens where it costs more. */
import {isRecord} from '../../contract/json.ts';
import type {Instance} from '../../contract/instance-record.ts';
import {hasStopped} from '../../client/rentals/stopped.ts';

/** Order in which instances are stopped: least loss first, dearest first, or newest first. */
export const stopOrders = ['cheapest-loss', 'dearest', 'newest'] as const;
export type StopOrder = (typeof stopOrders)[number];

export type Budget = {
	/** Undefined for all profiles. */
	readonly profile: string | undefined;
	/** Counts and stops only instances with this label; it has a limit for an hour alone. */
	readonly label: string | undefined;
	/** Dollars. */
	readonly perHour: number | undefined;
	readonly perDay: number | undefined;
	readonly perMonth: number | undefined;
	/** Action when all of it is spent: refuse new rents, or stop instances as well. */
	readonly action: 'refuse' | 'stop';
	readonly order: StopOrder;
};

/** Spent amounts, in dollars; undefined where they are not known. */
export type Spent = {
	readonly hour: number | undefined;
	readonly day: number | undefined;
	readonly month: number | undefined;
};

export type BudgetState = {
	readonly level: 'fine' | 'near' | 'over';
	readonly of: keyof Spent;
	readonly limit: number;
	readonly spent: number;
};

/** The share from which on an alert is given. */
const NEAR = 0.8;

/** The worst of a budget's limits; undefined where none is set, or nothing is known. */
export function budgetState(budget: Budget, spent: Spent): BudgetState | undefined {
	const limits = {hour: budget.perHour, day: budget.perDay, month: budget.perMonth};
	const states = (['hour', 'day', 'month'] as const).flatMap((of): readonly BudgetState[] => {
		const [limit, is] = [limits[of], spent[of]];
		if (limit === undefined || is === undefined) return [];
		const level = is > limit ? 'over' : is >= limit * NEAR ? 'near' : 'fine';
		return [{level, of, limit, spent: is}];
	});
	return states.toSorted((a, b) => b.spent / b.limit - a.spent / a.limit)[0];
}

/** True if a budget covers an instance. */
export function isCounted(budget: Budget, profile: string, label: string): boolean {
	if (budget.profile !== undefined && budget.profile !== profile) return false;
	return budget.label === undefined || budget.label === label;
}

/** Certain hourly price of an instance at present. */
export function presentRate(instance: Instance): number {
	const {actual_status: status, dph_total: running, storage_total_cost: disk} = instance;
	const rate = instance.instance?.totalHour ?? (status === 'running' ? running : disk);
	return Math.max(0, rate ?? 0);
}

export type Stoppable = {
	readonly instance: Instance;
	readonly isKept: boolean;
	/** Cost so far: about the value of its work. */
	readonly soFar: number | undefined;
};

/** Instances to stop, in order, until the budget is kept; never kept or stopped ones. */
export function stopsFor(
	{order}: Budget,
	{of, limit, spent}: BudgetState,
	fleet: readonly Stoppable[],
): readonly Stoppable[] {
	const running = fleet.filter(({instance, isKept}) => !isKept && !hasStopped(instance));
	const sorted = running.toSorted((a, b) => keys[order](a) - keys[order](b));
	// Money spent for a day or a month stays spent when some are stopped.
	if (of !== 'hour') return sorted;
	let left = spent;
	return sorted.filter(({instance}) => {
		if (left <= limit) return false;
		left -= Math.max(0, presentRate(instance) - (instance.storage_total_cost ?? 0));
		return true;
	});
}

const keys: Readonly<Record<StopOrder, (one: Stoppable) => number>> = {
	'cheapest-loss': ({soFar, instance}) => soFar ?? presentRate(instance),
	dearest: ({instance}) => -presentRate(instance),
	newest: ({instance}) => -(instance.start_date ?? 0),
};

/** A file that cannot be followed; the message names the field. */
export class BudgetError extends Error {
	override readonly name = 'BudgetError';
}

/** Reads the text of `budgets.json`: a list of budgets. @throws BudgetError */
export function readBudgets(text: string | undefined): readonly Budget[] {
	if (text === undefined) return [];
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		json = undefined;
	}
	if (!Array.isArray(json)) throw new BudgetError('expected a list, like [{"perHour": 5}]');
	return json.map((value: unknown, at) => readBudget(value, `${at + 1}.`));
}

const names = new Set(['profile', 'label', 'perHour', 'perDay', 'perMonth', 'action', 'order']);

function readBudget(value: unknown, at: string): Budget {
	if (!isRecord(value)) throw new BudgetError(`${at} expected an object`);
	const unknown = Object.keys(value).find(name => !names.has(name));
	if (unknown !== undefined) throw new BudgetError(`${at} ${unknown} is no part of a budget`);
	const {action = 'refuse', order = 'cheapest-loss'} = value;
	if (action !== 'refuse' && action !== 'stop') {
		throw new BudgetError(`${at} action: expected refuse or stop`);
	}
	const known = stopOrders.find(one => one === order);
	if (known === undefined) throw new BudgetError(`${at} order: expected ${stopOrders.join(', ')}`);
	const budget: Budget = {
		profile: textIn(value, 'profile', at),
		label: textIn(value, 'label', at),
		perHour: dollarsIn(value, 'perHour', at),
		perDay: dollarsIn(value, 'perDay', at),
		perMonth: dollarsIn(value, 'perMonth', at),
		action,
		order: known,
	};
	if (budget.label !== undefined && (budget.perDay ?? budget.perMonth) !== undefined) {
		throw new BudgetError(`${at} label: bills name no labels, so that it has perHour alone`);
	}
	return budget;
}

type Json = Readonly<Record<string, unknown>>;

function textIn(value: Json, name: string, at: string): string | undefined {
	const text = value[name];
	if (text === undefined || typeof text === 'string') return text;
	throw new BudgetError(`${at} ${name}: expected text`);
}

function dollarsIn(value: Json, name: string, at: string): number | undefined {
	const dollars = value[name];
	if (dollars === undefined) return undefined;
	if (typeof dollars === 'number' && dollars > 0) return dollars;
	throw new BudgetError(`${at} ${name}: expected dollars`);
}
