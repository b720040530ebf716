/** The user's `budgets.json` beside the settings, and the bills that it is held against. */
import {join} from 'node:path';
import type {Client} from '../client/client.ts';
import {readSpent} from '../renter/instance/cost.ts';
import {readUserFile} from '../renter/text/usage-error.ts';
import {
	budgetState,
	budgetText,
	isCounted,
	mostRate,
	presentRate,
	readBudgets,
	type Budget,
	type Spent,
} from '../renter/leases/budgets.ts';
import {shownLabel} from '../renter/words/lease.ts';
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

type Rental = {readonly perHour: number | undefined; readonly label: string};

/** @throws CommandError where a budget is spent, or may be with one more rental */
export async function refuseOverBudget(
	context: Context,
	client: Client,
	{perHour, label}: Rental,
): Promise<void> {
	const profile = context.service().name;
	const mine = budgetsOf(context).filter(budget => isCounted(budget, profile, label));
	if (mine.length === 0) return;
	const {instances} = await client.instances.list({signal: context.signal});
	const bills = await chargesOf(context, client)();
	for (const budget of mine) {
		const counted = instances.filter(({label: of}) => isCounted(budget, profile, shownLabel(of)));
		const price = perHour ?? Infinity;
		const hour = counted.reduce((sum, instance) => sum + presentRate(instance), price);
		// A booting instance costs its whole price soon.
		const most = mostRate(counted);
		const state = budgetState(budget, {...bills, hour}, most === undefined ? most : most + price);
		if (state?.level !== 'over' && state?.level !== 'may be over') continue;
		const why = `With this it costs ${budgetText(state)}, more than budgets.json allows.`;
		throw new CommandError(exitCodes.overBudget, `${why} Nothing was rented.`);
	}
}
