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
	lineKeys,
} from '../../list/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent/bindings.ts';
import type {SavedKeys} from './saved/saved.ts';
import type {Key} from '../../terminal/input/keys.ts';

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

/** The keys that work without offers. */
export const emptyListBindings: Bindings<Target> = offerListBindings.filter(({keys: [key = '']}) =>
	withoutOffers.has(key),
);

/** Target of one offer's keys. */
export type OfferTarget = RentKeys & {
	readonly step: (by: 1 | -1) => void;
	/** Reason why there is no next offer; undefined where there is one. */
	readonly stepUnavailable: (by: 1 | -1) => string | undefined;
	readonly mark: () => void;
	readonly markUnavailable: () => string | undefined;
	readonly compare: () => void;
	readonly compareUnavailable: () => string | undefined;
	/** Watches this offer for a lower price. */
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
		id: 'compare-with-the-marked-offers',
		title: 'compare with the marked offers, else with equal ones',
		hint: 'compare',
		does: 'compare',
		unavailable: 'compareUnavailable',
	},
	{
		keys: ['Space'],
		id: 'mark-this-offer',
		title: 'mark this offer, or take the mark away',
		hint: 'mark',
		does: 'mark',
		unavailable: 'markUnavailable',
	},
	{
		keys: ['m'],
		id: 'watch-this-offer',
		title: 'watch this offer: tell when it is cheap enough',
		hint: 'watch',
		does: 'watch',
	},
	{
		keys: [']'],
		id: 'next-offer-of-the-list',
		title: 'next offer of the list',
		hint: 'next',
		does: ['step', 1],
		unavailable: ['stepUnavailable', 1],
	},
	{
		keys: ['['],
		id: 'previous-offer-of-the-list',
		title: 'previous offer of the list',
		hint: 'previous',
		does: ['step', -1],
		unavailable: ['stepUnavailable', -1],
	},
	{keys: ['y', 'c'], id: 'copy-its-number', title: 'copy its number', hint: 'copy', does: 'copy'},
	...lineKeys(),
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'lines-down',
		title: 'lines down',
		does: ['scroll', PAGE],
	},
	{keys: ['PgUp', 'Ctrl-U'], id: 'lines-up', title: 'lines up', does: ['scroll', -PAGE]},
	refreshKey({hint: 'refresh'}),
];

/** Target of a comparison's keys. */
export type CompareTarget = RentKeys & {
	readonly pick: (step: 1 | -1) => void;
	readonly drop: () => void;
	readonly scroll: (by: 'line' | 'page' | 'all', direction: 1 | -1) => void;
	readonly toggleDifferences: () => void;
	readonly toggleFallback: () => void;
	readonly editJob: () => void;
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => Promise<void>;
};

export const compareBindings: Bindings<CompareTarget> = [
	...rentOfferKeys,
	{
		keys: ['Right', '>'],
		id: 'pick-the-next-column',
		title: 'pick the next column',
		hint: 'pick',
		does: ['pick', 1],
	},
	{
		keys: ['Left', '<'],
		id: 'pick-the-column-before',
		title: 'pick the column before',
		does: ['pick', -1],
	},
	{
		keys: ['x'],
		id: 'drop-the-picked-column',
		title: 'drop the picked column',
		hint: 'drop column',
		does: 'drop',
		unavailable: 'rentUnavailable',
	},
	{
		keys: ['!'],
		id: 'only-differences',
		title: 'only differences, or all rows',
		hint: 'only differences',
		does: 'toggleDifferences',
	},
	{keys: ['Tab'], id: 'edit-the-job', title: 'edit the job', hint: 'job', does: 'editJob'},
	{
		keys: ['Space'],
		id: 'keep-the-picked-offer-out-of-the-fallback-order',
		title: 'keep the picked offer out of the fallback order, or put it back',
		hint: 'fallback',
		does: 'toggleFallback',
		unavailable: 'rentUnavailable',
	},
	{
		keys: ['Enter', 'd'],
		id: 'open-the-picked-offer',
		title: 'open the picked offer',
		hint: 'detail',
		does: 'open',
		unavailable: 'rentUnavailable',
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-comparison-as-a-table',
		title: 'copy the comparison as a table',
		hint: 'copy',
		does: 'copy',
		unavailable: 'rentUnavailable',
	},
	{keys: ['j', 'Down'], id: 'a-row-down', title: 'a row down', does: ['scroll', 'line', 1]},
	{keys: ['k', 'Up'], id: 'a-row-up', title: 'a row up', does: ['scroll', 'line', -1]},
	{
		keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'],
		id: 'rows-down',
		title: 'rows down',
		does: ['scroll', 'page', 1],
	},
	{keys: ['PgUp', 'Ctrl-U'], id: 'rows-up', title: 'rows up', does: ['scroll', 'page', -1]},
	{keys: ['g', 'Home'], id: 'first-row', title: 'first row', does: ['scroll', 'all', -1]},
	{keys: ['G', 'End'], id: 'last-row', title: 'last row', does: ['scroll', 'all', 1]},
	refreshKey({hint: 'refresh'}),
];

/** Target of the keys while the job is edited. */
export type JobTarget = {
	readonly next: (step: 1 | -1) => void;
	readonly accept: () => void;
	readonly cancel: () => void;
	/** Reason why the typed job cannot be kept; undefined when it can. */
	readonly problem: () => string | undefined;
	readonly type: (key: Key) => boolean;
};

export const jobBindings: Bindings<JobTarget> = [
	{keys: ['Tab', 'Down'], id: 'next-number', title: 'next number', hint: 'next', does: ['next', 1]},
	{keys: ['Shift-Tab', 'Up'], id: 'number-before', title: 'number before', does: ['next', -1]},
	{
		keys: ['Enter'],
		id: 'keep-it-for-every-price',
		title: 'keep it for every price',
		hint: 'keep for every price',
		does: 'accept',
		unavailable: 'problem',
	},
	{
		keys: ['Esc'],
		id: 'leave-the-job-as-it-was',
		title: 'leave the job as it was',
		hint: 'cancel',
		does: 'cancel',
	},
];
