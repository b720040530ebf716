import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	hinted,
	selectionBindings,
	movements,
	openKey,
	refreshKey,
	refreshUnreadableTexts,
	lineKeys,
} from '../../list/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent/bindings.ts';
import type {SavedKeys} from './saved/saved.ts';

export type OfferListTarget = SavedKeys &
	RentKeys & {
		readonly nextSet: () => void;
		readonly nextPane: () => void;
		readonly paneUnavailable: () => string | undefined;
		readonly chooseColumns: () => void;
		readonly copy: () => void;
		readonly pause: () => void;
		readonly open: () => void;
		readonly compare: () => void;
		readonly compareUnavailable: () => string | undefined;
		readonly prices: () => void;
		readonly refresh: () => Promise<void>;
	};

type Target = ListTarget & OfferListTarget;

const empty = (list: ListTarget) => list.ifEmpty('there is no offer to act on');

const columnBindings: Bindings<Target> = [
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide columns',
		hint: 'columns',
		run: list => list.nextSet(),
	},
	{
		keys: ['i'],
		id: 'change-pane',
		title: 'change the pane beside the list',
		run: list => list.nextPane(),
		unavailable: list => list.paneUnavailable(),
	},
	{keys: ['W'], id: 'choose-columns', title: 'choose columns', run: list => list.chooseColumns()},
];

export const offerListBindings: Bindings<Target> = [
	openKey('there is no offer to act on'),
	...rentOfferKeys,
	...movements,
	...hinted(columnKeys, {'>': 'column', o: 'order'}),
	{
		keys: ['b'],
		id: 'saved',
		title: 'saved searches and watches',
		hint: 'saved',
		run: list => list.saved(),
	},
	{
		keys: ['m'],
		id: 'watch-this-search',
		title: 'watch this search: tell when an offer is cheap enough',
		hint: 'watch',
		run: list => list.watch(),
	},
	...columnBindings,
	...hinted(selectionBindings, {Space: 'mark'}),
	{
		keys: ['='],
		id: 'compare-marked',
		title: 'compare the marked offers',
		hint: 'compare',
		run: list => list.compare(),
		unavailable: list => list.compareUnavailable(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-offer',
		title: 'copy the number of the offer',
		run: list => list.copy(),
		unavailable: empty,
	},
	{
		keys: ['M'],
		id: 'prices-of-gpus',
		title: 'prices of GPUs in the whole market, now and of late',
		run: list => list.prices(),
	},
	refreshKey(refreshUnreadableTexts),
	{
		keys: ['p'],
		id: 'pause-refreshing',
		title: 'pause or resume refreshing',
		run: list => list.pause(),
	},
	{
		keys: ['Esc'],
		id: 'clear-marks',
		title: 'take the marks away, else one step back',
		run: list => list.back(),
		unavailable: list => list.backUnavailable(),
	},
];

const withoutOffers = new Set(['b', 'm', 'w', 'W', 'i', 'R', 'p', 'M', 'U', 'Esc']);

export const emptyListBindings: Bindings<Target> = offerListBindings.filter(({keys: [key = '']}) =>
	withoutOffers.has(key),
);

export type OfferTarget = RentKeys & {
	readonly step: (by: 1 | -1) => void;
	/** Reason why there is no next offer; undefined if there is one. */
	readonly stepUnavailable: (by: 1 | -1) => string | undefined;
	readonly mark: () => void;
	readonly markUnavailable: () => string | undefined;
	readonly compare: () => void;
	readonly compareUnavailable: () => string | undefined;
	readonly watch: () => void;
	readonly refresh: () => Promise<void>;
	readonly copy: () => void;
	/** Moves down by so many lines, within the first and the last. */
	readonly scroll: (lines: number) => void;
};

/** Lines that Page Down moves the detail by. */
const PAGE = 8;

export const offerBindings: Bindings<OfferTarget> = [
	...rentOfferKeys,
	{
		keys: ['='],
		id: 'compare-with-marked',
		title: 'compare with the marked offers, else with equal ones',
		hint: 'compare',
		run: offer => offer.compare(),
		unavailable: offer => offer.compareUnavailable(),
	},
	{
		keys: ['Space'],
		id: 'mark-this-offer',
		title: 'mark this offer, or take the mark away',
		hint: 'mark',
		run: offer => offer.mark(),
		unavailable: offer => offer.markUnavailable(),
	},
	{
		keys: ['m'],
		id: 'watch-this-offer',
		title: 'watch this offer: tell when it is cheap enough',
		hint: 'watch',
		run: offer => offer.watch(),
	},
	{
		keys: [']'],
		id: 'next-offer',
		title: 'next offer of the list',
		hint: 'next',
		run: offer => offer.step(1),
		unavailable: offer => offer.stepUnavailable(1),
	},
	{
		keys: ['['],
		id: 'previous-offer',
		title: 'previous offer of the list',
		hint: 'previous',
		run: offer => offer.step(-1),
		unavailable: offer => offer.stepUnavailable(-1),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-its-number',
		title: 'copy its number',
		hint: 'copy',
		run: offer => offer.copy(),
	},
	...lineKeys(),
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'lines-down',
		title: 'lines down',
		run: offer => offer.scroll(PAGE),
	},
	{keys: ['PgUp', 'Ctrl-U'], id: 'lines-up', title: 'lines up', run: offer => offer.scroll(-PAGE)},
	refreshKey({hint: 'refresh'}),
];
