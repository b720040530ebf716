import type {Binding} from '../../bindings.ts';
import {columnKeys, filterKey, movements, type ListTarget} from '../../list/bindings.ts';

/** What the keys of the list of all that happened act on, beside those of every list. */
export type ActivityTarget = {
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => void;
};

const empty = ({isEmpty}: ListTarget) => (isEmpty() ? 'nothing is listed' : undefined);

export const activityBindings: ReadonlyArray<Binding<ListTarget & ActivityTarget>> = [
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
	filterKey,
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
