/** Watching prices: which watches are due, what they ask for, and which offers are hits. */
import {costFields, costOf, type Job} from '../../contract/nouns/offer-cost.ts';
import {anyOffers, type OfferSearch} from '../../contract/nouns/offer-search.ts';
import {parseLine} from './words/parse.ts';
import {requestOf} from './words/request.ts';
import type {Offer} from '../../contract/nouns/offers.ts';
import type {PriceWatch} from '../settings/default-settings.ts';
import {count, pricePerHour} from '../text/format.ts';
import {printable} from '../text/text-width.ts';

/** State of a watch. */
export type WatchState = {
	/** Time of the last search; undefined before the first. */
	readonly queryAt: Date | undefined;
	/** The offers that were told; each is told once. */
	readonly told: ReadonlySet<number>;
	readonly lastHitAt: Date | undefined;
	/** The cheapest that there was at the last look. */
	readonly cheapest: number | undefined;
	/** Reason why the search failed, as one sentence. */
	readonly problem: string | undefined;
};

export const unwatched: WatchState = {
	queryAt: undefined,
	told: new Set(),
	lastHitAt: undefined,
	cheapest: undefined,
	problem: undefined,
};

/** Time that a look stays fresh. */
const WATCH_MS = 120_000;

/** One watch among others: two of the same words and price are the same. */
export function watchKey({words, below}: PriceWatch): string {
	return JSON.stringify([words, below]);
}

/** The moment at which a watch is to be asked again, in milliseconds since 1970; 0 before its first time. */
export function dueAt({queryAt}: WatchState): number {
	return queryAt === undefined ? 0 : queryAt.getTime() + WATCH_MS;
}

/** Traffic changes the order somewhat, so it is more than the few that can be hits. */
const MOST_LOOKED_AT = 500;

/** Search of a watch; undefined where its words cannot be understood. */
export function searchOfWatch({words}: PriceWatch, job: Job): OfferSearch | undefined {
	const parsed = parseLine(words);
	if (parsed.problems.length > 0) return undefined;
	return {
		...anyOffers,
		...requestOf(parsed.words.flatMap(({clauses}) => clauses)),
		order: [['dph_total', 'asc']],
		limit: MOST_LOOKED_AT,
		diskGb: job.diskGb,
		columns: ['id', 'gpu_name', ...costFields],
	};
}

/** An offer and what an hour of it costs with everything. */
export type Priced = {readonly offer: Offer; readonly allIn: number};

/** Result of a look: the new state, and the offers to announce, the cheapest first. */
export function look(
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
	const hits = priced.filter(({offer, allIn}) => allIn < below && !state.told.has(offer.id));
	return {
		hits,
		state: {
			queryAt: now,
			told: new Set([...state.told, ...hits.map(({offer}) => offer.id)]),
			lastHitAt: hits.length === 0 ? state.lastHitAt : now,
			cheapest: priced[0]?.allIn,
			problem: undefined,
		},
	};
}

/** Announcement of hits, in one sentence. */
export function hitSentence({words, below}: PriceWatch, hits: readonly Priced[]): string {
	const [best] = hits;
	if (best === undefined) return '';
	const {offer, allIn} = best;
	const what = `${offer.num_gpus ?? '?'}x ${printable(offer.gpu_name ?? '')}`;
	const others = hits.length === 1 ? '' : ` and ${count(hits.length - 1)} more`;
	const watched = words === '' ? '' : ` (${words})`;
	return `Offer ${offer.id}, ${what}, is ${pricePerHour(allIn)} all-in${others}, below ${pricePerHour(below)}${watched}.`;
}
