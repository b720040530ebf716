/** The user's `budgets.json` beside the settings, and the bills that it is held against. */
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import type {PresentRentals} from '../../client/rentals/renting.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {isSameDay, readSpent} from '../../renter/instance/cost.ts';
import {readUserFile} from '../../renter/text/usage-error.ts';
import {
	budgetsIn,
	budgetState,
	budgetText,
	isCounted,
	mostRate,
	presentRate,
	readBudgets,
	type Budget,
	type BudgetSpending,
} from '../../renter/leases/budgets.ts';
import {guardAt, isSilent} from '../../renter/leases/guard-status.ts';
import {
	budgetProblem,
	budgetsBeside,
	type RentalCost,
	type Budgeted,
} from '../../renter/orders/limits-beside.ts';
import {shownLabel} from '../../renter/words/lease.ts';
import type {Context} from '../base/command.ts';
import {CommandError, exitCodes} from '../base/failure.ts';

/** @throws UsageError if the file cannot be followed */
export function budgetsOf({folders}: Pick<Context, 'folders'>): readonly Budget[] {
	return readUserFile(join(folders.settings, 'budgets.json'), readBudgets);
}

const EVERY_MS = 300_000;

type Charged = Pick<BudgetSpending, 'day' | 'month'>;

/** Charges of today and of this month, requested from time to time and each day; undefined while unknown. */
export function createChargeReader(
	{signal}: Pick<Context, 'signal'>,
	{billing, clock}: Client,
): () => Promise<Charged> {
	let queryAt = -Infinity;
	let of = -Infinity;
	let known: Charged = {day: undefined, month: undefined};
	return async () => {
		const now = clock.now();
		if (performance.now() - queryAt < EVERY_MS && isSameDay(of, now)) return known;
		[queryAt, of] = [performance.now(), now];
		const spent = await readSpent(billing, now, signal).catch(() => undefined);
		signal.throwIfAborted();
		known = {day: spent?.today, month: spent?.month};
		return known;
	};
}

/** @throws CommandError if a budget is spent, or may be with one more rental */
export async function refuseOverBudget(
	context: Context,
	client: Client,
	asked: RentalCost,
): Promise<void> {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	if (!budgets.some(budget => isCounted(budget, profile, asked.label))) return;
	const {instances} = await client.instances.list({signal: context.signal});
	const bills = await createChargeReader(context, client)();
	refuseProblem(budgetProblem({budgets}, {profile, asked: [asked], instances, bills}));
}

/** Refuses a rent at the moment when it would be sent. @throws CommandError */
export function budgetsAtRent(
	context: Context,
	asked: RentalCost,
): (beside: PresentRentals) => void {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	return beside => refuseProblem(budgetsBeside({budgets}, {profile, asked}, beside));
}

/** @throws CommandError if starts would pass a budget, which others may have brought near */
export function refuseStartsOverBudget(
	context: Context,
	{asked, instances}: Pick<Budgeted, 'asked' | 'instances'>,
): void {
	const profile = context.service().name;
	const budgets = budgetsOf(context);
	const problem = budgetProblem({budgets}, {profile, asked, instances});
	refuseProblem(problem, 'Nothing was started.');
}

/** Sentences about hourly budgets that are or may be exceeded, and about instances without an end. */
export function budgetLines(
	{folders, now, service}: Context,
	instances: readonly Instance[],
): readonly string[] {
	const {name: profile} = service();
	const {budgets, problem} = budgetsIn(folders.settings);
	if (problem !== undefined) {
		return [`budgets.json cannot be read: ${problem}. Nothing can be rented before that.`];
	}
	const guarded = guardAt(folders.state)?.profiles.get(profile);
	const isGuarded = guarded !== undefined && !isSilent(guarded, now());
	return budgets.flatMap(budget => {
		const counted = instances.filter(({label}) => {
			return isCounted(budget, profile, shownLabel(label));
		});
		const hour = counted.reduce((sum, instance) => sum + presentRate(instance), 0);
		const spent = {hour, day: undefined, month: undefined};
		const state = budgetState(budget, spent, mostRate(counted));
		if (state === undefined || state.level === 'fine') return [];
		const whose = budget.label === undefined ? '' : ` labelled ${budget.label}`;
		const isUnkept = budget.action === 'stop' && !isGuarded;
		const unkept = isUnkept ? ' No guard runs here to stop any: rentty guard run.' : '';
		return [`budgets.json: what is rented${whose} costs ${budgetText(state)}.${unkept}`];
	});
}

function refuseProblem(why: string | undefined, nothing = 'Nothing was rented.'): void {
	if (why !== undefined) throw new CommandError(exitCodes.overBudget, `${why} ${nothing}`);
}
