/** The list of offers behind its screen: the search of a stack entry, its result, and the rows shown. */
import {keepPreviousData, useQuery} from '@tanstack/react-query';
import {useEffect, useLayoutEffect, useMemo, useState} from 'react';
import type {Job} from '../../../contract/nouns/offer-cost.ts';
import type {OfferSearch, Pricing} from '../../../contract/nouns/offer-search.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {count} from '../../../renter/text/format.ts';
import {learnKindPrices} from '../../../renter/offers/kind-prices.ts';
import {isFromLastTime} from '../../../renter/offers/memory.ts';
import {offersQuery, ownRentsQuery} from '../../queries/offers.ts';
import type {Message} from '../../ui/message.ts';
import {useServices, useTime, usePoll} from '../../services/services.tsx';
import {
	splitSearch,
	meetsFilter,
	isTestable,
	sourcesOf,
} from '../../../renter/offers/local-filter.ts';
import {
	readOwnMachines,
	addOwnUnverified,
	isVerifiedByDefault,
} from '../../../renter/offers/search.ts';
import type {ColumnChoice} from '../../../renter/settings/default-settings.ts';
import {type List, createList} from '../../list/list.ts';
import type {StackEntry} from '../../services/router.ts';
import {queryAt, searchOfFilter} from './query/query.ts';
import type {OfferColumn} from './columns.ts';
import {
	showAnswer,
	type OfferList,
	isByService,
	isCutOff,
	searchKeyOf,
	serviceOrder,
	withFilterFields,
	type Ordering,
	shownColumns,
	unsentIn,
} from './search.ts';
import {useStore} from '../../ui/painted.tsx';
import {nextOfferPane, paneAt, paneEdge, paneUnavailable, paneWidth} from './pane.ts';
import type {SearchField, WordSearch} from '../../../renter/offers/words/fields.ts';
import {pricingOf, requestOf} from '../../../renter/offers/words/request.ts';
import type {Filter} from '../../../contract/grammar/filter.ts';
import type {ParsedLine} from '../../../renter/offers/words/parse.ts';
import type {Column} from '../../list/columns.ts';

/** Search of a stack entry, and its open parts. */
export function useAsked(stackEntry: StackEntry, usual: OfferSearch) {
	const {asked, edit, isRequestShown} = queryAt(stackEntry);
	const inForce = useStore(asked);
	return {
		words: inForce.words,
		search: useMemo(() => searchOfFilter(inForce, usual), [inForce, usual]),
		/** Own machines are among the offers although they are not verified. */
		withOwn: useMemo(() => isVerifiedByDefault(inForce.parsed), [inForce]),
		isEditing: useStore(edit, state => state !== undefined),
		facetLines: useStore(edit, state => state?.facets.length ?? 0),
		isRequestShown: useStore(isRequestShown),
	};
}

/** Refresh interval of the list while it is on screen. */
const REFRESH_MS = 30_000;

type OffersOptions = {
	readonly list: OfferList;
	/** Search in the service's own order. */
	readonly asked: WordSearch;
	readonly withOwn: boolean;
	readonly columns: readonly OfferColumn[];
	readonly job: Job;
	/** An overlay is open, under which no row must move. */
	readonly isCovered: boolean;
	readonly say: (message: Message) => void;
};

type FindOptions = {
	readonly search: WordSearch;
	readonly job: Job;
	readonly withOwn: boolean;
	readonly table: List<Offer>;
	readonly isHeld: () => boolean;
};

/** Offers that a search found, made ready for the table. */
function useFound({search, job, withOwn, table, isHeld}: FindOptions) {
	const {client, hasMachines} = useServices();
	const {now} = useTime();
	const hasOwn = useStore(hasMachines) === true && withOwn;
	const asking = offersQuery(client, search, job);
	const query = useQuery({
		...asking,
		async queryFn(context) {
			const {signal} = context;
			const answer = await asking.queryFn(context);
			const found = answer.offers;
			// Asked late, for it can become known while the service answers.
			const isOwner = withOwn && hasMachines.get() === true;
			const own = isOwner ? await readOwnMachines(await client(), signal) : [];
			const all = await addOwnUnverified(await client(), {search, job, found, own}, signal);
			// A service may list for a while what it has rented out.
			const isFree = search.filter.some(({field}) => field === 'rentable');
			const rents = isFree ? await ownRentsQuery(client, now).queryFn().catch(noRents) : noRents();
			const offers = rents.size === 0 ? all : all.filter(({id}) => !rents.has(id));
			await table.prepare(offers, isHeld());
			return {...answer, offers};
		},
		placeholderData: keepPreviousData,
	});
	const {refetch} = query;
	// Own machines are known only after the first answer.
	useEffect(() => {
		if (hasOwn) void refetch();
	}, [hasOwn, refetch]);
	return query;
}

const noRents = (): ReadonlyMap<number, unknown> => new Map();

/** Asks for offers while the list is on screen, and keeps its table up to date. */
export function useOffers({list, asked, withOwn, columns, job, isCovered, say}: OffersOptions) {
	const {now} = useTime();
	const {table, kinds, cutOff, isPaused} = list;
	const question = searchKeyOf(asked);
	const order = useStore(table.view, state => state.order);
	const isCut = useStore(cutOff) === question;
	const isStill = useStore(isPaused);
	const byService = useMemo(
		() => (isCut ? serviceOrder(order, columns) : undefined),
		[isCut, order, columns],
	);
	const search = useMemo(() => {
		const complete = withFilterFields(asked, columns);
		return byService === undefined ? complete : {...complete, order: byService};
	}, [asked, columns, byService]);
	const isHeld = () => isCovered || table.isMovedIn(now());
	const query = useFound({search, job, withOwn, table, isHeld});
	usePoll(async () => query.refetch({throwOnError: true, cancelRefetch: false}), {
		everyMs: REFRESH_MS,
		firstMs: REFRESH_MS,
		isPaused: isStill || isCovered,
		about: JSON.stringify(search),
	});
	const {data: found, isPlaceholderData, dataUpdatedAt: at} = query;
	useLayoutEffect(() => {
		table.define(columns);
		table.orderElsewhere(wanted => isCut && isByService(wanted, columns));
		if (found === undefined || isPlaceholderData) return;
		const {offers: data, unreadable} = found;
		if (!isFromLastTime(at)) kinds.set(learnKindPrices(kinds.get(), data, job));
		if (isCutOff(Math.max(data.length, unreadable.of), search.limit)) cutOff.set(question);
		const answer = {data, question, order: search.order, isOld: isFromLastTime(at)};
		const lost = showAnswer(list, answer, isHeld());
		if (lost > 0) {
			const text = `Of the marked offers ${count(lost)} are not in this result, and are marked no more.`;
			say({text, isError: false});
		}
	});
	return {
		...query,
		data: found?.offers,
		unreadable: found?.unreadable ?? noneUnreadable,
		/** Search in the order that it was requested with. */
		search,
		/** The search as sent, without the conditions tested here. */
		sent: found?.split?.asked ?? splitSearch(search, job).asked,
		/** Conditions that were tested here and not by the service. */
		here: found?.split?.here ?? [],
		isPaused: isStill,
		/** Ordering of the rows, where it is not the expected one. */
		ordering: orderingOf(isCut, order.length > 0, byService !== undefined),
	};
}

function orderingOf(isCut: boolean, isOrdered: boolean, isServed: boolean): Ordering {
	if (!isCut) return 'whole';
	if (!isOrdered) return 'part';
	return isServed ? 'byService' : 'partHere';
}

type ColumnsOptions = {
	readonly columns: readonly OfferColumn[];
	readonly choice: ColumnChoice;
	readonly asked: WordSearch;
	readonly data: readonly Offer[] | undefined;
	readonly width: number;
};

/** The columns in view, and those for which the service sent nothing although it was asked. */
export function useOfferColumns(
	table: List<Offer>,
	{columns, choice, asked, data = none, width}: ColumnsOptions,
) {
	const order = useStore(table.view, state => state.order);
	const unsent = useMemo(() => unsentIn(data, columns, asked), [data, columns, asked]);
	const unsentIds = [...unsent].join(' ');
	const shown = useMemo(
		() =>
			shownColumns(columns, {choice, asked, order, unsent: new Set(unsentIds.split(' ')), width}),
		[columns, choice, asked, order, unsentIds, width],
	);
	return {shown, unsent};
}

const none: readonly never[] = [];

/** Pane beside the list, and the key that changes it. */
export function usePane(stackEntry: StackEntry, screenWidth: number) {
	const store = paneAt(stackEntry);
	const pane = useStore(store);
	const {columns, drag} = useMemo(
		() => paneEdge(stackEntry, screenWidth),
		[stackEntry, screenWidth],
	);
	return {
		pane,
		drag,
		width: paneWidth(screenWidth, pane, useStore(columns)),
		next: () => store.set(nextOfferPane(pane)),
		unavailable: () => paneUnavailable(screenWidth),
	};
}

/** Pricing of the list behind a screen: its offers are priced alike in both. */
export function listPricing(stack: readonly StackEntry[]): Pricing {
	const stackEntry = stack.findLast(({destination}) => destination.name === 'offers');
	const words = stackEntry === undefined ? [] : queryAt(stackEntry).asked.get().parsed.words;
	return pricingOf(words.flatMap(({clauses}) => clauses));
}

type Options = {
	readonly table: List<Offer>;
	readonly search: WordSearch;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly job: Job;
	/** Completeness: the service listed all offers, or a part. */
	readonly ordering: Ordering;
};

/**
 * A table with the rows that the typed words leave; undefined without typed words, or where the wanted
 * rows are not in the list.
 */
export function usePreview(
	stackEntry: StackEntry,
	{table, search, columns, job, ordering}: Options,
): List<Offer> | undefined {
	const {edit} = queryAt(stackEntry);
	const now = useStore(edit);
	const [preview] = useState(() => createList(columns, table.idOf));
	// After Enter on invalid words, the last good result stays.
	const parsed = now?.isRefused === true ? undefined : now?.parsed;
	const added = useMemo(
		() =>
			parsed === undefined || ordering !== 'whole' ? undefined : addedConditions(search, parsed),
		[search, parsed, ordering],
	);
	useLayoutEffect(() => {
		if (added === undefined) return;
		preview.define(columns);
		preview.load(table.state.get().shown.filter(offer => meetsFilter(added, offer, job)));
		// A user who types wants to see the best row for the words, not the row from before.
		preview.moveTo(0);
	}, [preview, table, columns, job, added]);
	return added === undefined ? undefined : preview;
}

/**
 * Conditions that a line adds to a search; undefined if there are none, or where they cannot be
 * tested on its rows.
 */
export function addedConditions(
	search: WordSearch,
	{words}: Pick<ParsedLine, 'words'>,
): Filter<SearchField> | undefined {
	const {filter, pricing} = requestOf(words.flatMap(({clauses}) => clauses));
	const before = new Set(search.filter.map(condition => JSON.stringify(condition)));
	const added = filter.filter(condition => !before.delete(JSON.stringify(condition)));
	const isNarrower = added.length > 0 && before.size === 0 && pricing === search.pricing;
	const isSent = ({field}: {readonly field: SearchField}) =>
		isTestable(field) && sourcesOf(field).every(source => search.columns?.includes(source) ?? true);
	return isNarrower && added.every(isSent) ? added : undefined;
}
