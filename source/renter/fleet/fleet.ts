/** Watches the rented instances: one list every few seconds, shared by all screens. */
import {createStore, type Readable, type Store} from '../state/store.ts';
import {createPolling, type Polling} from '../state/polling.ts';
import {createAsking, type AskingOptions} from './fleet-asking.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	noteGone,
	noteKeptUse,
	noteDestruction,
	noteRented,
	noteSsh,
	type KeptUse,
} from './apply-polls.ts';
import {
	agedRows,
	LAST_KNOWN_MS,
	unseenFleet,
	type FleetState,
	type FleetPoll,
	type FleetRow,
} from './fleet-state.ts';
import type {Timers} from '../state/timers.ts';

const EVERY_MS = 3000;

type Options = {
	readonly timers: Timers;
	readonly polling: Polling;
	readonly rows: () => readonly FleetRow[];
	/** True while a screen watches. */
	readonly isWanted: () => boolean;
	readonly show: (id: number) => Promise<void>;
};

function createCloserPolling(options: Options) {
	const {timers, polling, rows, isWanted, show} = options;
	let followed: number | undefined;
	/** The time since which an instance needs frequent polls; undefined if none does. */
	let since: number | undefined;

	function due(): number | undefined {
		const row = rows().find(({instance: {id}}) => id === followed);
		const isBooting = row !== undefined && booting.has(row.instance.actual_status ?? null);
		return isBooting && isWanted() ? followed : undefined;
	}

	const poller = polling.start({
		dueAt(lastAt) {
			since = due() === undefined ? undefined : (since ?? timers.now());
			return since === undefined ? undefined : Math.max(lastAt, since) + EVERY_MS;
		},
		async ask() {
			const id = due();
			// A failure here fails the next list too, which reports it.
			if (id !== undefined) await show(id);
		},
	});
	return {
		plan: poller.plan,
		follow(id: number | undefined) {
			followed = id;
			poller.plan();
		},
		close: poller.close,
	};
}

const booting = new Set<string | null>([null, 'loading']);

export type Fleet = {
	readonly state: Readable<FleetState>;
	/** Polls more often until the returned function is called. */
	readonly watch: () => () => void;
	/** The instance under the cursor, which is polled more often while it boots. */
	readonly follow: (id: number | undefined) => void;
	/** Notes that the user pressed a key. */
	readonly touch: () => void;
	/** Polls at once; rejects with the failure. */
	readonly refresh: () => Promise<void>;
	readonly pause: (isPaused: boolean) => void;
	/**
	 * Records a requested destruction; the returned function removes the record after a refusal.
	 */
	readonly noteDestroyed: (id: number) => () => void;
	/** Records that an instance was searched for, and is proven to be gone. */
	readonly noteGone: (id: number) => void;
	/** True if an instance was ever proven to be gone. */
	readonly isGone: (id: number) => boolean;
	/** Records a new instance, which already costs money but is in no list yet. */
	readonly noteRented: (instance: Instance) => void;
	readonly noteKeptUse: (kept: KeptUse) => void;
	readonly noteSsh: (answers: ReadonlyMap<number, boolean>) => void;
	readonly close: () => void;
};

const OFTEN_MS = 10_000;
const SELDOM_MS = 30_000;
/** Time without a key after which the user counts as away. */
const AWAY_MS = 600_000;
/** Longest poll interval, however low the service's rate limit. */
const SLOWEST_MS = 60_000;

/** Poll interval after refused calls. */
function slowed(everyMs: number, slowness: number): number {
	return Math.min(everyMs * slowness, SLOWEST_MS);
}

/** Without shared polling, it has a loop of its own. */
export function createFleet(options: AskingOptions & {readonly polling?: Polling}): Fleet {
	const {timers, polling = createPolling(timers)} = options;
	const state = createStore<FleetState>(unseenFleet);
	const ending = new AbortController();
	const asking = createAsking(options, state, ending.signal);
	const attention = createAttention(timers, polling.isHidden);
	const polls = polling.start({
		ask: async () => asking.all(),
		dueAt(lastAt) {
			const {isPaused, slowness} = state.get();
			return isPaused ? undefined : lastAt + slowed(attention.everyMs(), slowness);
		},
		onPlan(everyMs) {
			if (everyMs !== state.get().everyMs) state.set({...state.get(), everyMs});
		},
	});
	const closer = createCloserPolling({
		timers,
		polling,
		rows: () => state.get().rows,
		isWanted: () => attention.isWatched() && !state.get().isPaused,
		show: async id => asking.one(id),
	});
	const ageing = createAgeing(timers, () =>
		state.set(agedRows(state.get(), asking.pollFacts().now)),
	);
	function plan(): void {
		polls.plan();
		closer.plan();
	}

	return {
		state,
		watch() {
			const leave = attention.watch();
			plan();
			return () => {
				leave();
				plan();
			};
		},
		follow: id => closer.follow(id),
		touch() {
			if (attention.touch()) plan();
		},
		async refresh() {
			await polls.now();
			closer.plan();
		},
		pause(isPaused) {
			state.set({...state.get(), isPaused});
			plan();
			ageing.plan(isPaused);
		},
		...notes(state, asking.pollFacts),
		close() {
			ending.abort();
			ageing.plan(false);
			polls.close();
			closer.close();
		},
	};
}

/** While paused there are no polls, and shown data still grows old. */
function createAgeing(timers: Timers, age: () => void) {
	let stop: (() => void) | undefined;
	return {
		plan(isPaused: boolean) {
			stop?.();
			stop = isPaused ? timers.after(LAST_KNOWN_MS, age) : undefined;
		},
	};
}

function notes(
	state: Store<FleetState>,
	pollFacts: () => FleetPoll,
): Pick<Fleet, 'noteDestroyed' | 'noteGone' | 'noteRented' | 'noteKeptUse' | 'noteSsh' | 'isGone'> {
	return {
		noteDestroyed(id) {
			const row = state.get().rows.find(({instance}) => instance.id === id);
			const before = row?.observation.destroyedAt;
			const note = (destroyedAt: number | undefined) =>
				state.set(noteDestruction(state.get(), id, {destroyedAt}, pollFacts()));
			// A second destroy must not restart the time after which an instance counts as late.
			note(before ?? pollFacts().now);
			return () => note(before);
		},
		isGone: id => state.get().gone.has(id),
		noteGone: id => state.set(noteGone(state.get(), id, pollFacts())),
		noteRented: instance => state.set(noteRented(state.get(), instance, pollFacts())),
		noteKeptUse: kept => state.set(noteKeptUse(state.get(), kept, pollFacts())),
		noteSsh: answers => state.set(noteSsh(state.get(), answers, pollFacts())),
	};
}

/** Attention of the user, which determines the poll interval. */
function createAttention({now}: Timers, isHidden: () => boolean) {
	let watchers = 0;
	let touchedAt = now();
	const isAway = () => now() - touchedAt >= AWAY_MS;
	const isWatched = () => watchers > 0 && !isHidden();
	return {
		isWatched,
		everyMs: () => (isWatched() && !isAway() ? OFTEN_MS : SELDOM_MS),
		watch() {
			watchers += 1;
			return () => {
				watchers -= 1;
			};
		},
		/** Notes activity; true if the user was away. */
		touch() {
			const wasAway = isAway();
			touchedAt = now();
			return wasAway;
		},
	};
}
