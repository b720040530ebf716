/** The keys that every list has, so that a key means the same in all of them. */
import type {Binding, Bindings} from '../bindings.ts';
import type {Movement} from './state.ts';

/** What the keys of a list act on. */
export type ListTarget = {
	readonly move: (movement: Movement) => void;
	readonly pick: (step: 1 | -1) => void;
	readonly order: () => void;
	readonly alsoOrder: () => void;
	/** Why there is nothing to order by; undefined where there is. */
	readonly orderUnavailable: () => string | undefined;
	readonly mark: () => void;
	readonly markRange: () => void;
	readonly markAll: () => void;
	readonly markNone: () => void;
	readonly nothingMarked: () => string | undefined;
	/** The reason, in the words of the noun, where the list has no row. */
	readonly ifEmpty: (reason: string) => string | undefined;
	/** Opens the filter for typing. */
	readonly filter: () => void;
	/** One step back: filter, marks, screen. */
	readonly back: () => void;
	readonly backUnavailable: () => string | undefined;
};

export const movements: Bindings<Pick<ListTarget, 'move'>> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', does: ['move', 'down']},
	{keys: ['k', 'Up'], id: 'up', title: 'up', does: ['move', 'up']},
	{keys: ['Ctrl-D'], id: 'half-a-page-down', title: 'half a page down', does: ['move', 'halfDown']},
	{keys: ['Ctrl-U'], id: 'half-a-page-up', title: 'half a page up', does: ['move', 'halfUp']},
	{keys: ['PgDn', 'Ctrl-F'], id: 'a-page-down', title: 'a page down', does: ['move', 'pageDown']},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', does: ['move', 'pageUp']},
	{keys: ['g', 'Home'], id: 'first', title: 'first', does: ['move', 'first']},
	{keys: ['G', 'End'], id: 'last', title: 'last', does: ['move', 'last']},
];

const empty = ['ifEmpty', 'the list is empty'] as const;

type ColumnTarget = Pick<ListTarget, 'pick' | 'order' | 'alsoOrder' | 'orderUnavailable'>;

export const columnKeys: Bindings<ColumnTarget> = [
	{
		keys: ['<', 'Left'],
		id: 'pick-the-column-before',
		title: 'pick the column before',
		does: ['pick', -1],
	},
	{
		keys: ['>', 'Right'],
		id: 'pick-the-next-column',
		title: 'pick the next column',
		does: ['pick', 1],
	},
	{
		keys: ['o'],
		id: 'order-by-it',
		title: 'order by it: best, reversed, off',
		does: 'order',
		unavailable: 'orderUnavailable',
	},
	{
		keys: ['O'],
		id: 'order-by-it-where-those-before-are-equal',
		title: 'order by it where those before are equal: best, reversed, off',
		does: 'alsoOrder',
		unavailable: 'orderUnavailable',
	},
];

export const markKeys: Bindings<ListTarget> = [
	{
		keys: ['Space'],
		id: 'mark',
		title: 'mark, or take the mark away',
		does: 'mark',
		unavailable: empty,
	},
	{
		keys: ['v'],
		id: 'mark-a-range',
		title: 'mark a range: from here to where it is pressed again',
		does: 'markRange',
		unavailable: empty,
	},
	{keys: ['*'], id: 'mark-all', title: 'mark all', does: 'markAll', unavailable: empty},
	{
		keys: ['U'],
		id: 'mark-none',
		title: 'mark none',
		does: 'markNone',
		unavailable: 'nothingMarked',
	},
];

export const filterKey: Binding<ListTarget> = {
	keys: ['/'],
	id: 'filter-by-words',
	title: 'filter by words',
	hint: 'filter',
	does: 'filter',
};

/** What the keys of an open filter act on. */
export type FilterTarget = {
	readonly apply: () => void;
	readonly restore: () => void;
	/** Completes the word that is typed, where the list knows how. */
	readonly complete: () => void;
};

export const filterBindings: Bindings<FilterTarget> = [
	{keys: ['Enter'], id: 'use-the-filter', title: 'use the filter', hint: 'use', does: 'apply'},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-was',
		title: 'leave it as it was',
		hint: 'as before',
		does: 'restore',
	},
];

/** The same keys, some of them with a word for the line of hints. */
export function hinted<Target>(
	bindings: Bindings<Target>,
	words: Readonly<Record<string, string>>,
): Bindings<Target> {
	return bindings.map(binding => {
		const hint = binding.keys.map(key => words[key]).find(word => word !== undefined);
		return hint === undefined ? binding : {...binding, hint};
	});
}
