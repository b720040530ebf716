/** Keys of lists and texts, the same in all of them. */
import type {Binding, BindingFacts, Bindings} from '../ui/bindings.ts';
import type {columnChooserTarget} from './chooser-target.ts';
import type {ListTarget} from './list-target.ts';

/** The key of every graph whose scale of values is not fixed. */
export const scaleKey: Binding<{readonly scale: () => void}> = {
	keys: [';'],
	id: 'linear-or-log',
	title: 'linear or logarithmic scale of values',
	hint: 'log',
	run: graph => graph.scale(),
};

export const movements: Bindings<Pick<ListTarget, 'move'>> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: list => list.move('down')},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: list => list.move('up')},
	{
		keys: ['Ctrl-D'],
		id: 'half-page-down',
		title: 'half a page down',
		run: list => list.move('halfDown'),
	},
	{keys: ['Ctrl-U'], id: 'half-page-up', title: 'half a page up', run: list => list.move('halfUp')},
	{
		keys: ['PgDn', 'Ctrl-F'],
		id: 'a-page-down',
		title: 'a page down',
		run: list => list.move('pageDown'),
	},
	{keys: ['PgUp'], id: 'a-page-up', title: 'a page up', run: list => list.move('pageUp')},
	{keys: ['g', 'Home'], id: 'first', title: 'first', run: list => list.move('first')},
	{keys: ['G', 'End'], id: 'last', title: 'last', run: list => list.move('last')},
];

const empty = (list: ListTarget) => list.ifEmpty('the list is empty');

type ColumnTarget = Pick<ListTarget, 'pick' | 'order' | 'alsoOrder' | 'orderUnavailable'>;

export const columnKeys: Bindings<ColumnTarget> = [
	{
		keys: ['<', 'Left'],
		id: 'previous-column',
		title: 'pick the column before',
		run: list => list.pick(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'next-column',
		title: 'pick the next column',
		run: list => list.pick(1),
	},
	{
		keys: ['o'],
		id: 'order-by-it',
		title: 'sort by it: best first, reversed, off',
		run: list => list.order(),
		unavailable: list => list.orderUnavailable(),
	},
	{
		keys: ['O'],
		id: 'order-also',
		title: 'sort by it, too: best first, reversed, off',
		run: list => list.alsoOrder(),
		unavailable: list => list.orderUnavailable(),
	},
];

export const selectionBindings: Bindings<ListTarget> = [
	{
		keys: ['Space'],
		id: 'mark',
		title: 'mark, or take the mark away, and go down',
		run: list => list.mark(),
		unavailable: empty,
	},
	{
		keys: ['v'],
		id: 'mark-a-range',
		title: 'mark a range: from here to where it is pressed again',
		run: list => list.markRange(),
		unavailable: empty,
	},
	{keys: ['*'], id: 'mark-all', title: 'mark all', run: list => list.markAll(), unavailable: empty},
	{
		keys: ['U'],
		id: 'mark-none',
		title: 'mark none',
		run: list => list.markNone(),
		unavailable: list => list.nothingMarked(),
	},
];

export const filterKey: Binding<ListTarget> = {
	keys: ['/'],
	id: 'filter-by-words',
	title: 'filter by words',
	hint: 'filter',
	run: list => list.filter(),
};

/**
 * Opens the row with the cursor. Every screen gets a binding of its own: settings give other keys to one
 * of them, and not to all.
 */
export const openKey = (reason: string): Binding<Pick<ListTarget, 'ifEmpty'> & Opening> => ({
	keys: ['Enter', 'd'],
	id: 'open-detail',
	title: 'open detail',
	hint: 'detail',
	run: list => list.open(),
	unavailable: list => list.ifEmpty(reason),
});

type Opening = {readonly open: () => void};

export const refreshKey = (words: Partial<BindingFacts> = {}): Binding<Refreshing> => ({
	keys: ['R', 'Ctrl-R'],
	id: 'refresh-now',
	title: 'refresh now',
	run: screen => screen.refresh(),
	...words,
});

export type Refreshing = {readonly refresh: () => void};

/** Words of the refresh key where unreadable records are named. */
export const refreshUnreadableTexts = {
	title: 'refresh now, and name what could not be read',
	hint: 'refresh',
};

/** Keys through a text by pages. */
export const scrollKeys = (): Bindings<{readonly scroll: (step: 1 | -1) => void}> => [
	{
		keys: ['j', 'Down', 'PgDn'],
		id: 'further-down',
		title: 'further down',
		run: page => page.scroll(1),
	},
	{keys: ['k', 'Up', 'PgUp'], id: 'further-up', title: 'further up', run: page => page.scroll(-1)},
];

/** Keys through a text by lines. */
export const lineKeys = (): Bindings<{readonly scroll: (lines: number) => void}> => [
	{keys: ['j', 'Down'], id: 'a-line-down', title: 'a line down', run: page => page.scroll(1)},
	{keys: ['k', 'Up'], id: 'a-line-up', title: 'a line up', run: page => page.scroll(-1)},
];

export type FilterTarget = {
	readonly apply: () => void;
	readonly restore: () => void;
	readonly complete: () => void;
};

export const filterBindings: Bindings<FilterTarget> = [
	{
		keys: ['Enter'],
		id: 'use-the-filter',
		title: 'use the filter',
		hint: 'use',
		run: filter => filter.apply(),
	},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-unchanged',
		title: 'leave it as it was',
		hint: 'as before',
		run: filter => filter.restore(),
	},
];

export function hinted<Target>(
	bindings: Bindings<Target>,
	words: Readonly<Record<string, string>>,
): Bindings<Target> {
	return bindings.map(binding => {
		const hint = binding.keys.map(key => words[key]).find(word => word !== undefined);
		return hint === undefined ? binding : {...binding, hint};
	});
}

export const chooserBindings: Bindings<ReturnType<typeof columnChooserTarget>> = [
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: chooser => chooser.step(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: chooser => chooser.step(-1)},
	{
		keys: ['Space'],
		id: 'toggle-column',
		title: 'show or hide the column',
		hint: 'show',
		run: chooser => chooser.toggle(),
	},
	{
		keys: ['<', 'Left'],
		id: 'move-left',
		title: 'move it to the left',
		hint: 'left',
		run: chooser => chooser.shift(-1),
	},
	{
		keys: ['>', 'Right'],
		id: 'move-right',
		title: 'move it to the right',
		hint: 'right',
		run: chooser => chooser.shift(1),
	},
	{
		keys: ['+'],
		id: 'make-it-wider',
		title: 'make it wider',
		hint: 'wider',
		run: chooser => chooser.widen(1),
	},
	{
		keys: ['_'],
		id: 'make-it-narrower',
		title: 'make it narrower',
		hint: 'narrower',
		run: chooser => chooser.widen(-1),
	},
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide',
		hint: 'set',
		run: chooser => chooser.nextSet(),
	},
	{
		keys: ['u'],
		id: 'usual-columns',
		title: 'back to the usual columns',
		hint: 'usual',
		run: chooser => chooser.reset(),
	},
	{
		keys: ['Esc', 'Enter', 'W', 'q'],
		id: 'close-columns',
		title: 'close the list of columns',
		hint: 'close',
		run: chooser => chooser.close(),
	},
];
