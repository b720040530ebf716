/** Watches what is rented: one list of all of it every few seconds, whoever looks. */
import {createStore, type Readable, type Store} from '../state/store.ts';
import {createPolling, type Polling} from '../state/polling.ts';
import {createAsking, type AskingOptions} from './fleet-asking.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {noteGone, noteOf, noteRented, noteSsh} from './fleet-looks.ts';
import {unseenFleet, type FleetState, type Look, type FleetRow} from './fleet-state.ts';
import type {Timers} from '../state/timers.ts';

const EVERY_MS = 3000;

type Options = {
	readonly timers: Timers;
	readonly polling: Polling;
	readonly rows: () => readonly FleetRow[];
	/** True while somebody watches. */
	readonly isWanted: () => boolean;
	readonly show: (id: number) => Promise<void>;
};

function createCloserLooks(options: Options) {
	const {timers, polling, rows, isWanted, show} = options;
	let followed: number | undefined;
	/** The moment since which an instance is worth a look; undefined while none is. */
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
			// What goes wrong here goes wrong with the next list too, and is said there.
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
	/** Looks more often for as long as somebody watches; what it returns ends that. */
	readonly watch: () => () => void;
	/** The instance under the cursor, which is looked at more closely while it boots. */
	readonly follow: (id: number | undefined) => void;
	/** Somebody pressed a key. */
	readonly touch: () => void;
	/** Looks at once; fails with what went wrong. */
	readonly refresh: () => Promise<void>;
	readonly pause: (isPaused: boolean) => void;
	/** Its destruction is asked for; what it returns takes the note back, where it was refused. */
	readonly noteDestroyed: (id: number) => () => void;
	/** It was looked for, and is proven to be gone. */
	readonly noteGone: (id: number) => void;
	/** True if an instance was proven to be gone, also long ago. */
	readonly isGone: (id: number) => boolean;
	/** It was just rented: it is there, and costs, although no list has shown it so far. */
	readonly noteRented: (instance: Instance) => void;
	/** Ports for SSH were tried: whether they answered, by instance. */
	readonly noteSsh: (answers: ReadonlyMap<number, boolean>) => void;
	readonly close: () => void;
};

const OFTEN_MS = 10_000;
const SELDOM_MS = 30_000;
/** Without a key for so long, nobody sits there. */
const AWAY_MS = 600_000;
/** However few calls the service wants, so often it is asked. */
const SLOWEST_MS = 60_000;

/** Interval between looks, where the service refused calls. */
function slowed(everyMs: number, slowness: number): number {
	return Math.min(everyMs * slowness, SLOWEST_MS);
}

/** Alone, it polls by a loop of its own. */
export function createFleet(options: AskingOptions & {readonly polling?: Polling}): Fleet {
	const {timers, polling = createPolling(timers)} = options;
	const state = createStore<FleetState>(unseenFleet);
	const ending = new AbortController();
	const asking = createAsking(options, state, ending.signal);
	const attention = createAttention(timers, polling.isHidden);
	const looks = polling.start({
		ask: async () => asking.all(),
		dueAt(lastAt) {
			const {isPaused, slowness} = state.get();
			return isPaused ? undefined : lastAt + slowed(attention.everyMs(), slowness);
		},
		onPlan(everyMs) {
			if (everyMs !== state.get().everyMs) state.set({...state.get(), everyMs});
		},
	});
	const closer = createCloserLooks({
		timers,
		polling,
		rows: () => state.get().rows,
		isWanted: () => attention.isWatched() && !state.get().isPaused,
		show: async id => asking.one(id),
	});
	function plan(): void {
		looks.plan();
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
			await looks.now();
			closer.plan();
		},
		pause(isPaused) {
			state.set({...state.get(), isPaused});
			plan();
		},
		...notes(state, asking.look),
		close() {
			ending.abort();
			looks.close();
			closer.close();
		},
	};
}

/** Observations of instances by others. */
function notes(
	state: Store<FleetState>,
	look: () => Look,
): Pick<Fleet, 'noteDestroyed' | 'noteGone' | 'noteRented' | 'noteSsh' | 'isGone'> {
	return {
		noteDestroyed(id) {
			const row = state.get().rows.find(({instance}) => instance.id === id);
			const before = row?.seen.destroyedAt;
			const note = (destroyedAt: number | undefined) =>
				state.set(noteOf(state.get(), id, {destroyedAt}, look()));
			// What was to be gone already is no less late for being asked for again.
			note(before ?? look().now);
			return () => note(before);
		},
		isGone: id => state.get().gone.has(id),
		noteGone: id => state.set(noteGone(state.get(), id, look())),
		noteRented: instance => state.set(noteRented(state.get(), instance, look())),
		noteSsh: answers => state.set(noteSsh(state.get(), answers, look())),
	};
}

/** Attention: is anybody looking, and how often is a look worth it? */
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
		/** Notes activity; true if somebody came back who was away. */
		touch() {
			const wasAway = isAway();
			touchedAt = now();
			return wasAway;
		},
	};
}
