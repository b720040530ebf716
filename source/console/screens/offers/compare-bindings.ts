import type {Key} from '../../terminal/input/keys.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {refreshKey} from '../../list/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent/bindings.ts';

export type CompareTarget = RentKeys & {
	readonly pick: (step: 1 | -1) => void;
	readonly drop: () => void;
	readonly scroll: (by: 'line' | 'page' | 'all', direction: 1 | -1) => void;
	readonly toggleDifferences: () => void;
	readonly toggleFallback: () => void;
	readonly editJob: () => void;
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => Promise<void>;
};

export const compareBindings: Bindings<CompareTarget> = [
	...rentOfferKeys,
	{
		keys: ['Right', '>'],
		id: 'next-column',
		title: 'pick the next column',
		hint: 'pick',
		run: comparison => comparison.pick(1),
	},
	{
		keys: ['Left', '<'],
		id: 'previous-column',
		title: 'pick the column before',
		run: comparison => comparison.pick(-1),
	},
	{
		keys: ['x'],
		id: 'drop-column',
		title: 'drop the picked column',
		hint: 'drop column',
		run: comparison => comparison.drop(),
		unavailable: comparison => comparison.rentUnavailable(),
	},
	{
		keys: ['!'],
		id: 'only-differences',
		title: 'only differences, or all rows',
		hint: 'only differences',
		run: comparison => comparison.toggleDifferences(),
	},
	{
		keys: ['Tab'],
		id: 'edit-the-job',
		title: 'edit the job',
		hint: 'job',
		run: comparison => comparison.editJob(),
	},
	{
		keys: ['Space'],
		id: 'toggle-fallback',
		title: 'keep the picked offer out of the fallback order, or put it back',
		hint: 'fallback',
		run: comparison => comparison.toggleFallback(),
		unavailable: comparison => comparison.rentUnavailable(),
	},
	{
		keys: ['Enter', 'd'],
		id: 'open-offer',
		title: 'open the picked offer',
		hint: 'detail',
		run: comparison => comparison.open(),
		unavailable: comparison => comparison.rentUnavailable(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-comparison',
		title: 'copy the comparison as a table',
		hint: 'copy',
		run: comparison => comparison.copy(),
		unavailable: comparison => comparison.rentUnavailable(),
	},
	{
		keys: ['j', 'Down'],
		id: 'a-row-down',
		title: 'a row down',
		run: comparison => comparison.scroll('line', 1),
	},
	{
		keys: ['k', 'Up'],
		id: 'a-row-up',
		title: 'a row up',
		run: comparison => comparison.scroll('line', -1),
	},
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'rows-down',
		title: 'rows down',
		run: comparison => comparison.scroll('page', 1),
	},
	{
		keys: ['PgUp', 'Ctrl-U'],
		id: 'rows-up',
		title: 'rows up',
		run: comparison => comparison.scroll('page', -1),
	},
	{
		keys: ['g', 'Home'],
		id: 'first-row',
		title: 'first row',
		run: comparison => comparison.scroll('all', -1),
	},
	{
		keys: ['G', 'End'],
		id: 'last-row',
		title: 'last row',
		run: comparison => comparison.scroll('all', 1),
	},
	refreshKey({hint: 'refresh'}),
];

export type JobTarget = {
	readonly next: (step: 1 | -1) => void;
	readonly accept: () => void;
	readonly cancel: () => void;
	/** Reason why the typed job cannot be kept; undefined when it can. */
	readonly problem: () => string | undefined;
	readonly type: (key: Key) => boolean;
};

export const jobBindings: Bindings<JobTarget> = [
	{
		keys: ['Tab', 'Down'],
		id: 'next-number',
		title: 'next number',
		hint: 'next',
		run: job => job.next(1),
	},
	{
		keys: ['Shift-Tab', 'Up'],
		id: 'number-before',
		title: 'number before',
		run: job => job.next(-1),
	},
	{
		keys: ['Enter'],
		id: 'keep-job',
		title: 'keep it for every price',
		hint: 'keep for every price',
		run: job => job.accept(),
		unavailable: job => job.problem(),
	},
	{
		keys: ['Esc'],
		id: 'leave-job',
		title: 'leave the job as it was',
		hint: 'cancel',
		run: job => job.cancel(),
	},
];
