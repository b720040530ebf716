import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';

/** Target of the account's keys, beside those of its list. */
export type AccountTarget = {
	readonly group: () => void;
	readonly volumes: () => void;
	readonly refresh: () => void;
};

export const accountBindings: Bindings<ListTarget & AccountTarget> = [
	{
		keys: ['Tab', 'Shift-Tab'],
		id: 'charges-by-instance',
		title: 'charges by instance, or by day',
		hint: 'by instance, by day',
		does: 'group',
	},
	{keys: ['Enter'], id: 'go-to-volumes', title: 'go to Volumes', hint: 'volumes', does: 'volumes'},
	refreshKey(rereadWords),
	...movements,
	...columnKeys,
];
