import type {Binding} from '../../bindings.ts';
import type {Movement} from '../../components/table-state.ts';
import {rentOfferKeys} from '../rent/rent-keys.ts';
import type {RentKeys} from '../rent/rent-keys.ts';
import type {SavedKeys} from './saved/saved-state.ts';

/** What the keys of the list of offers act on. */
export type OfferListTarget = SavedKeys &
	RentKeys & {
		readonly move: (movement: Movement) => void;
		readonly pick: (step: 1 | -1) => void;
		readonly order: () => void;
		readonly alsoOrder: () => void;
		readonly mark: () => void;
		readonly markRange: () => void;
		readonly markAll: () => void;
		readonly markNone: () => void;
		readonly hasMarks: () => boolean;
		readonly nextSet: () => void;
		readonly nextPane: () => void;
		readonly paneUnavailable: () => string | undefined;
		readonly chooseColumns: () => void;
		readonly copy: () => void;
		readonly pause: () => void;
		/** Takes the marks away, and where there are none goes one place back. */
		readonly back: () => void;
		readonly backUnavailable: () => string | undefined;
		readonly open: () => void;
		readonly compare: () => void;
		readonly compareUnavailable: () => string | undefined;
		readonly refresh: () => Promise<void>;
		readonly isEmpty: () => boolean;
		readonly canOrder: () => boolean;
	};

type Target = OfferListTarget;

const empty = ({isEmpty}: Target) => (isEmpty() ? 'there is no offer to act on' : undefined);

const movements: ReadonlyArray<Binding<Target>> = [
	{keys: ['j', 'Down'], title: 'down', run: target => target.move('down')},
	{keys: ['k', 'Up'], title: 'up', run: target => target.move('up')},
	{keys: ['Ctrl-D'], title: 'half a page down', run: target => target.move('halfDown')},
	{keys: ['Ctrl-U'], title: 'half a page up', run: target => target.move('halfUp')},
	{keys: ['PgDn', 'Ctrl-F'], title: 'a page down', run: target => target.move('pageDown')},
	{keys: ['PgUp'], title: 'a page up', run: target => target.move('pageUp')},
	{keys: ['g', 'Home'], title: 'first', run: target => target.move('first')},
	{keys: ['G', 'End'], title: 'last', run: target => target.move('last')},
];

const unpicked = ({canOrder}: Target) =>
	canOrder() ? undefined : 'pick a column first with < or >';

const unmarked = ({hasMarks}: Target) => (hasMarks() ? undefined : 'no offer is marked');

const columnBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['w'],
		title: 'compact, normal or wide columns',
		hint: 'columns',
		run: target => target.nextSet(),
	},
	{
		keys: ['i'],
		title: 'change the pane beside the list',
		run: target => target.nextPane(),
		unavailable: target => target.paneUnavailable(),
	},
	{keys: ['W'], title: 'choose columns', run: target => target.chooseColumns()},
];

const markBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Space'],
		title: 'mark, or take the mark away',
		hint: 'mark',
		run: target => target.mark(),
		unavailable: empty,
	},
	{
		keys: ['v'],
		title: 'mark a range: from here to where it is pressed again',
		run: target => target.markRange(),
		unavailable: empty,
	},
	{
		keys: ['='],
		title: 'compare the marked offers',
		hint: 'compare',
		run: target => target.compare(),
		unavailable: target => target.compareUnavailable(),
	},
	{
		keys: ['y', 'c'],
		title: 'copy the number of the offer',
		run: target => target.copy(),
		unavailable: empty,
	},
	{keys: ['*'], title: 'mark all', run: target => target.markAll(), unavailable: empty},
	{keys: ['U'], title: 'mark none', run: target => target.markNone(), unavailable: unmarked},
];

export const offerListBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Enter', 'd'],
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	...rentOfferKeys,
	...movements,
	{keys: ['<', 'Left'], title: 'pick the column before', run: target => target.pick(-1)},
	{
		keys: ['>', 'Right'],
		title: 'pick the next column',
		hint: 'column',
		run: target => target.pick(1),
	},
	{
		keys: ['o'],
		title: 'order by it: best, reversed, off',
		hint: 'order',
		run: target => target.order(),
		unavailable: unpicked,
	},
	{
		keys: ['O'],
		title: 'order by it where those before are equal: best, reversed, off',
		run: target => target.alsoOrder(),
		unavailable: unpicked,
	},
	{keys: ['b'], title: 'saved searches and watches', hint: 'saved', run: target => target.saved()},
	{
		keys: ['m'],
		title: 'watch this search: tell when an offer is cheap enough',
		hint: 'watch',
		run: target => target.watch(),
	},
	...columnBindings,
	...markBindings,
	{
		keys: ['R', 'Ctrl-R'],
		title: 'refresh now',
		hint: 'refresh',
		run: target => void target.refresh(),
	},
	{keys: ['p'], title: 'pause or resume refreshing', run: target => target.pause()},
	{
		keys: ['Esc'],
		title: 'take the marks away, else one step back',
		run: target => target.back(),
		unavailable: target => target.backUnavailable(),
	},
];

const withoutOffers = new Set(['b', 'm', 'w', 'W', 'i', 'R', 'p', 'U', 'Esc']);

/** The keys of a list that has no offers: those that need none. */
export const emptyListBindings: ReadonlyArray<Binding<Target>> = offerListBindings.filter(
	({keys: [key = '']}) => withoutOffers.has(key),
);
