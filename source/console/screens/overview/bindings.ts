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
		run: overview => overview.open(),
		unavailable: overview => overview.nothing(),
	},
	{
		keys: ['Tab'],
		id: 'next-part',
		title: 'the next part: trouble, ends, use, money, changes',
		hint: 'next part',
		run: overview => overview.part('next part'),
	},
	{
		keys: ['Shift-Tab'],
		id: 'part-before',
		title: 'the part before',
		run: overview => overview.part('part before'),
	},
	{
		keys: ['!'],
		id: 'next-in-trouble',
		title: 'the next in trouble, the newest first',
		hint: 'trouble',
		run: overview => overview.nextTrouble(),
		unavailable: overview => overview.allWell(),
	},
	...sweepBindings,
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: overview => overview.move(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: overview => overview.move(-1)},
	{keys: ['g', 'Home'], id: 'first', title: 'first', run: overview => overview.move(-Infinity)},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: overview => overview.move(Infinity)},
	{
		keys: ['V'],
		id: 'is-it-learning',
		title: 'whether the instance under the cursor is learning',
		hint: 'run',
		run: overview => overview.page('Run'),
		unavailable: overview => overview.noInstance(),
	},
	{
		keys: ['%'],
		id: 'its-use',
		title: 'use of the instance under the cursor over time',
		hint: 'use',
		run: overview => overview.page('Usage'),
		unavailable: overview => overview.noInstance(),
	},
	{
		keys: [','],
		id: 'a-longer-span',
		title: 'use over a longer span',
		run: overview => overview.span(1),
	},
	{
		keys: ['.'],
		id: 'a-shorter-span',
		title: 'use over a shorter span',
		run: overview => overview.span(-1),
	},
	{
		keys: ['#'],
		id: 'as-numbers',
		title: 'use as numbers, or as bars again',
		hint: 'numbers',
		run: overview => overview.numbers(),
	},
	refreshKey({}),
];
