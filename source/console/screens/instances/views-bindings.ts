import {closeSaved, savedMoves, type SavedMoves} from '../../list/saved-list.ts';
import type {Bindings} from '../../ui/bindings.ts';

export type ViewsTarget = SavedMoves & {
	readonly show: () => void;
	readonly save: () => void;
	readonly giveKey: () => void;
	readonly startWith: () => void;
	readonly remove: () => void;
};

export const viewsBindings: Bindings<ViewsTarget> = [
	{
		keys: ['Enter'],
		id: 'show-this-view',
		title: 'show this view',
		hint: 'show',
		run: views => views.show(),
	},
	...savedMoves,
	{
		keys: ['n'],
		id: 'save-view',
		title: 'save words, order, columns and groups as a view',
		hint: 'save',
		run: views => views.save(),
	},
	{keys: ['e'], id: 'give-key', title: 'give it a key', hint: 'key', run: views => views.giveKey()},
	{
		keys: ['s'],
		id: 'begin-with-it',
		title: 'begin Instances with it, or with all',
		hint: 'start',
		run: views => views.startWith(),
	},
	{
		keys: ['x'],
		id: 'remove-the-view',
		title: 'remove the view',
		hint: 'remove',
		isChange: true,
		run: views => views.remove(),
	},
	...closeSaved,
];
