import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	hinted,
	markKeys,
	movements,
	openKey,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent-keys.ts';
import type {SavedKeys} from './saved/saved-state.ts';

/** Target of the offers list's keys. */
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

const empty = ['ifEmpty', 'there is no offer to act on'] as const;

const columnBindings: Bindings<Target> = [
	{
		keys: ['w'],
		id: 'compact',
		title: 'compact, normal or wide columns',
		hint: 'columns',
		does: 'nextSet',
	},
	{
		keys: ['i'],
		id: 'change-the-pane-beside-the-list',
		title: 'change the pane beside the list',
		does: 'nextPane',
		unavailable: 'paneUnavailable',
	},
	{keys: ['W'], id: 'choose-columns', title: 'choose columns', does: 'chooseColumns'},
];

export const offerListBindings: Bindings<Target> = [
	openKey('there is no offer to act on'),
	...rentOfferKeys,
	...movements,
	...hinted(columnKeys, {'>': 'column', o: 'order'}),
	{
		keys: ['b'],
		id: 'saved-searches-and-watches',
		title: 'saved searches and watches',
		hint: 'saved',
		does: 'saved',
	},
	{
		keys: ['m'],
		id: 'watch-this-search',
		title: 'watch this search: tell when an offer is cheap enough',
		hint: 'watch',
		does: 'watch',
	},
	...columnBindings,
	...hinted(markKeys, {Space: 'mark'}),
	{
		keys: ['='],
		id: 'compare-the-marked-offers',
		title: 'compare the marked offers',
		hint: 'compare',
		does: 'compare',
		unavailable: 'compareUnavailable',
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-number-of-the-offer',
		title: 'copy the number of the offer',
		does: 'copy',
		unavailable: empty,
	},
	{
		keys: ['M'],
		id: 'prices-of-gpus',
		title: 'prices of GPUs in the whole market, now and of late',
		does: 'prices',
	},
	refreshKey(rereadWords),
	{
		keys: ['p'],
		id: 'pause-or-resume-refreshing',
		title: 'pause or resume refreshing',
		does: 'pause',
	},
	{
		keys: ['Esc'],
		id: 'take-the-marks-away',
		title: 'take the marks away, else one step back',
		does: 'back',
		unavailable: 'backUnavailable',
	},
];

const withoutOffers = new Set(['b', 'm', 'w', 'W', 'i', 'R', 'p', 'M', 'U', 'Esc']);

/** The keys of a list that has no offers: those that need none. */
export const emptyListBindings: Bindings<Target> = offerListBindings.filter(({keys: [key = '']}) =>
	withoutOffers.has(key),
);
