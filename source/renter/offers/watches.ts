/** Price watches: searches while rentty runs, and their hits. */
import {costFields, costOf, type Job} from '../../contract/nouns/offer-cost.ts';
import {anyOffers} from '../../contract/nouns/offer-search.ts';
import {parseLine} from './words/parse.ts';
import type {WordSearch} from './words/fields.ts';
import {requestOf} from './words/request.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {PriceWatch, SettingsStore} from '../settings/default-settings.ts';
import {count, pricePerHour} from '../text/format.ts';
import {printable} from '../text/text-width.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {Polling} from '../state/polling.ts';
import type {Timers} from '../state/timers.ts';
import type {Notify} from '../words/alert.ts';
import {jobOf} from './job.ts';
import {createStore, type Readable} from '../state/store.ts';
import {searchOffers} from './local-filter.ts';

export type WatchState = {
	/** Time of the last search; undefined before the first. */
	readonly queryAt: Date | undefined;
	/** The announced offers; each is announced once. */
	readonly announced: ReadonlySet<number>;
	readonly lastHitAt: Date | undefined;
	readonly cheapest: number | undefined;
	/** Count of offers below the price at the last poll. */
	readonly below: number;
	/** The cheapest at the last polls, the last one last; undefined if nothing was found. */
	readonly trend: ReadonlyArray<number | undefined>;
	/** Reason why the search failed, as one sentence. */
	readonly problem: string | undefined;
};

export const unwatched: WatchState = {
	queryAt: undefined,
	announced: new Set(),
	lastHitAt: undefined,
	cheapest: undefined,
	below: 0,
	trend: [],
	problem: undefined,
};

/** Time for which a poll stays fresh. */
const WATCH_MS = 120_000;

export function watchKey({words, below}: PriceWatch): string {
	return JSON.stringify([words, below]);
}

/** The moment of a watch's next search, in milliseconds since 1970; 0 before its first. */
export function dueAt({queryAt}: WatchState): number {
	return queryAt === undefined ? 0 : queryAt.getTime() + WATCH_MS;
}

/** Offers per search: more than the few possible hits, because traffic changes the order. */
const MOST_SEARCHED = 500;

/** Search of a watch; undefined if its words cannot be understood. */
export function searchOfWatch({words}: PriceWatch, job: Job): WordSearch | undefined {
	const parsed = parseLine(words);
	if (parsed.problems.length > 0) return undefined;
	return {
		...anyOffers,
		...requestOf(parsed.words.flatMap(({clauses}) => clauses)),
		order: [['dph_total', 'asc']],
		limit: MOST_SEARCHED,
		diskGb: job.diskGb,
		columns: ['id', 'gpu_name', ...costFields],
	};
}

type Priced = {readonly offer: Offer; readonly allIn: number};

/** Polls whose cheapest offers are remembered: every two minutes, more than an hour. */
const MOST_TREND = 40;

/** Result of a poll: the new state, and the offers to announce, the cheapest first. */
export function pollWatch(
	{below}: PriceWatch,
	state: WatchState,
	{offers, job, now}: {readonly offers: readonly Offer[]; readonly job: Job; readonly now: Date},
): {readonly state: WatchState; readonly hits: readonly Priced[]} {
	const priced = offers
		.flatMap(offer => {
			const {allIn} = costOf(offer, job);
			return allIn === undefined ? [] : [{offer, allIn}];
		})
		.toSorted((a, b) => a.allIn - b.allIn);
	const hits = priced.filter(({offer, allIn}) => allIn < below && !state.announced.has(offer.id));
	return {
		hits,
		state: {
			queryAt: now,
			announced: new Set([...state.announced, ...hits.map(({offer}) => offer.id)]),
			lastHitAt: hits.length === 0 ? state.lastHitAt : now,
			cheapest: priced[0]?.allIn,
			below: priced.filter(({allIn}) => allIn < below).length,
			trend: [...state.trend, priced[0]?.allIn].slice(-MOST_TREND),
			problem: undefined,
		},
	};
}

export function hitSentence({words, below}: PriceWatch, hits: readonly Priced[]): string {
	const [best] = hits;
	if (best === undefined) return '';
	const {offer, allIn} = best;
	const what = `${offer.num_gpus ?? '?'}x ${printable(offer.gpu_name ?? '')}`;
	const others = hits.length === 1 ? '' : ` and ${count(hits.length - 1)} more`;
	const watched = words === '' ? '' : ` (${words})`;
	return `Offer ${offer.id}, ${what}, is ${pricePerHour(allIn)} all-in${others}, below ${pricePerHour(below)}${watched}.`;
}

export type PriceWatches = {
	/** State of each watch, by its key. */
	readonly states: Readable<ReadonlyMap<string, WatchState>>;
	/** Records that the user has seen the hits: the title stops counting them. */
	readonly acknowledge: () => void;
	readonly close: () => void;
};

type Options = {
	readonly client: () => Promise<Client>;
	readonly settings: SettingsStore;
	readonly notify: Notify;
	readonly timers: Timers;
	readonly polling: Polling;
};

/** Delay after the start, which has more urgent work. */
const START_MS = 3000;

export function createPriceWatches({
	client,
	settings,
	notify,
	timers,
	polling,
}: Options): PriceWatches {
	const states = createStore<ReadonlyMap<string, WatchState>>(new Map());
	const stop = new AbortController();
	const counter = countHits(notify);
	let notBefore = timers.now() + START_MS;

	const watches = () => settings.get().watches;
	const stateOf = (watch: PriceWatch) => states.get().get(watchKey(watch)) ?? unwatched;
	const isWatched = (watch: PriceWatch) =>
		watches().some(other => watchKey(other) === watchKey(watch));

	/** Polls watches in turn, so that they do not delay a user's calls. */
	async function askDue(): Promise<void> {
		for (const watch of watches()) {
			if (dueAt(stateOf(watch)) > timers.now() || !isWatched(watch)) continue;
			const asking = {client, job: jobOf(settings.get()), timers, signal: stop.signal};
			const {state, hits} = await ask(watch, stateOf(watch), asking);
			if (stop.signal.aborted) return;
			if (!isWatched(watch)) continue;
			states.set(new Map([...states.get(), [watchKey(watch), state]]));
			counter.announce(watch, hits);
		}
	}

	const poller = polling.start({
		ask: askDue,
		dueAt() {
			const moments = watches().map(watch => dueAt(stateOf(watch)));
			return moments.length === 0 ? undefined : Math.max(notBefore, Math.min(...moments));
		},
	});
	let known = watches();
	const unsubscribe = settings.subscribe(() => {
		if (watches() === known) return;
		known = watches();
		notBefore = timers.now();
		poller.plan();
	});
	return {
		states,
		acknowledge: counter.acknowledge,
		close() {
			stop.abort();
			poller.close();
			unsubscribe();
		},
	};
}

type Asking = Pick<Options, 'client' | 'timers'> & {
	readonly job: Job;
	readonly signal: AbortSignal;
};

/**
 * Polls once. A failed search is repeated in its turn; until then the list of watches shows the
 * reason.
 */
async function ask(
	watch: PriceWatch,
	before: WatchState,
	{client, job, timers, signal}: Asking,
): Promise<{readonly state: WatchState; readonly hits: readonly Priced[]}> {
	const failed = (problem: string) => ({
		state: {...before, queryAt: new Date(timers.now()), problem},
		hits: [],
	});
	const search = searchOfWatch(watch, job);
	if (search === undefined) return failed('Its words cannot be understood.');
	try {
		const {offers} = await searchOffers(await client(), search, {job, signal});
		return pollWatch(watch, before, {offers, job, now: new Date(timers.now())});
	} catch (error) {
		return failed(messageOf(error));
	}
}

/** Announces hits, and counts the unseen ones in the terminal's title. */
function countHits(notify: Notify) {
	let unseen = 0;
	const show = (next: number) => {
		if (next === unseen) return;
		unseen = next;
		notify.setTrouble('watches', unseen);
	};
	return {
		announce(watch: PriceWatch, hits: readonly Priced[]) {
			if (hits.length === 0) return;
			const ids = hits.map(({offer}) => offer.id).join();
			const text = hitSentence(watch, hits);
			const about = `watch ${watchKey(watch)}`;
			const offer = hits[0]?.offer.id;
			notify.send({kind: 'price-found', about, state: `hit ${ids}`, text, offer});
			show(unseen + hits.length);
		},
		acknowledge: () => show(0),
	};
}
