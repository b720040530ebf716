import type {Binding} from '../../bindings.ts';
import {columnKeys, filterKey, movements, type ListTarget} from '../../list/bindings.ts';

/** What the keys of the list of all that happened act on, beside those of every list. */
export type ActivityTarget = {
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => void;
	/** Lists what was only seen, or no longer. */
	readonly showSeen: () => void;
};

const empty = ({isEmpty}: ListTarget) => (isEmpty() ? 'nothing is listed' : undefined);

export const activityBindings: ReadonlyArray<Binding<ListTarget & ActivityTarget>> = [
	{
		keys: ['Enter', 'd'],
		id: 'open-detail',
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	{
		keys: ['y'],
		id: 'copy-it-as-json',
		title: 'copy it as JSON',
		hint: 'copy',
		run: target => target.copy(),
		unavailable: empty,
	},
	filterKey,
	{
		keys: ['v'],
		id: 'what-was-seen',
		title: 'what rentty saw of instances, or only what was done',
		hint: 'seen',
		run: target => target.showSeen(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'refresh-now',
		title: 'refresh now',
		hint: 'refresh',
		run: target => target.refresh(),
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
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
	{
		keys: ['Esc', 'q', 'Enter'],
		id: 'back',
		title: 'back',
		hint: 'back',
		run: target => target.close(),
	},
	{
		keys: ['y'],
		id: 'copy-it-as-json',
		title: 'copy it as JSON',
		hint: 'copy',
		run: target => target.copy(),
	},
	{
		keys: ['j', 'Down', 'PgDn'],
		id: 'further-down',
		title: 'further down',
		run: target => target.scroll(1),
	},
	{
		keys: ['k', 'Up', 'PgUp'],
		id: 'further-up',
		title: 'further up',
		run: target => target.scroll(-1),
	},
];
