import type {Binding} from '../../bindings.ts';
import {columnKeys, hinted, markKeys, movements, type ListTarget} from '../../list/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent-keys.ts';
import type {SavedKeys} from './saved/saved-state.ts';

/** What the keys of the list of offers act on. */
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
		readonly refresh: () => Promise<void>;
	};

type Target = ListTarget & OfferListTarget;

const empty = ({isEmpty}: Target) => (isEmpty() ? 'there is no offer to act on' : undefined);

const columnBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide columns',
		hint: 'columns',
		run: target => target.nextSet(),
	},
	{
		keys: ['i'],
		id: 'change-the-pane-beside-the-list',
		title: 'change the pane beside the list',
		run: target => target.nextPane(),
		unavailable: target => target.paneUnavailable(),
	},
	{
		keys: ['W'],
		id: 'choose-columns',
		title: 'choose columns',
		run: target => target.chooseColumns(),
	},
];

export const offerListBindings: ReadonlyArray<Binding<Target>> = [
	{
		keys: ['Enter', 'd'],
		id: 'open-detail',
		title: 'open detail',
		hint: 'detail',
		run: target => target.open(),
		unavailable: empty,
	},
	...rentOfferKeys,
	...movements,
	...hinted(columnKeys, {'>': 'column', o: 'order'}),
	{
		keys: ['b'],
		id: 'saved-searches-and-watches',
		title: 'saved searches and watches',
		hint: 'saved',
		run: target => target.saved(),
	},
	{
		keys: ['m'],
		id: 'watch-this-search',
		title: 'watch this search: tell when an offer is cheap enough',
		hint: 'watch',
		run: target => target.watch(),
	},
	...columnBindings,
	...hinted(markKeys, {Space: 'mark'}),
	{
		keys: ['='],
		id: 'compare-the-marked-offers',
		title: 'compare the marked offers',
		hint: 'compare',
		run: target => target.compare(),
		unavailable: target => target.compareUnavailable(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-number-of-the-offer',
		title: 'copy the number of the offer',
		run: target => target.copy(),
		unavailable: empty,
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'refresh-now',
		title: 'refresh now, and name what could not be read',
		hint: 'refresh',
		run: target => void target.refresh(),
	},
	{
		keys: ['p'],
		id: 'pause-or-resume-refreshing',
		title: 'pause or resume refreshing',
		run: target => target.pause(),
	},
	{
		keys: ['Esc'],
		id: 'take-the-marks-away',
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
