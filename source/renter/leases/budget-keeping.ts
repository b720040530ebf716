/**
 * Enforces budgets: warns at 80 %, and stops instances when two polls agree that a budget is spent.
 */
import {
	budgetState,
	budgetText,
	isCounted,
	mostRate,
	presentRate,
	stopsFor,
	type Budget,
	type BudgetState,
	type BudgetSpending,
	type Stoppable,
} from './budgets.ts';
import {agreeApart, type SightingTime} from './decide.ts';
import type {LeaseEnding, GuardEvent} from './ending.ts';
import type {Listed} from './watched.ts';
import type {Lease} from '../words/lease.ts';

export type CountedInstance = Listed & {readonly soFar: number | undefined};

type KeepingOptions = {
	readonly profile: string;
	readonly budgets: readonly Budget[];
	/** Charges of today and this month; undefined parts are unknown. */
	readonly charged: () => Promise<Pick<BudgetSpending, 'day' | 'month'>>;
	readonly report: (event: GuardEvent) => void;
	readonly end: (ending: Omit<LeaseEnding, 'lease'> & {readonly lease: Lease | undefined}) => void;
};

export function createBudgetKeeping({profile, budgets, charged, report, end}: KeepingOptions) {
	/** First of consecutive polls that showed a budget spent. */
	const over = new Map<Budget, SightingTime>();
	const reported = new Map<Budget, string>();

	function announce(budget: Budget, state: BudgetState): void {
		const key = `${state.level} ${state.of} ${state.limit}`;
		if (state.level === 'fine' || reported.get(budget) === key) return;
		reported.set(budget, key);
		report({kind: 'budget', label: budget.label ?? '', state});
	}

	function keep(
		budget: Budget,
		fleet: readonly CountedInstance[],
		state: BudgetState,
		now: SightingTime,
	): void {
		announce(budget, state);
		const since = over.get(budget);
		if (state.level !== 'over') over.delete(budget);
		else if (since === undefined || !agreeApart(since, now, 0)) over.set(budget, now);
		else if (budget.action === 'stop' && agreeApart(since, now)) {
			const evidence = `${budgetText(state)}, two looks`;
			const decision = {kind: 'end', action: 'stop', rule: 'budget', evidence, lateMs: 0} as const;
			for (const one of stopsFor(budget, state, fleet.map(stoppable))) {
				const counted = fleet.find(({instance}) => instance === one.instance);
				if (counted !== undefined) end({...counted, decision});
			}
		}
	}

	return {
		/** Judges the instances of a complete list. */
		async check(fleet: readonly CountedInstance[], now: SightingTime): Promise<void> {
			const mine = budgets.filter(({profile: of}) => of === undefined || of === profile);
			if (mine.length === 0) return;
			const needsBills = mine.some(({perDay, perMonth}) => (perDay ?? perMonth) !== undefined);
			const bills = needsBills ? await charged() : {day: undefined, month: undefined};
			for (const budget of mine) {
				const counted = fleet.filter(({label}) => isCounted(budget, profile, label));
				const hour = counted.reduce((sum, {instance}) => sum + presentRate(instance), 0);
				const atMost = mostRate(counted.map(({instance}) => instance));
				const state = budgetState(budget, {...bills, hour}, atMost);
				if (state !== undefined) keep(budget, counted, state, now);
			}
		},
	};
}

function stoppable({instance, lease, soFar}: CountedInstance): Stoppable {
	return {instance, isKept: lease?.isKept ?? false, soFar};
}
