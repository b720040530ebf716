import type {Bindings} from '../../ui/bindings.ts';
import {refreshKey, type Refreshing} from '../../list/bindings.ts';
import {sweepBindings} from '../instances/bindings.ts';
import type {cursorTarget} from './cursor-target.ts';
import type {SweepTarget} from '../instances/sweep-target.ts';

export type OverviewTarget = SweepTarget & ReturnType<typeof cursorTarget> & Refreshing;

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
		run: overview => overview.move('next part'),
	},
	{
		keys: ['Shift-Tab'],
		id: 'part-before',
		title: 'the part before',
		run: overview => overview.move('part before'),
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
