import type {Bindings} from '../../../bindings.ts';
import {closeSaved, savedMoves, type SavedMoves} from '../../../list/saved-bindings.ts';

/** Target of the keys of saved searches and watches. */
export type SavedTarget = SavedMoves & {
	readonly apply: () => void;
	readonly saveNew: () => void;
	readonly watch: () => void;
	readonly remove: () => void;
	readonly nothingSaved: () => string | undefined;
};

export const savedBindings: Bindings<SavedTarget> = [
	{
		keys: ['Enter'],
		id: 'search-with-these-words',
		title: 'search with these words',
		hint: 'search',
		does: 'apply',
		unavailable: 'nothingSaved',
	},
	...savedMoves,
	{
		keys: ['n'],
		id: 'save-the-present-words-under-a-name',
		title: 'save the present words under a name',
		hint: 'save',
		does: 'saveNew',
	},
	{
		keys: ['m'],
		id: 'watch-the-present-words-for-a-price',
		title: 'watch the present words for a price',
		hint: 'watch',
		does: 'watch',
	},
	{
		keys: ['x'],
		id: 'remove-it-from-the-list',
		title: 'remove it from the list',
		hint: 'remove',
		isChange: true,
		does: 'remove',
		unavailable: 'nothingSaved',
	},
	...closeSaved,
];
