/** The keys that every list has, so that a key means the same in all of them. */
import type {Binding} from '../bindings.ts';
import type {Movement} from './state.ts';

/** What the keys of a list act on. */
export type ListTarget = {
	readonly move: (movement: Movement) => void;
	readonly pick: (step: 1 | -1) => void;
	readonly order: () => void;
	readonly alsoOrder: () => void;
	readonly canOrder: () => boolean;
	readonly mark: () => void;
	readonly markRange: () => void;
	readonly markAll: () => void;
	readonly markNone: () => void;
	readonly hasMarks: () => boolean;
	readonly isEmpty: () => boolean;
	/** Opens the filter for typing. */
	readonly filter: () => void;
	/** One step back: filter, marks, screen. */
	readonly back: () => void;
	readonly backUnavailable: () => string | undefined;
};

type Bindings = ReadonlyArray<Binding<ListTarget>>;

export const movements: ReadonlyArray<Binding<Pick<ListTarget, 'move'>>> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: target => target.move('down')},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: target => target.move('up')},
	{
		keys: ['Ctrl-D'],
		id: 'half-a-page-down',
		title: 'half a page down',
		run: target => target.move('halfDown'),
	},
	{
		keys: ['Ctrl-U'],
		id: 'half-a-page-up',
		title: 'half a page up',
		run: target => target.move('halfUp'),
	},
	{
		keys: ['PgDn', 'Ctrl-F'],
		id: 'a-page-down',
		title: 'a page down',
		run: target => target.move('pageDown'),
	},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', run: target => target.move('pageUp')},
	{keys: ['g', 'Home'], id: 'first', title: 'first', run: target => target.move('first')},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: target => target.move('last')},
];

const empty = ({isEmpty}: ListTarget) => (isEmpty() ? 'the list is empty' : undefined);
type ColumnTarget = Pick<ListTarget, 'pick' | 'order' | 'alsoOrder' | 'canOrder'>;

const unpicked = ({canOrder}: ColumnTarget) =>
	canOrder() ? undefined : 'pick a column first with < or >';

export const columnKeys: ReadonlyArray<Binding<ColumnTarget>> = [
	{
		keys: ['<', 'Left'],
		id: 'pick-the-column-before',
		title: 'pick the column before',
		run: target => target.pick(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'pick-the-next-column',
		title: 'pick the next column',
		run: target => target.pick(1),
	},
	{
		keys: ['o'],
		id: 'order-by-it',
		title: 'order by it: best, reversed, off',
		run: target => target.order(),
		unavailable: unpicked,
	},
	{
		keys: ['O'],
		id: 'order-by-it-where-those-before-are-equal',
		title: 'order by it where those before are equal: best, reversed, off',
		run: target => target.alsoOrder(),
		unavailable: unpicked,
	},
];

export const markKeys: Bindings = [
	{
		keys: ['Space'],
		id: 'mark',
		title: 'mark, or take the mark away',
		run: target => target.mark(),
		unavailable: empty,
	},
	{
		keys: ['v'],
		id: 'mark-a-range',
		title: 'mark a range: from here to where it is pressed again',
		run: target => target.markRange(),
		unavailable: empty,
	},
	{
		keys: ['*'],
		id: 'mark-all',
		title: 'mark all',
		run: target => target.markAll(),
		unavailable: empty,
	},
	{
		keys: ['U'],
		id: 'mark-none',
		title: 'mark none',
		run: target => target.markNone(),
		unavailable: ({hasMarks}) => (hasMarks() ? undefined : 'nothing is marked'),
	},
];

export const filterKey: Binding<ListTarget> = {
	keys: ['/'],
	id: 'filter-by-words',
	title: 'filter by words',
	hint: 'filter',
	run: target => target.filter(),
};

/** What the keys of an open filter act on. */
export type FilterTarget = {
	readonly apply: () => void;
	readonly restore: () => void;
	/** Completes the word that is typed, where the list knows how. */
	readonly complete: () => void;
};

export const filterBindings: ReadonlyArray<Binding<FilterTarget>> = [
	{
		keys: ['Enter'],
		id: 'use-the-filter',
		title: 'use the filter',
		hint: 'use',
		run: target => target.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-it-as-it-was',
		title: 'leave it as it was',
		hint: 'as before',
		run: target => target.restore(),
	},
];

/** The same keys, some of them with a word for the line of hints. */
export function hinted<Target>(
	bindings: ReadonlyArray<Binding<Target>>,
	words: Readonly<Record<string, string>>,
): ReadonlyArray<Binding<Target>> {
	return bindings.map(binding => {
		const hint = binding.keys.map(key => words[key]).find(word => word !== undefined);
		return hint === undefined ? binding : {...binding, hint};
	});
}
