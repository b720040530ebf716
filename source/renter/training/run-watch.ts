/** Runs of instances, polled from their logs: for screens, and for alerts of their own kinds. */
import type {Client} from '../../client/client.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import type {Leases} from '../leases/leases.ts';
import {defaultSettings, type SettingsStore} from '../settings/default-settings.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {Polling} from '../state/polling.ts';
import type {AlertKind, Event, Notify} from '../words/alert.ts';
import {splitLines} from '../text/new-lines.ts';
import {shownLabel} from '../words/lease.ts';
import {openRunBook, type RunBook} from './kept-runs.ts';
import {RUN_TAIL, type RunReading} from './run-reading.ts';
import {openRunReader, type RunReader} from './run-reader.ts';
import type {Training} from './training-log.ts';
import type {TrainingVerdict} from './verdict.ts';

/** The last read of each run, by instance. */
export type RunReadings = ReadonlyMap<number, RunReading>;

export type RunWatch = {
	readonly state: Readable<RunReadings>;
	readonly book: Pick<RunBook, 'runs'>;
	/** Reads the log of an instance at once. @throws if it cannot be read */
	readonly read: (row: FleetRow) => Promise<RunReading>;
	/** The last lines of the log of an instance, unchanged. @throws if it cannot be read */
	readonly lines: (id: number) => Promise<readonly string[]>;
	/** Keeps reading logs of instances until the program ends. */
	readonly keep: (ids: Iterable<number>) => void;
	readonly close: () => void;
};

type Options = {
	readonly client: () => Promise<Client>;
	readonly fleet: Pick<Fleet, 'state'>;
	readonly polling: Polling;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
	readonly notify: Pick<Notify, 'send'>;
	/** Stores the steps that are read; by default none. */
	readonly book?: RunBook | undefined;
	/** By default no settings apply to runs. */
	readonly settings?: Pick<SettingsStore, 'get'> | undefined;
	/** Enters instances; by default only logs are read. */
	readonly leases?: Pick<Leases, 'inside'> | undefined;
};

/** Interval between reads of a run, and the longer one after finding none. */
const EVERY_MS = 30_000;
const SELDOM_MS = 300_000;

export function createRunWatch(options: Options): RunWatch {
	const {client, fleet, polling, now, notify, book = openRunBook(undefined)} = options;
	const state = createStore<RunReadings>(new Map());
	const readerOf = openReaders(options);
	const readAt = new Map<number, number>();
	const kept = new Set<number>();
	const sendAlerts = openRunAlerts(event => notify.send(event));

	async function tailOf(id: number): Promise<string> {
		const {instances} = await client();
		return instances.logs(id, {tail: RUN_TAIL, daemon: false});
	}

	async function read(row: FleetRow): Promise<RunReading> {
		const {id} = row.instance;
		readAt.set(id, now());
		const found = await readerOf(id)(row, await tailOf(id), now());
		state.set(new Map(state.get()).set(id, found));
		sendAlerts(row, found);
		void book.note(id, shownLabel(row.instance.label), found, now());
		return found;
	}

	function isDue({instance: {id}, condition}: FleetRow): boolean {
		if (!kept.has(id) || !running.has(condition)) return false;
		const everyMs = state.get().get(id)?.verdict === 'NO RUN' ? SELDOM_MS : EVERY_MS;
		return now() - (readAt.get(id) ?? Number.NEGATIVE_INFINITY) >= everyMs * 0.9;
	}

	/** True if a screen is waiting for a log that was never read. */
	function hasUnread(): boolean {
		const {rows} = fleet.state.get();
		return rows.some(row => isDue(row) && !readAt.has(row.instance.id));
	}

	const poller = polling.start({
		dueAt(lastAt) {
			if (kept.size === 0) return undefined;
			return hasUnread() ? now() : Math.max(lastAt + EVERY_MS, now());
		},
		async ask() {
			for (const row of fleet.state.get().rows.filter(isDue)) {
				// A log that cannot be read now is read next time.
				// oxlint-disable-next-line no-await-in-loop -- one log after the other
				await read(row).catch(() => undefined);
			}
		},
	});
	return {
		state,
		book,
		read,
		lines: async id => splitLines(await tailOf(id)),
		keep(ids) {
			const before = kept.size;
			for (const id of ids) kept.add(id);
			if (kept.size > before) poller.plan();
		},
		close: poller.close,
	};
}

const defaults = {get: () => defaultSettings};

/** Readers of runs; changed settings restart a read. */
function openReaders({
	now,
	settings = defaults,
	leases,
}: Pick<Options, 'now' | 'settings' | 'leases'>): (id: number) => RunReader {
	const readers = new Map<string, RunReader>();
	return id => {
		const {runPatterns, runFolders} = settings.get();
		const wanted = {runPatterns, runFolders};
		const open = () => openRunReader({settings: wanted, inside: leases?.inside, since: now()});
		return readers.getOrInsertComputed(JSON.stringify([id, wanted]), open);
	};
}

const running = new Set<FleetRow['condition']>(['running', 'idle', 'noSsh']);

const kinds: Readonly<
	Partial<Record<TrainingVerdict, {readonly kind: AlertKind; readonly text: string}>>
> = {
	NAN: {kind: 'run-nan', text: 'has a loss that is no number.'},
	RISING: {kind: 'run-rising', text: 'has a loss that rises.'},
	SILENT: {kind: 'run-silent', text: 'makes no step.'},
	'BUSY NO STEP': {kind: 'run-silent', text: 'makes no step while its GPUs work.'},
};

/** End of a run, as its log says it; one that only counts may have another epoch to go. */
function endOf({isDone, of}: Training) {
	const what = isDone ? 'is done with its run' : `has made the ${of} steps that its log counts`;
	return {kind: 'run-done', text: `${what}, and goes on costing.`} as const;
}

/** Reports a problem of a run, or its end: once for each run, and after two reads that agree. */
export function openRunAlerts(send: (event: Event) => unknown) {
	const sent = new Set<string>();
	/** Verdicts that instances have had since the first read. */
	const first = new Map<number, TrainingVerdict | undefined>();
	return (
		{instance: {id, label}}: Pick<FleetRow, 'instance'>,
		{verdict, isAgreed, training}: RunReading,
	): void => {
		const found = verdict === 'DONE' ? endOf(training) : kinds[verdict];
		if (first.getOrInsert(id, verdict) !== verdict) first.set(id, undefined);
		// A run that was already done at the first read is no news.
		const isOld = first.get(id) === 'DONE';
		if (found === undefined || !isAgreed || isOld) return;
		const {kind, text: what} = found;
		const key =
			`${id} ${kind} ${training.restartedFrom ?? ''} ${training.isDone ? 'said' : ''}`.trim();
		if (sent.has(key)) return;
		sent.add(key);
		const name = `${id} ${shownLabel(label)}`.trim();
		const step = training.step === undefined ? '' : ` Its last step is ${training.step}.`;
		const text = `${name} ${what}${step} V shows its run.`;
		send({kind, about: `instance ${id}`, state: key, text, instance: id});
	};
}
