import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {numbersKey} from '../../ui/number-table.ts';
import {movements, refreshKey, refreshUnreadableTexts, scaleKey} from '../../list/bindings.ts';

export type AccountTarget = {
	readonly group: (step: 1 | -1) => void;
	readonly month: (step: 1 | -1) => void;
	readonly isPresent: () => string | undefined;
	readonly day: (step: 1 | -1) => void;
	readonly wholeMonth: () => void;
	readonly scale: () => void;
	readonly numbers: () => void;
	readonly copy: () => void;
	readonly volumes: () => void;
	readonly refresh: () => void;
};

export const accountBindings: Bindings<ListTarget & AccountTarget> = [
	{
		keys: ['Tab'],
		id: 'charges-by-label',
		title: 'charges by label, GPU, day or week',
		hint: 'by GPU, day, week',
		run: account => account.group(1),
	},
	{
		keys: ['Shift-Tab'],
		id: 'charges-before',
		title: 'the grouping before',
		run: account => account.group(-1),
	},
	{
		keys: [','],
		id: 'the-month-before',
		title: 'the month before',
		hint: 'month',
		run: account => account.month(1),
	},
	{
		keys: ['.'],
		id: 'the-month-after',
		title: 'the month after',
		run: account => account.month(-1),
		unavailable: account => account.isPresent(),
	},
	{
		keys: ['<', 'Left'],
		id: 'day-before',
		title: 'read a day: the table has its charges alone',
		hint: 'read a day',
		run: account => account.day(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'next-day',
		title: 'read the next day',
		run: account => account.day(1),
	},
	{
		keys: ['U'],
		id: 'the-whole-month',
		title: 'the whole month again',
		run: account => account.wholeMonth(),
	},
	{
		keys: ['y'],
		id: 'copy-the-table',
		title: 'copy the table',
		hint: 'copy',
		run: account => account.copy(),
	},
	{
		keys: ['Enter'],
		id: 'go-to-volumes',
		title: 'go to Volumes',
		hint: 'volumes',
		run: account => account.volumes(),
	},
	scaleKey,
	numbersKey,
	refreshKey(refreshUnreadableTexts),
	...movements,
];
