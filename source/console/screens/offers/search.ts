/** The search of the list of offers, its order, and the columns in view. */
import type {Filter} from '../../../contract/grammar/filter.ts';
import {
	anyOffers,
	type OfferField,
	type OfferSearch,
} from '../../../contract/nouns/offer-search.ts';
import {
	findOfferWord,
	type SearchField,
	type WordSearch,
} from '../../../renter/offers/words/fields.ts';
import {
	type Settings,
	type ColumnChoice,
	defaultSettings,
} from '../../../renter/settings/default-settings.ts';
import {usualChoice, fitColumns, chosenColumns, unsentColumns} from '../../list/columns.ts';
import {listedFields, type OfferColumn, offerColumns} from './columns.ts';
import type {Order} from '../../../contract/grammar/filter-match.ts';
import {isAscending, type ListOrder} from '../../list/order.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {GUTTER} from '../../list/lines.ts';
import {createList} from '../../list/list.ts';
import {keptByStackEntry, type StackEntry} from '../../services/router.ts';
import {createStore} from '../../../renter/state/store.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import type {KindPrices} from '../../../renter/offers/kind-prices.ts';

/** Most offers of a list: more than a person reads. */
const MOST_OFFERS = 10_000;

export function defaultSearch({diskGb, columns}: Settings): OfferSearch {
	return {
		...anyOffers,
		filter: [
			{field: 'verified', operator: 'eq', value: true},
			{field: 'rentable', operator: 'eq', value: true},
		],
		limit: MOST_OFFERS,
		diskGb,
		columns: listedFields(columns['offers'] ?? usualChoice),
	};
}

export function describeTerms(
	{pricing, diskGb}: WordSearch,
	here: Filter<SearchField> = [],
): string {
	const disk = diskGb === undefined ? [] : [`price incl. ${diskGb}G disk`];
	const names = [...new Set(here.map(({field}) => findOfferWord(field).name))];
	const tested = names.length === 0 ? [] : [`${names.join(', ')} tested here`];
	return [...disk, pricing, ...tested].join(' · ');
}

/** The order in the service's fields; undefined if a column has none. */
export function serviceOrder(
	order: ListOrder,
	columns: readonly OfferColumn[],
): Order<OfferField> | undefined {
	const fields = order.map(({columnId, isReversed}) => {
		const column = columns.find(({id}) => id === columnId);
		if (column?.ordersBy === undefined) return undefined;
		return [column.ordersBy, isAscending(column, isReversed) ? 'asc' : 'desc'] as const;
	});
	const known = fields.filter(field => field !== undefined);
	return known.length === fields.length && known.length > 0 ? known : undefined;
}

/** True if the service sorts the rows: in its own order, or in one that it accepts. */
export function isByService(order: ListOrder, columns: readonly OfferColumn[]): boolean {
	return order.length === 0 || serviceOrder(order, columns) !== undefined;
}

/** Least round number at which services cut their answers off. */
const LEAST_CAP = 64;
const ROUND = 100;

/**
 * True if a reply may have been cut off: it is as long as requested, or just as long as a
 * service's own limit could be. Taking a complete reply for a part costs one more request; sorting
 * a part as if it were complete would mislead.
 */
export function isCutOff(amount: number, limit: number): boolean {
	if (amount === 0) return false;
	return amount >= limit || amount === LEAST_CAP || amount % ROUND === 0;
}

/** A search that also requests the fields of columns that its filter is about. */
export function withFilterFields(search: WordSearch, columns: readonly OfferColumn[]): WordSearch {
	const {columns: asked} = search;
	if (asked === undefined) return search;
	const fields = columns
		.filter(column => isAbout(column, search.filter))
		.flatMap(column => column.fields);
	const more = fields.filter(field => !asked.includes(field));
	return more.length === 0 ? search : {...search, columns: [...new Set([...asked, ...more])]};
}

/** Part of a search that decides which rows it finds, without order and fields. */
export function searchKeyOf({
	filter,
	limit,
	pricing,
	diskGb,
	leastReliability,
}: WordSearch): string {
	return JSON.stringify([filter, limit, pricing, diskGb, leastReliability]);
}

/** Ordering of the rows: all of them, or a part, and then sorted by whom. */
export type Ordering = 'whole' | 'part' | 'byService' | 'partHere';

function isAbout({fields, shows = fields}: OfferColumn, wanted: Wanted): boolean {
	return wanted.some(({field}) => shows.some(shown => shown === field));
}

type Wanted = ReadonlyArray<{readonly field: SearchField}>;

/** The columns for which the service sent nothing although it was asked. */
export function unsentIn(
	offers: readonly Offer[],
	columns: readonly OfferColumn[],
	{columns: asked}: WordSearch,
): ReadonlySet<string> {
	const isAskedFor = ({fields}: OfferColumn) =>
		asked === undefined || fields.every(field => asked.includes(field));
	return unsentColumns(columns.filter(isAskedFor), offers);
}

type Shown = {
	readonly choice: ColumnChoice;
	readonly asked: WordSearch;
	readonly order: ListOrder;
	readonly unsent: ReadonlySet<string>;
	readonly width: number;
};

/** The chosen columns that fit into a width, and those that filter and order are about. */
export function shownColumns(
	columns: readonly OfferColumn[],
	{choice, asked, order, unsent, width}: Shown,
) {
	const filtered = columns.filter(column => isAbout(column, asked.filter));
	const needed = new Set([...filtered.map(({id}) => id), ...order.map(({columnId}) => columnId)]);
	const sent = chosenColumns(columns, choice, needed).filter(({id}) => !unsent.has(id));
	return fitColumns(sent, width - GUTTER);
}

/** An answered search: its filter, its order, and whether this run asked it. */
type Answered = {readonly question: string; readonly order: string; readonly isOld: boolean};

export const offerListAt = keptByStackEntry(() => ({
	table: createList(offerColumns(jobOf(defaultSettings)), offer => offer.id, {usualId: 'allIn'}),
	/** Usual prices of kinds of GPUs, from the answers so far. */
	kinds: createStore<KindPrices | undefined>(undefined),
	isPaused: createStore(false),
	/** Search that the rows answer; undefined if there are none. */
	answered: createStore<Answered | undefined>(undefined),
	/** The question whose answers were cut off by their limit, so that only the service can order them. */
	cutOff: createStore<string | undefined>(undefined),
}));

export type OfferList = ReturnType<typeof offerListAt>;

export const tableAt = (stackEntry: StackEntry) => offerListAt(stackEntry).table;

export function listBehind(stack: readonly StackEntry[]): ReturnType<typeof tableAt> | undefined {
	const stackEntry = stack.findLast(({destination}) => destination.name === 'offers');
	return stackEntry === undefined ? undefined : tableAt(stackEntry);
}

type Answer = {
	readonly data: readonly Offer[];
	readonly question: string;
	readonly order: OfferSearch['order'];
	/** Results of an earlier run. */
	readonly isOld: boolean;
};

/** Shows an answer; to the same search only its changes. Returns the count of lost marks. */
export function showAnswer(
	list: OfferList,
	{data, question, order, isOld}: Answer,
	isHeld: boolean,
): number {
	const {table, answered} = list;
	const before = answered.get();
	const answer = {question, order: JSON.stringify(order), isOld};
	if (before?.question === question && before.order === answer.order && before.isOld === isOld) {
		table.refresh(data, isHeld);
		return 0;
	}
	const lost = table.load(data);
	// An answer to another search is shown from its best end.
	if (before !== undefined && before.isOld === isOld) table.move('first');
	answered.set(answer);
	return lost;
}
