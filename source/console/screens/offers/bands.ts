/** The screen of the list as bands of lines: status, rows, the pane beside them, the rule below. */
import {costOf, type Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import {type Unreadable, noneUnreadable} from '../../../contract/grammar/unreadable.ts';
import {price, count, timeOfDay} from '../../../renter/text/format.ts';
import type {HostHistory} from '../../../renter/offers/host-history.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {pricesIn} from '../../../renter/offers/prices.ts';
import {watchKey, type WatchState} from '../../../renter/offers/watches.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {derived, once, debounced, type Readable} from '../../../renter/state/store.ts';
import type {Timers} from '../../../renter/state/timers.ts';
import {REST_MS, type Band, layOutBands} from '../../ui/panes.ts';
import {type Column, usualChoice} from '../../list/columns.ts';
import {positionRule, titledLines} from '../../list/lines.ts';
import type {List} from '../../list/list.ts';
import {unreadNotes} from '../../list/unreadable.ts';
import type {Theme} from '../../ui/theme.ts';
import {
	offerNotes,
	paneWidth,
	type OfferPaneKind,
	offerPaneLines,
	type PaneContent,
	paneAt,
} from './pane.ts';
import {describeState, describeWatch, savedNames} from './saved/saved.ts';
import type {Filter} from '../../../contract/grammar/filter.ts';
import type {SearchField, WordSearch} from '../../../renter/offers/words/fields.ts';
import {isFromLastTime, type KeptResult} from '../../../renter/offers/memory.ts';
import {unreadableCountText} from '../../../renter/text/unreadable.ts';
import {spread} from '../../ui/chrome.ts';
import {joined, jointRule} from '../../ui/rules.ts';
import {
	type Ordering,
	describeTerms,
	searchKeyOf,
	defaultSearch,
	shownColumns,
	unsentIn,
	offerListAt,
	showAnswer,
} from './search.ts';
import type {StackEntry} from '../../services/router.ts';
import type {Size} from '../../terminal/terminal.ts';
import {queryAt, searchOfFilter, askedLine} from './query/query.ts';
import {offerColumns} from './columns.ts';

/** Most price ranges in each pane. */
const bins: Readonly<Record<OfferPaneKind, number>> = {summary: 8, prices: 16, raw: 1, off: 1};

/** The lines of this screen that are not rows: the query's two, a rule, the titles, a rule. */
export const LINES_AROUND_OFFERS = 5;

export type ListFacts = {
	readonly hosts: Pick<HostHistory, 'of'>;
	readonly watched: Readable<ReadonlyMap<string, WatchState>>;
	readonly settings: Settings;
	readonly after: Timers['after'];
};

export type OfferListLayout = {
	readonly theme: Theme;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly width: number;
	readonly height: number;
	/** Results of an earlier run. */
	readonly isOld: boolean;
	readonly pane: OfferPaneKind;
	/** Columns of the pane; 0 without one. */
	readonly beside: number;
	readonly drag?: (columns: number) => void;
};

/** The rows under their titles, and the pane that follows the cursor. */
export function listBand(table: List<Offer>, facts: ListFacts, layout: OfferListLayout): Band {
	const {theme, columns, width, isOld, pane, beside, drag} = layout;
	const height = layout.height + 1;
	const rows = {
		source: titledLines(table, columns, theme, {
			meaning: isOld ? 'quiet' : 'plain',
			width: width - beside,
		}),
		width: width - beside,
		height,
	};
	if (beside === 0) return [rows];
	const lines = paneSource(table, facts, {pane, theme, width: beside, height});
	const source = {...debounced(lines, facts.after, REST_MS), drag};
	return [rows, {source, width: beside, height}];
}

function paneSource(
	table: List<Offer>,
	{hosts, watched, settings}: ListFacts,
	look: Pick<PaneContent, 'pane' | 'theme' | 'width' | 'height'>,
): Readable<readonly string[]> {
	const job = jobOf(settings);
	const pricesAmong = once((rows: readonly Offer[]) => pricesByGpu(rows, job, bins[look.pane]));
	return derived([table.state, watched], () => {
		const offer = table.current();
		return offerPaneLines({
			...look,
			offer,
			...pricesAmong(table.state.get().rows)(offer?.gpu_name ?? ''),
			job,
			host: hosts.of(offer?.host_id),
			watches: settings.watches.map(watch => [
				describeWatch(watch),
				describeState(watched.get().get(watchKey(watch))),
			]),
		});
	});
}

type RuleLayout = Pick<OfferListLayout, 'theme' | 'width' | 'beside'> & {
	readonly unreadable: Unreadable;
	readonly job: Job;
};

/** The rule under the list, with the best and the worst price among the marked rows. */
export function ruleBand(
	table: List<Offer>,
	all: ReadonlyArray<Column<Offer>>,
	{theme, width, unreadable, job, beside}: RuleLayout,
): Band {
	const priced = all.find(({id}) => id === 'allIn');
	const pricesAmong = once((rows: readonly Offer[]) => pricesByGpu(rows, job, bins.summary));
	const words = {
		summary: (offers: readonly Offer[]) => spreadOf(offers, priced),
		notes: unreadNotes(unreadable),
		// The pane shows this in more detail.
		...(beside === 0 && {
			about: (offer: Offer) =>
				offerNotes(offer, job, pricesAmong(table.state.get().rows)(offer.gpu_name ?? '').prices),
		}),
	};
	const source = positionRule(table, theme, width, words);
	const at = beside === 0 ? 0 : width - beside;
	const meeting = derived([source], () =>
		source.get().map(line => joined(theme, line, {at, sign: '┴'})),
	);
	return [{source: meeting, width, height: 1}];
}

function spreadOf(offers: readonly Offer[], priced: Column<Offer> | undefined): string {
	if (priced === undefined) return '';
	const prices = offers.map(priced.sortKey).filter(key => typeof key === 'number');
	if (prices.length === 0) return '';
	const [best, worst] = [Math.min(...prices), Math.max(...prices)];
	const least = `${priced.title} ${price(best)}`;
	return best === worst ? least : `${least} to ${price(worst)}`;
}

/** The prices of a result, of one kind of GPU: prices of other kinds say nothing about an offer. */
function pricesByGpu(rows: readonly Offer[], job: Job, mostBins: number) {
	const groups = Map.groupBy(rows, ({gpu_name: gpu}) => gpu ?? '');
	const of = once((kind: readonly Offer[]) =>
		pricesIn(
			kind.flatMap(row => costOf(row, job).allInPerGpu ?? []),
			mostBins,
		),
	);
	return (gpu: string) => ({
		prices: of(groups.get(gpu) ?? rows),
		kind: groups.size > 1 && groups.has(gpu) ? gpu : undefined,
	});
}

/** Least width for the names of saved searches. */
const ROOMY = 140;

type Status = {
	readonly asked: {readonly words: string; readonly search: WordSearch};
	readonly query: Result & {readonly here: Filter<SearchField>};
	readonly settings: Settings;
};

/** Saved searches if there is space, terms, and the number of offers. */
export function statusLine(
	{asked, query, settings}: Status,
	{theme, width}: Pick<OfferListLayout, 'theme' | 'width'>,
): string {
	const names = width < ROOMY ? '' : savedNames(settings, asked.words);
	const terms = describeTerms(asked.search, query.here);
	const said = describeResult(query);
	const left = spread(width, names === '' ? terms : `${names}   ${terms}`, said);
	return theme.style('quiet', left.slice(0, left.length - said.length)) + said;
}

type Result = {
	readonly data: readonly Offer[] | undefined;
	readonly unreadable: Unreadable;
	readonly dataUpdatedAt: number;
	readonly error: Error | null;
	readonly isFetching: boolean;
	readonly ordering: Ordering;
	readonly isPaused: boolean;
};

function describeResult(result: Result): string {
	const {data, dataUpdatedAt, error, isFetching, ordering, isPaused} = result;
	const amount = data === undefined ? [] : [describeAmount(data.length, ordering)];
	// If there are rows, the rule under them shows this count.
	const unread = data?.length === 0 ? (unreadableCountText(result.unreadable) ?? []) : [];
	const age = isFromLastTime(dataUpdatedAt) ? [`from ${timeOfDay(new Date(dataUpdatedAt))}`] : [];
	const isStale = error !== null && data !== undefined;
	const state = isFetching ? ['searching'] : isStale ? ['stale'] : [];
	const counts = [amount, unread].flat().join(', ');
	return [counts, age, isPaused ? 'paused' : [], state].flat().filter(Boolean).join(' ');
}

/** A part of the offers is marked as a part, as its best need not be the best of all. */
function describeAmount(amount: number, ordering: Ordering): string {
	switch (ordering) {
		case 'whole':
			return amount === 1 ? '1 offer' : `${count(amount)} offers`;
		case 'part':
			return `${count(amount)} of many`;
		case 'byService':
			return `${count(amount)} of many, server sort`;
		case 'partHere':
			return `${count(amount)} of many, sorted here`;
	}
}

/** Puts the kept offers into the list of a stack entry, and draws its screen. */
export function firstLines(
	stackEntry: StackEntry,
	{offers, at}: KeptResult,
	seen: ListFacts,
	{theme, size}: {readonly theme: Theme; readonly size: Size},
): readonly string[] {
	const {settings} = seen;
	const {columns: width} = size;
	const asked = queryAt(stackEntry).asked.get();
	const search = searchOfFilter(asked, defaultSearch(settings));
	const all = offerColumns(jobOf(settings));
	const list = offerListAt(stackEntry);
	const {table} = list;
	const height = size.rows - LINES_AROUND_OFFERS;
	table.define(all);
	table.resize(height);
	const {order} = search;
	showAnswer(list, {data: offers, question: searchKeyOf(search), order, isOld: true}, false);
	const pane = paneAt(stackEntry).get();
	const beside = paneWidth(width, pane);
	const columns = shownColumns(all, {
		choice: settings.columns['offers'] ?? usualChoice,
		asked: search,
		order: [],
		unsent: unsentIn(offers, all, search),
		width: width - beside,
	});
	const query = {
		data: offers,
		unreadable: noneUnreadable,
		dataUpdatedAt: at,
		error: null,
		isFetching: true,
		ordering: 'whole',
		isPaused: false,
		here: [],
	} as const;
	return [
		askedLine(asked, {theme, width, gpus: []}),
		statusLine({asked: {...asked, search}, query, settings}, {theme, width}),
		jointRule(theme, width, {at: beside === 0 ? 0 : width - beside, sign: '┬'}),
		...layOutBands([
			listBand(table, seen, {theme, columns, width, height, isOld: true, pane, beside}),
			ruleBand(table, all, {
				theme,
				width,
				unreadable: noneUnreadable,
				job: jobOf(settings),
				beside,
			}),
		]),
	];
}
