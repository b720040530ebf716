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
	{keys: ['j', 'Down'], title: 'down', run: target => target.move('down')},
	{keys: ['k', 'Up'], title: 'up', run: target => target.move('up')},
	{keys: ['Ctrl-D'], title: 'half a page down', run: target => target.move('halfDown')},
	{keys: ['Ctrl-U'], title: 'half a page up', run: target => target.move('halfUp')},
	{keys: ['PgDn', 'Ctrl-F'], title: 'a page down', run: target => target.move('pageDown')},
	{keys: ['PgUp'], title: 'a page up', run: target => target.move('pageUp')},
	{keys: ['g', 'Home'], title: 'first', run: target => target.move('first')},
	{keys: ['G', 'End'], title: 'last', run: target => target.move('last')},
];

const empty = ({isEmpty}: ListTarget) => (isEmpty() ? 'the list is empty' : undefined);
type ColumnTarget = Pick<ListTarget, 'pick' | 'order' | 'alsoOrder' | 'canOrder'>;

const unpicked = ({canOrder}: ColumnTarget) =>
	canOrder() ? undefined : 'pick a column first with < or >';

export const columnKeys: ReadonlyArray<Binding<ColumnTarget>> = [
	{keys: ['<', 'Left'], title: 'pick the column before', run: target => target.pick(-1)},
	{keys: ['>', 'Right'], title: 'pick the next column', run: target => target.pick(1)},
	{
		keys: ['o'],
		title: 'order by it: best, reversed, off',
		run: target => target.order(),
		unavailable: unpicked,
	},
	{
		keys: ['O'],
		title: 'order by it where those before are equal: best, reversed, off',
		run: target => target.alsoOrder(),
		unavailable: unpicked,
	},
];

export const markKeys: Bindings = [
	{
		keys: ['Space'],
		title: 'mark, or take the mark away',
		run: target => target.mark(),
		unavailable: empty,
	},
	{
		keys: ['v'],
		title: 'mark a range: from here to where it is pressed again',
		run: target => target.markRange(),
		unavailable: empty,
	},
	{keys: ['*'], title: 'mark all', run: target => target.markAll(), unavailable: empty},
	{
		keys: ['U'],
		title: 'mark none',
		run: target => target.markNone(),
		unavailable: ({hasMarks}) => (hasMarks() ? undefined : 'nothing is marked'),
	},
];

export const filterKey: Binding<ListTarget> = {
	keys: ['/'],
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
	{keys: ['Enter'], title: 'use the filter', hint: 'use', run: target => target.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
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
