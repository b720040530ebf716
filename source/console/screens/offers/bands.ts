/** The list of offers, the pane beside it and the rule under both, as bands of lines. */
import {costOf, type Job} from '../../../contract/nouns/offer-cost.ts';
import type {Offer} from '../../../contract/nouns/offers.ts';
import type {Unreadable} from '../../../contract/grammar/unreadable.ts';
import {price} from '../../../renter/text/format.ts';
import type {HostHistory} from '../../../renter/offers/host-history.ts';
import {jobOf} from '../../../renter/offers/job.ts';
import {pricesIn} from '../../../renter/offers/prices.ts';
import {watchKey, type WatchState} from '../../../renter/offers/watches.ts';
import type {Settings} from '../../../renter/settings/default-settings.ts';
import {derived, rested, type Readable} from '../../../renter/state/store.ts';
import type {Timers} from '../../../renter/state/timers.ts';
import {REST_MS, type Band} from '../../ui/panes.ts';
import type {Column} from '../../list/columns.ts';
import {positionRule, titledLines} from '../../list/lines.ts';
import type {List} from '../../list/list.ts';
import {unreadNotes} from '../../list/unreadable.ts';
import type {Theme} from '../../ui/theme.ts';
import {paneWidth, type Pane} from './pane.ts';
import {paneLines, type PaneContent} from './pane-lines.ts';
import {describeState, describeWatch} from './saved/saved-lines.ts';

/** The most ranges of prices that are told apart in each of the panes. */
const bins: Readonly<Record<Pane, number>> = {summary: 8, prices: 16, raw: 1, off: 1};

/** The lines of this screen that are not rows: the query's two, a rule, the titles, a rule. */
export const LINES_AROUND = 5;

/** Facts known beside the list. */
export type Seen = {
	readonly hosts: Pick<HostHistory, 'of'>;
	readonly watched: Readable<ReadonlyMap<string, WatchState>>;
	readonly settings: Settings;
	readonly after: Timers['after'];
};

export type Look = {
	readonly theme: Theme;
	readonly columns: ReadonlyArray<Column<Offer>>;
	readonly width: number;
	/** Rows of the list. */
	readonly height: number;
	/** Found by an earlier run of the program. */
	readonly isOld: boolean;
	readonly pane: Pane;
};

/** The rows under their titles, and the pane that follows the cursor. */
export function listBand(table: List<Offer>, seen: Seen, look: Look): Band {
	const {theme, columns, width, isOld, pane} = look;
	const height = look.height + 1;
	const beside = paneWidth(width, pane);
	const rows = {
		source: titledLines(table, columns, theme, isOld ? 'quiet' : 'plain'),
		width: width - beside,
		height,
	};
	if (beside === 0) return [rows];
	const lines = paneSource(table, seen, {pane, theme, width: beside, height});
	return [rows, {source: rested(lines, seen.after, REST_MS), width: beside, height}];
}

function paneSource(
	table: List<Offer>,
	{hosts, watched, settings}: Seen,
	look: Pick<PaneContent, 'pane' | 'theme' | 'width' | 'height'>,
): Readable<readonly string[]> {
	const job = jobOf(settings);
	const pricesAmong = remembered((rows: readonly Offer[]) =>
		pricesByGpu(rows, job, bins[look.pane]),
	);
	return derived([table.state, watched], () => {
		const offer = table.current();
		return paneLines({
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

/** The rule under the list, with the best and the worst price among the marked rows. */
export function ruleBand(
	table: List<Offer>,
	all: ReadonlyArray<Column<Offer>>,
	{theme, width, unreadable}: Pick<Look, 'theme' | 'width'> & {readonly unreadable: Unreadable},
): Band {
	const priced = all.find(({id}) => id === 'allIn');
	const words = {
		summary: (offers: readonly Offer[]) => spreadOf(offers, priced),
		notes: unreadNotes(unreadable),
	};
	return [{source: positionRule(table, theme, width, words), width, height: 1}];
}

/** The lowest and the highest price of some offers. */
function spreadOf(offers: readonly Offer[], priced: Column<Offer> | undefined): string {
	if (priced === undefined) return '';
	const prices = offers.map(priced.sortKey).filter(key => typeof key === 'number');
	if (prices.length === 0) return '';
	const [best, worst] = [Math.min(...prices), Math.max(...prices)];
	const least = `${priced.title} ${price(best)}`;
	return best === worst ? least : `${least} to ${price(worst)}`;
}

/**
 * The prices of a result. Where it has several kinds of GPU, those of one kind: what another kind
 * costs says nothing about an offer.
 */
function pricesByGpu(rows: readonly Offer[], job: Job, mostBins: number) {
	const groups = Map.groupBy(rows, ({gpu_name: gpu}) => gpu ?? '');
	const of = remembered((kind: readonly Offer[]) =>
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

/** A function that works out its result again only for something else: thousands of rows are not sorted at a key press. */
function remembered<Given extends object, Result>(work: (given: Given) => Result) {
	let last: {readonly given: Given; readonly result: Result} | undefined;
	return (given: Given): Result => {
		if (last?.given !== given) last = {given, result: work(given)};
		return last.result;
	};
}
