import type {Bindings} from '../../ui/bindings.ts';
import {refreshKey} from '../../list/bindings.ts';
import {sweepBindings, type SweepTarget} from '../instances/bindings.ts';

/** Key methods of the overview. */
export type OverviewTarget = SweepTarget & {
	readonly open: () => void;
	readonly nothing: () => string | undefined;
	readonly move: (step: number) => void;
	readonly part: (step: 'next part' | 'part before') => void;
	readonly nextTrouble: () => void;
	readonly allWell: () => string | undefined;
	/** Opens a page of the instance that the cursor is on. */
	readonly page: (page: 'Run' | 'Usage') => void;
	readonly noInstance: () => string | undefined;
	readonly span: (step: 1 | -1) => void;
	readonly numbers: () => void;
	readonly refresh: () => void;
};

export const overviewBindings: Bindings<OverviewTarget> = [
	{
		keys: ['Enter'],
		id: 'go-to-it',
		title: 'go to what the cursor is on',
		hint: 'go to it',
		does: 'open',
		unavailable: 'nothing',
	},
	{
		keys: ['Tab'],
		id: 'next-part',
		title: 'the next part: trouble, ends, use, money, changes',
		hint: 'next part',
		does: ['part', 'next part'],
	},
	{keys: ['Shift-Tab'], id: 'part-before', title: 'the part before', does: ['part', 'part before']},
	{
		keys: ['!'],
		id: 'next-in-trouble',
		title: 'the next in trouble, the newest first',
		hint: 'trouble',
		does: 'nextTrouble',
		unavailable: 'allWell',
	},
	...sweepBindings,
	{keys: ['j', 'Down'], id: 'down', title: 'down', does: ['move', 1]},
	{keys: ['k', 'Up'], id: 'up', title: 'up', does: ['move', -1]},
	{keys: ['g', 'Home'], id: 'first', title: 'first', does: ['move', -Infinity]},
	{keys: ['G', 'End'], id: 'last', title: 'last', does: ['move', Infinity]},
	{
		keys: ['V'],
		id: 'is-it-learning',
		title: 'whether the instance under the cursor is learning',
		hint: 'run',
		does: ['page', 'Run'],
		unavailable: 'noInstance',
	},
	{
		keys: ['%'],
		id: 'its-use',
		title: 'use of the instance under the cursor over time',
		hint: 'use',
		does: ['page', 'Usage'],
		unavailable: 'noInstance',
	},
	{keys: [','], id: 'a-longer-span', title: 'use over a longer span', does: ['span', 1]},
	{keys: ['.'], id: 'a-shorter-span', title: 'use over a shorter span', does: ['span', -1]},
	{
		keys: ['#'],
		id: 'as-numbers',
		title: 'use as numbers, or as bars again',
		hint: 'numbers',
		does: 'numbers',
	},
	refreshKey({}),
];
