/** Budgets: limits on a fleet's cost an hour, a day and a month, and the action beyond them. */
import {join} from 'node:path';
import {readingTrouble} from '../../contract/rules/thrown.ts';
import {readUserText, UserFileError} from '../text/usage-error.ts';
import {isRecord, parseJson} from '../../contract/grammar/json.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {hasStopped} from '../../client/nouns/instance-list.ts';
import {rateOf} from '../instance/burn.ts';

const stopOrders = ['cheapest-loss', 'dearest', 'newest'] as const;
type StopOrder = (typeof stopOrders)[number];

export type Budget = {
	/** Undefined for all profiles. */
	readonly profile: string | undefined;
	/** Counts and stops only instances with this label; such a budget limits the hour alone. */
	readonly label: string | undefined;
	/** Dollars. */
	readonly perHour: number | undefined;
	readonly perDay: number | undefined;
	readonly perMonth: number | undefined;
	/** Action when all of it is spent: refuse new rents, or stop instances as well. */
	readonly action: 'refuse' | 'stop';
	readonly order: StopOrder;
};

/** The budgets of a file, and why some of it cannot be read: an unreadable limit allows nothing. */
export type BudgetFile = {
	readonly budgets: readonly Budget[];
	readonly problem?: string | undefined;
};

/** Spent amounts, in dollars; undefined if unknown. */
export type BudgetSpending = {
	readonly hour: number | undefined;
	readonly day: number | undefined;
	readonly month: number | undefined;
};

/**
 * Levels, the mildest first. Only a budget that is certainly over ends instances or refuses rents.
 */
const levels = ['fine', 'near', 'may be over', 'over'] as const;

export type BudgetState = {
	readonly level: (typeof levels)[number];
	readonly of: keyof BudgetSpending;
	readonly limit: number;
	/** Certain part of the cost. */
	readonly spent: number;
	/** Highest possible cost; undefined if only the certain part is known. */
	readonly atMost: number | undefined;
};

/** Share of a budget that gives an alert. */
const NEAR = 0.8;

/**
 * The worst of a budget's limits; undefined if none is set, or no cost is known.
 * @param hourAtMost highest cost of an hour; undefined if unknown
 */
export function budgetState(
	budget: Budget,
	spent: BudgetSpending,
	hourAtMost?: number,
): BudgetState | undefined {
	const limits = {hour: budget.perHour, day: budget.perDay, month: budget.perMonth};
	const states = (['hour', 'day', 'month'] as const).flatMap((of): readonly BudgetState[] => {
		const [limit, is] = [limits[of], spent[of]];
		if (limit === undefined || is === undefined) return [];
		// Bills contain only the certain cost.
		const atMost = of === 'hour' ? hourAtMost : undefined;
		return [{level: levelOf(limit, is, atMost), of, limit, spent: is, atMost}];
	});
	const worst = ({level, spent: is, limit}: BudgetState) =>
		levels.indexOf(level) * 1e9 + Math.min(1e8, is / limit);
	return states.toSorted((a, b) => worst(b) - worst(a))[0];
}

function levelOf(limit: number, is: number, atMost: number | undefined): BudgetState['level'] {
	if (is > limit) return 'over';
	if (atMost !== undefined && atMost > limit) return 'may be over';
	return is >= limit * NEAR ? 'near' : 'fine';
}

/** "$4.00 of $5 an hour", "at least $4.00 of $5 a day", or "at least $4.00, at most $6.00, of $5 an hour". */
export function budgetText({of, limit, spent, atMost}: BudgetState): string {
	const whole = `of $${limit} ${of === 'hour' ? 'an' : 'a'} ${of}`;
	if (!Number.isFinite(spent)) return `an unknown amount ${whole}`;
	if (atMost !== undefined && atMost <= spent) return `$${spent.toFixed(2)} ${whole}`;
	if (atMost === undefined) return `at least $${spent.toFixed(2)} ${whole}`;
	return `at least $${spent.toFixed(2)}, at most $${atMost.toFixed(2)}, ${whole}`;
}

/** True if a budget covers an instance. */
export function isCounted(budget: Budget, profile: string, label: string): boolean {
	if (budget.profile !== undefined && budget.profile !== profile) return false;
	return budget.label === undefined || budget.label === label;
}

/** Certain hourly price of an instance at present. */
export function presentRate(instance: Instance): number {
	return Math.max(0, ratesOf(instance).now ?? 0);
}

/** The highest hourly cost of all instances; undefined if a price is unknown. */
export function mostRate(instances: readonly Instance[]): number | undefined {
	return instances.reduce<number | undefined>((sum, instance) => {
		const {atMost} = ratesOf(instance);
		return sum === undefined || atMost === undefined ? undefined : sum + Math.max(0, atMost);
	}, 0);
}

function ratesOf(instance: Instance) {
	return rateOf(instance, hasStopped(instance) ? 'stopped' : 'other');
}

/** Dollars that a month may cost in a profile: the tightest of the monthly budgets. */
export function monthBudget(budgets: readonly Budget[], profile: string): number | undefined {
	const months = budgets
		.filter(budget => isCounted(budget, profile, ''))
		.flatMap(({perMonth}) => perMonth ?? []);
	return months.length === 0 ? undefined : Math.min(...months);
}

export type Stoppable = {
	readonly instance: Instance;
	readonly isKept: boolean;
	/** Cost so far, as a measure of the work that would be lost. */
	readonly soFar: number | undefined;
};

/** Instances to stop, in order, until the budget is met; never those that are exempt or stopped. */
export function stopsFor(
	{order}: Budget,
	{of, limit, spent}: BudgetState,
	fleet: readonly Stoppable[],
): readonly Stoppable[] {
	const running = fleet.filter(({instance, isKept}) => !isKept && !hasStopped(instance));
	const sorted = running.toSorted((a, b) => keys[order](a) - keys[order](b));
	// A stopped instance does not reduce the cost of a day or a month so far.
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

/** The `budgets.json` of a folder; without one there are no budgets. */
export function budgetsIn(folder: string): BudgetFile {
	try {
		return {budgets: readBudgets(readUserText(join(folder, 'budgets.json')))};
	} catch (error) {
		return {budgets: [], problem: readingTrouble(error)};
	}
}

/** Reads the text of `budgets.json`: a list of budgets. @throws UserFileError */
export function readBudgets(text: string | undefined): readonly Budget[] {
	if (text === undefined) return [];
	const json = parseJson(text);
	if (!Array.isArray(json)) throw new UserFileError('expected a list, like [{"perHour": 5}]');
	return json.map((value: unknown, at) => readBudget(value, `${at + 1}.`));
}

const names = new Set(['profile', 'label', 'perHour', 'perDay', 'perMonth', 'action', 'order']);

function readBudget(value: unknown, at: string): Budget {
	if (!isRecord(value)) throw new UserFileError(`${at} expected an object`);
	const unknown = Object.keys(value).find(name => !names.has(name));
	if (unknown !== undefined) throw new UserFileError(`${at} ${unknown} is no part of a budget`);
	const {action = 'refuse', order = 'cheapest-loss'} = value;
	if (action !== 'refuse' && action !== 'stop') {
		throw new UserFileError(`${at} action: expected refuse or stop`);
	}
	const known = stopOrders.find(one => one === order);
	if (known === undefined)
		throw new UserFileError(`${at} order: expected ${stopOrders.join(', ')}`);
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
		throw new UserFileError(`${at} label: bills name no labels, so that it has perHour alone`);
	}
	return budget;
}

type Json = Readonly<Record<string, unknown>>;

function textIn(value: Json, name: string, at: string): string | undefined {
	const text = value[name];
	if (text === undefined || typeof text === 'string') return text;
	throw new UserFileError(`${at} ${name}: expected text`);
}

function dollarsIn(value: Json, name: string, at: string): number | undefined {
	const dollars = value[name];
	if (dollars === undefined) return undefined;
	if (typeof dollars === 'number' && dollars > 0) return dollars;
	throw new UserFileError(`${at} ${name}: expected dollars`);
}
