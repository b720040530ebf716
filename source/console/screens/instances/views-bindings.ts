import type {Bindings} from '../../ui/bindings.ts';
import {closeSaved, savedMoves, type SavedMoves} from '../../list/saved-bindings.ts';

/** Key methods of the list of views. */
export type ViewsTarget = SavedMoves & {
	readonly show: () => void;
	readonly save: () => void;
	readonly giveKey: () => void;
	readonly startWith: () => void;
	readonly remove: () => void;
};

export const viewsBindings: Bindings<ViewsTarget> = [
	{keys: ['Enter'], id: 'show-this-view', title: 'show this view', hint: 'show', does: 'show'},
	...savedMoves,
	{
		keys: ['n'],
		id: 'save-what-is-shown-as-a-view',
		title: 'save words, order, columns and groups as a view',
		hint: 'save',
		does: 'save',
	},
	{keys: ['e'], id: 'give-it-a-key', title: 'give it a key', hint: 'key', does: 'giveKey'},
	{
		keys: ['s'],
		id: 'begin-with-it',
		title: 'begin Instances with it, or with all',
		hint: 'start',
		does: 'startWith',
	},
	{
		keys: ['x'],
		id: 'remove-the-view',
		title: 'remove the view',
		hint: 'remove',
		isChange: true,
		does: 'remove',
	},
	...closeSaved,
];
