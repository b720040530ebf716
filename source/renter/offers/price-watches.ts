/** Asks for what is watched, as long as rentty runs. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {Job} from '../../contract/nouns/offer-cost.ts';
import type {PriceWatch, SettingsStore} from '../settings/default-settings.ts';
import type {Polling} from '../state/polling.ts';
import type {Timers} from '../state/timers.ts';
import type {Notify} from '../words/alert.ts';
import {jobOf} from './job.ts';
import {createStore, type Readable} from '../state/store.ts';
import {searchOffers} from './local-filter.ts';
import {
	dueAt,
	hitSentence,
	look,
	searchOfWatch,
	unwatched,
	watchKey,
	type Priced,
	type WatchState,
} from './watches.ts';

export type PriceWatches = {
	/** State of each watch, by its key. */
	readonly states: Readable<ReadonlyMap<string, WatchState>>;
	/** Somebody looks: hits are no longer counted in the title. */
	readonly seen: () => void;
	readonly close: () => void;
};

type Options = {
	readonly client: () => Promise<Client>;
	readonly settings: SettingsStore;
	readonly notify: Notify;
	readonly timers: Timers;
	readonly polling: Polling;
};

/** After the start there is more urgent work. */
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

	/** One after the other: watching must not hold up what somebody waits for. */
	async function askDue(): Promise<void> {
		for (const watch of watches()) {
			if (dueAt(stateOf(watch)) > timers.now() || !isWatched(watch)) continue;
			const asking = {client, job: jobOf(settings.get()), timers, signal: stop.signal};
			const {state, hits} = await ask(watch, stateOf(watch), asking);
			if (stop.signal.aborted) return;
			if (!isWatched(watch)) continue;
			states.set(new Map([...states.get(), [watchKey(watch), state]]));
			counter.tell(watch, hits);
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
		seen: counter.seen,
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

/** Looks once. What fails is asked again in its turn; until then the list of watches says why. */
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
		return look(watch, before, {offers, job, now: new Date(timers.now())});
	} catch (error) {
		return failed(messageOf(error));
	}
}

/** Tells hits, and counts those that nobody has looked at in the terminal's title. */
function countHits(notify: Notify) {
	let unseen = 0;
	const count = (next: number) => {
		if (next === unseen) return;
		unseen = next;
		notify.setTrouble('watches', unseen);
	};
	return {
		tell(watch: PriceWatch, hits: readonly Priced[]) {
			if (hits.length === 0) return;
			const ids = hits.map(({offer}) => offer.id).join();
			const text = hitSentence(watch, hits);
			const about = `watch ${watchKey(watch)}`;
			const offer = hits[0]?.offer.id;
			notify.tell({kind: 'price-found', about, state: `hit ${ids}`, text, offer});
			count(unseen + hits.length);
		},
		seen: () => count(0),
	};
}
