/** Keys of lists of what is saved. The first lines on screen need them, and no package that draws. */
import type {Bindings} from '../ui/bindings.ts';

/** Methods behind the keys that move through a saved list. */
export type SavedMoves = {
	readonly move: (step: number) => void;
	readonly close: () => void;
};

export const savedMoves: Bindings<SavedMoves> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', does: ['move', 1]},
	{keys: ['k', 'Up'], id: 'up', title: 'up', does: ['move', -1]},
	{keys: ['g', 'Home'], id: 'first', title: 'first', does: ['move', Number.NEGATIVE_INFINITY]},
	{keys: ['G', 'End'], id: 'last', title: 'last', does: ['move', Number.POSITIVE_INFINITY]},
];

export const closeSaved: Bindings<SavedMoves> = [
	{
		keys: ['Esc', 'q', 'b'],
		id: 'close-the-list',
		title: 'close the list',
		hint: 'close',
		does: 'close',
	},
];

/** Methods behind the keys of a line typed into the list. */
export type EntryTarget = {readonly accept: () => void; readonly leave: () => void};

export const entryBindings: Bindings<EntryTarget> = [
	{keys: ['Enter'], id: 'keep-it', title: 'keep it', hint: 'keep', does: 'accept'},
	{keys: ['Esc', 'Ctrl-C'], id: 'leave-it', title: 'leave it', hint: 'leave', does: 'leave'},
];
