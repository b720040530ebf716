import type {Bindings} from '../../../bindings.ts';

/** Target of the keys of saved searches and watches. */
export type SavedTarget = {
	readonly move: (step: number) => void;
	readonly apply: () => void;
	readonly saveNew: () => void;
	readonly watch: () => void;
	readonly remove: () => void;
	readonly close: () => void;
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
	{keys: ['j', 'Down'], id: 'down', title: 'down', does: ['move', 1]},
	{keys: ['k', 'Up'], id: 'up', title: 'up', does: ['move', -1]},
	{keys: ['g', 'Home'], id: 'first', title: 'first', does: ['move', Number.NEGATIVE_INFINITY]},
	{keys: ['G', 'End'], id: 'last', title: 'last', does: ['move', Number.POSITIVE_INFINITY]},
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
	{
		keys: ['Esc', 'q', 'b'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		does: 'close',
	},
];

/** Target of the line's keys, in which a name or a price is typed. */
export type EntryTarget = {readonly accept: () => void; readonly leave: () => void};

export const entryBindings: Bindings<EntryTarget> = [
	{keys: ['Enter'], id: 'keep-it', title: 'keep it', hint: 'keep', does: 'accept'},
	{keys: ['Esc', 'Ctrl-C'], id: 'leave-it', title: 'leave it', hint: 'leave', does: 'leave'},
];
