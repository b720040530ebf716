import type {Binding} from '../../bindings.ts';
import {rentOfferKeys, type RentKeys} from '../rent-keys.ts';

/** What the keys of one offer act on. */
export type OfferTarget = RentKeys & {
	readonly step: (by: 1 | -1) => void;
	/** Why there is no offer to go to; undefined where there is one. */
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

type Target = OfferTarget;

/** Where it does not fit a screen there are a few lines more. */
const PAGE = 8;

export const offerBindings: ReadonlyArray<Binding<Target>> = [
	...rentOfferKeys,
	{
		keys: ['='],
		title: 'compare with the marked offers, else with equal ones',
		hint: 'compare',
		run: target => target.compare(),
		unavailable: target => target.compareUnavailable(),
	},
	{
		keys: ['Space'],
		title: 'mark this offer, or take the mark away',
		hint: 'mark',
		run: target => target.mark(),
		unavailable: target => target.markUnavailable(),
	},
	{
		keys: ['m'],
		title: 'watch this offer: tell when it is cheap enough',
		hint: 'watch',
		run: target => target.watch(),
	},
	{
		keys: [']'],
		title: 'next offer of the list',
		hint: 'next',
		run: target => target.step(1),
		unavailable: target => target.stepUnavailable(1),
	},
	{
		keys: ['['],
		title: 'previous offer of the list',
		hint: 'previous',
		run: target => target.step(-1),
		unavailable: target => target.stepUnavailable(-1),
	},
	{keys: ['y', 'c'], title: 'copy its number', hint: 'copy', run: target => target.copy()},
	{keys: ['j', 'Down'], title: 'a line down', run: target => target.scroll(1)},
	{keys: ['k', 'Up'], title: 'a line up', run: target => target.scroll(-1)},
	{keys: ['PgDn', 'Ctrl-F', 'Ctrl-D'], title: 'lines down', run: target => target.scroll(PAGE)},
	{keys: ['PgUp', 'Ctrl-U'], title: 'lines up', run: target => target.scroll(-PAGE)},
	{
		keys: ['R', 'Ctrl-R'],
		title: 'refresh now',
		hint: 'refresh',
		run: target => void target.refresh(),
	},
];
