import {completionKeys} from '../../../list/query-edit.ts';
import type {QueryTarget} from './query-target.ts';
import type {BindingSet, Binding, Bindings} from '../../../ui/bindings.ts';

const ends: Bindings<QueryTarget> = [
	{keys: ['Enter'], id: 'search', title: 'search', hint: 'search', run: query => query.apply()},
	{
		keys: ['Esc', 'Ctrl-C'],
		id: 'leave-unchanged',
		title: 'leave it as it was',
		hint: 'leave',
		run: query => query.leave(),
	},
];

export const queryBindings: Bindings<QueryTarget> = [
	...ends,
	...completionKeys,
	{
		keys: ['Up'],
		id: 'the-search-before',
		title: 'the search before',
		hint: 'earlier',
		run: query => query.recall(1),
	},
	{
		keys: ['Down'],
		id: 'the-search-after',
		title: 'the search after, then words to choose by a letter',
		hint: 'choose',
		run: query => query.down(),
	},
];

/** The keys while one of the chips is chosen. */
export const chipsBindings: Bindings<QueryTarget> = [
	{
		keys: ['x'],
		id: 'leave-word-out',
		title: 'leave this word out',
		hint: 'leave out',
		run: query => query.remove(),
	},
	{
		keys: ['Left', '<'],
		id: 'the-word-before',
		title: 'the word before',
		run: query => query.move(-1),
	},
	{
		keys: ['Right', '>'],
		id: 'the-next-word',
		title: 'the next word',
		hint: 'next',
		run: query => query.move(1),
	},
	{
		keys: ['Up', 'k'],
		id: 'back-to-text',
		title: 'back to the text',
		hint: 'text',
		run: query => query.back(),
	},
	...ends,
];

type RequestTarget = {
	readonly close: () => void;
	readonly copy: () => void;
	readonly page: (step: 1 | -1) => void;
};

export const requestBindings: Bindings<RequestTarget> = [
	{
		keys: ['Esc', 'q', 'J', 'Ctrl-C'],
		id: 'close-it',
		title: 'close it',
		hint: 'close',
		run: request => request.close(),
	},
	{keys: ['y', 'c'], id: 'copy-it', title: 'copy it', hint: 'copy', run: request => request.copy()},
	{
		keys: ['Down', 'j', 'PgDn'],
		id: 'next-page',
		title: 'next page',
		run: request => request.page(1),
	},
	{
		keys: ['Up', 'k', 'PgUp'],
		id: 'previous-page',
		title: 'previous page',
		run: request => request.page(-1),
	},
];

type WhyZeroTarget = {
	readonly leaveOut: (row: number) => void;
	readonly move: (step: 1 | -1) => void;
	readonly choose: () => void;
	readonly noRow: (row: number) => string | undefined;
};

/** Digits belong to the list of words while it is shown, and do not lead to other tabs. */
export const whyZeroBindings: Bindings<WhyZeroTarget> = [
	...[0, 1, 2, 3, 4].map((row): Binding<WhyZeroTarget> => ({
		keys: [String(row + 1)],
		id: `leave-out-${row + 1}`,
		title: `leave out number ${row + 1} of the list`,
		...(row === 0 && {hint: 'leave out'}),
		run: list => list.leaveOut(row),
		unavailable: list => list.noRow(row),
	})),
	{
		keys: ['Enter', 'd'],
		id: 'leave-out-chosen',
		title: 'leave out what is chosen',
		run: list => list.choose(),
		unavailable: list => list.noRow(0),
	},
	{keys: ['j', 'Down'], id: 'down', title: 'down', run: list => list.move(1)},
	{keys: ['k', 'Up'], id: 'up', title: 'up', run: list => list.move(-1)},
];

export type OfferFilterTarget = {
	readonly open: () => void;
	readonly showRequest: () => void;
	readonly clear: () => void;
};

export const offerFilterBindings: Bindings<OfferFilterTarget> = [
	{
		keys: ['/'],
		id: 'filter',
		title: 'filter: say what is wanted',
		hint: 'filter',
		run: filter => filter.open(),
	},
	{
		keys: ['J'],
		id: 'show-request',
		title: 'the request as it was sent (JSON)',
		run: filter => filter.showRequest(),
	},
];

/** Esc first removes an applied filter. */
export const appliedFilterBindings: Bindings<OfferFilterTarget> = [
	...offerFilterBindings,
	{
		keys: ['Esc'],
		id: 'clear-the-filter',
		title: 'clear the filter',
		hint: 'clear filter',
		run: filter => filter.clear(),
	},
];

/** All bindings, under the names that help shows. */
export const querySets: readonly BindingSet[] = [
	{id: 'filter', title: 'Filter', bindings: appliedFilterBindings},
	{id: 'query-line', title: 'Query line', bindings: queryBindings},
	{id: 'words', title: 'Words', bindings: chipsBindings},
	{id: 'request', title: 'Request', bindings: requestBindings},
	{id: 'no-results', title: 'No results', bindings: whyZeroBindings},
];
