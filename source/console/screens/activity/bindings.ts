import type {Binding} from '../../bindings.ts';
import type {Movement} from '../../list/state.ts';
import {columnKeys, movements} from '../../list/bindings.ts';

/** What the keys of the list of all that happened act on. */
export type ActivityTarget = {
	readonly move: (movement: Movement) => void;
	readonly pick: (step: 1 | -1) => void;
	readonly order: () => void;
	readonly alsoOrder: () => void;
	readonly canOrder: () => boolean;
	readonly open: () => void;
	readonly copy: () => void;
	readonly filter: () => void;
	readonly refresh: () => void;
	readonly isEmpty: () => boolean;
	/** Steps back: the filter, then the screen. */
	readonly back: () => void;
	readonly backUnavailable: () => string | undefined;
};

const empty = ({isEmpty}: ActivityTarget) => (isEmpty() ? 'nothing is listed' : undefined);

export const activityBindings: ReadonlyArray<Binding<ActivityTarget>> = [
	{
		keys: ['Enter', 'd'],
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	{
		keys: ['y'],
		title: 'copy it as JSON',
		hint: 'copy',
		run: target => target.copy(),
		unavailable: empty,
	},
	{keys: ['/'], title: 'filter by words', hint: 'filter', run: target => target.filter()},
	{keys: ['R', 'Ctrl-R'], title: 'refresh now', hint: 'refresh', run: target => target.refresh()},
	{
		keys: ['Esc'],
		title: 'one step back: filter, screen',
		run: target => target.back(),
		unavailable: target => target.backUnavailable(),
	},
	...movements,
	...columnKeys,
];

export type HappeningTarget = {
	readonly close: () => void;
	readonly copy: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const happeningBindings: ReadonlyArray<Binding<HappeningTarget>> = [
	{keys: ['Esc', 'q', 'Enter'], title: 'back', hint: 'back', run: target => target.close()},
	{keys: ['y'], title: 'copy it as JSON', hint: 'copy', run: target => target.copy()},
	{keys: ['j', 'Down', 'PgDn'], title: 'further down', run: target => target.scroll(1)},
	{keys: ['k', 'Up', 'PgUp'], title: 'further up', run: target => target.scroll(-1)},
];

export type ActivityFilterTarget = {readonly apply: () => void; readonly restore: () => void};

export const activityFilterBindings: ReadonlyArray<Binding<ActivityFilterTarget>> = [
	{keys: ['Enter'], title: 'use the filter', hint: 'use', run: target => target.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
		title: 'leave it as it was',
		hint: 'as before',
		run: target => target.restore(),
	},
];
