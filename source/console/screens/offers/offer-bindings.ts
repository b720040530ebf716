import {
	lineKeys,
	refreshKey,
	columnKeys,
	movements,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent-keys.ts';

/** Target of the keys of prices, beside those of their list. */
export type PricesTarget = {readonly refresh: () => void};

export const priceBindings: Bindings<ListTarget & PricesTarget> = [
	refreshKey(rereadWords),
	...movements,
	...columnKeys,
];

/** Target of one offer's keys. */
export type OfferTarget = RentKeys & {
	readonly step: (by: 1 | -1) => void;
	/** Reason why there is no next offer; undefined where there is one. */
	readonly stepUnavailable: (by: 1 | -1) => string | undefined;
	readonly mark: () => void;
	readonly markUnavailable: () => string | undefined;
	readonly compare: () => void;
	readonly compareUnavailable: () => string | undefined;
	/** Tells when this offer is to be had for less. */
	readonly watch: () => void;
	readonly refresh: () => Promise<void>;
	readonly copy: () => void;
	/** So many lines down; what is above the first and below the last is nothing. */
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
