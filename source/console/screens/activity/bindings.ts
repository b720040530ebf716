import type {Bindings} from '../../bindings.ts';
import {columnKeys, filterKey, movements, type ListTarget} from '../../list/bindings.ts';

/** What the keys of the list of all that happened act on, beside those of every list. */
export type ActivityTarget = {
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => void;
	/** Lists what was only seen, or no longer. */
	readonly showSeen: () => void;
};

const empty = ['ifEmpty', 'nothing is listed'] as const;

export const activityBindings: Bindings<ListTarget & ActivityTarget> = [
	{
		keys: ['Enter', 'd'],
		id: 'open-detail',
		title: 'open detail',
		hint: 'detail',
		does: 'open',
		unavailable: empty,
	},
	{
		keys: ['y'],
		id: 'copy-it-as-json',
		title: 'copy it as JSON',
		hint: 'copy',
		does: 'copy',
		unavailable: empty,
	},
	filterKey,
	{
		keys: ['v'],
		id: 'what-was-seen',
		title: 'what rentty saw of instances, or only what was done',
		hint: 'seen',
		does: 'showSeen',
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'refresh-now',
		title: 'refresh now',
		hint: 'refresh',
		does: 'refresh',
	},
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back: filter, screen',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	...movements,
	...columnKeys,
];

export type HappeningTarget = {
	readonly close: () => void;
	readonly copy: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const happeningBindings: Bindings<HappeningTarget> = [
	{keys: ['Esc', 'q', 'Enter'], id: 'back', title: 'back', hint: 'back', does: 'close'},
	{keys: ['y'], id: 'copy-it-as-json', title: 'copy it as JSON', hint: 'copy', does: 'copy'},
	{keys: ['j', 'Down', 'PgDn'], id: 'further-down', title: 'further down', does: ['scroll', 1]},
	{keys: ['k', 'Up', 'PgUp'], id: 'further-up', title: 'further up', does: ['scroll', -1]},
];
