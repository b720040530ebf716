/** The user's `budgets.json` beside the settings, and the bills that it is held against. */
import {join} from 'node:path';
import type {Client} from '../client/client.ts';
import type {Beside} from '../client/rentals/renting.ts';
import {readSpent} from '../renter/instance/cost.ts';
import {readUserFile} from '../renter/text/usage-error.ts';
import {isCounted, readBudgets, type Budget, type Spent} from '../renter/leases/budgets.ts';
import {
	budgetProblem,
	budgetsBeside,
	type Asked,
	type Budgeted,
} from '../renter/orders/limits-beside.ts';
import type {Context} from './command.ts';
import {CommandError, exitCodes} from './failure.ts';

/** @throws UsageError where the file cannot be followed */
export function budgetsOf({folders}: Pick<Context, 'folders'>): readonly Budget[] {
	return readUserFile(join(folders.settings, 'budgets.json'), readBudgets);
}

const EVERY_MS = 300_000;

type Charged = Pick<Spent, 'day' | 'month'>;

/** Charges of today and of this month, requested from time to time; undefined while unknown. */
export function chargesOf(
	{signal}: Pick<Context, 'signal'>,
	{billing, clock}: Client,
): () => Promise<Charged> {
	let queryAt = -Infinity;
	let known: Charged = {day: undefined, month: undefined};
	return async () => {
		if (performance.now() - queryAt < EVERY_MS) return known;
		queryAt = performance.now();
		const spent = await readSpent(billing, clock.now(), signal).catch(() => undefined);
		signal.throwIfAborted();
		known = {day: spent?.today, month: spent?.month};
		return known;
	};
}

/** @throws CommandError where a budget is spent, or may be with one more rental */
export async function refuseOverBudget(
	context: Context,
	client: Client,
	asked: Asked,
): Promise<void> {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	if (!budgets.some(budget => isCounted(budget, profile, asked.label))) return;
	const {instances} = await client.instances.list({signal: context.signal});
	const bills = await chargesOf(context, client)();
	refuseProblem(budgetProblem({budgets}, {profile, asked: [asked], instances, bills}));
}

/** Refuses a rent at the moment when it would be sent. @throws CommandError */
export function budgetsAtRent(context: Context, asked: Asked): (beside: Beside) => void {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	return beside => refuseProblem(budgetsBeside({budgets}, {profile, asked}, beside));
}

/** @throws CommandError where starts would pass a budget, which others may have brought near */
export function refuseStartsOverBudget(
	context: Context,
	{asked, instances}: Pick<Budgeted, 'asked' | 'instances'>,
): void {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	const problem = budgetProblem({budgets}, {profile, asked, instances});
	refuseProblem(problem, 'Nothing was started.');
}

function refuseProblem(why: string | undefined, nothing = 'Nothing was rented.'): void {
	if (why !== undefined) throw new CommandError(exitCodes.overBudget, `${why} ${nothing}`);
}
