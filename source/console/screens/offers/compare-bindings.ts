import type {Binding} from '../../bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent-keys.ts';
import type {Key} from '../../terminal/input/keys.ts';

/** What the keys of a comparison act on. */
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
	readonly count: () => number;
};

type Target = CompareTarget;

const none = ({count}: Target) => (count() === 0 ? 'every column was dropped' : undefined);

export const compareBindings: ReadonlyArray<Binding<Target>> = [
	...rentOfferKeys,
	{
		keys: ['Right', '>'],
		id: 'pick-the-next-column',
		title: 'pick the next column',
		hint: 'pick',
		run: target => target.pick(1),
	},
	{
		keys: ['Left', '<'],
		id: 'pick-the-column-before',
		title: 'pick the column before',
		run: target => target.pick(-1),
	},
	{
		keys: ['x'],
		id: 'drop-the-picked-column',
		title: 'drop the picked column',
		hint: 'drop column',
		run: target => target.drop(),
		unavailable: none,
	},
	{
		keys: ['!'],
		id: 'only-differences',
		title: 'only differences, or all rows',
		hint: 'only differences',
		run: target => target.toggleDifferences(),
	},
	{
		keys: ['Tab'],
		id: 'edit-the-job',
		title: 'edit the job',
		hint: 'job',
		run: target => target.editJob(),
	},
	{
		keys: ['Space'],
		id: 'keep-the-picked-offer-out-of-the-fallback-order',
		title: 'keep the picked offer out of the fallback order, or put it back',
		hint: 'fallback',
		run: target => target.toggleFallback(),
		unavailable: none,
	},
	{
		keys: ['Enter', 'd'],
		id: 'open-the-picked-offer',
		title: 'open the picked offer',
		hint: 'detail',
		run: target => target.open(),
		unavailable: none,
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-comparison-as-a-table',
		title: 'copy the comparison as a table',
		hint: 'copy',
		run: target => target.copy(),
		unavailable: none,
	},
	{
		keys: ['j', 'Down'],
		id: 'a-row-down',
		title: 'a row down',
		run: target => target.scroll('line', 1),
	},
	{keys: ['k', 'Up'], id: 'a-row-up', title: 'a row up', run: target => target.scroll('line', -1)},
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'rows-down',
		title: 'rows down',
		run: target => target.scroll('page', 1),
	},
	{
		keys: ['PgUp', 'Ctrl-U'],
		id: 'rows-up',
		title: 'rows up',
		run: target => target.scroll('page', -1),
	},
	{
		keys: ['g', 'Home'],
		id: 'first-row',
		title: 'first row',
		run: target => target.scroll('all', -1),
	},
	{keys: ['G', 'End'], id: 'last-row', title: 'last row', run: target => target.scroll('all', 1)},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'refresh-now',
		title: 'refresh now',
		hint: 'refresh',
		run: target => void target.refresh(),
	},
];

/** What the keys act on while the job is edited. */
export type JobTarget = {
	readonly next: (step: 1 | -1) => void;
	readonly accept: () => void;
	readonly cancel: () => void;
	/** Why what was typed cannot be kept; undefined when it can. */
	readonly problem: () => string | undefined;
	readonly type: (key: Key) => boolean;
};

export const jobBindings: ReadonlyArray<Binding<JobTarget>> = [
	{
		keys: ['Tab', 'Down'],
		id: 'next-number',
		title: 'next number',
		hint: 'next',
		run: target => target.next(1),
	},
	{
		keys: ['Shift-Tab', 'Up'],
		id: 'number-before',
		title: 'number before',
		run: target => target.next(-1),
	},
	{
		keys: ['Enter'],
		id: 'keep-it-for-every-price',
		title: 'keep it for every price',
		hint: 'keep for every price',
		run: target => target.accept(),
		unavailable: ({problem}) => problem(),
	},
	{
		keys: ['Esc'],
		id: 'leave-the-job-as-it-was',
		title: 'leave the job as it was',
		hint: 'cancel',
		run: target => target.cancel(),
	},
];
