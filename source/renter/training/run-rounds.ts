/**
 * Reads the runs of all instances in turn, for a guard, which watches them while no console does.
 */
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {rateOf} from '../instance/burn.ts';
import {leaseOf} from '../leases/held.ts';
import type {RunInside} from '../leases/inside.ts';
import {splitLines} from '../text/new-lines.ts';
import type {Event} from '../words/alert.ts';
import {defaultSettings} from '../settings/default-settings.ts';
import {shownLabel} from '../words/lease.ts';
import {createDoneWatch} from './done-watch.ts';
import type {RunBook} from './kept-runs.ts';
import {readPatterns} from './own-patterns.ts';
import {RUN_TAIL, type RunRow} from './run-reading.ts';
import {openRunReader, type RunReader, type RunSettings} from './run-reader.ts';
import {openRunAlerts} from './run-watch.ts';

type Rounds = {
	readonly client: Pick<Client, 'instances' | 'clock'>;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
	readonly send: (event: Event) => void;
	readonly book: Pick<RunBook, 'note'>;
	/** By default no settings apply to runs. */
	readonly settings?: RunSettings | undefined;
	/** Enters instances for figures missing from their logs; undefined if impossible. */
	readonly inside?: RunInside | undefined;
	readonly signal: AbortSignal;
};

/** Interval between reads of a run, and the longer one after finding none. */
const EVERY_MS = 60_000;
const SELDOM_MS = 600_000;
/** Most logs read in a round: the service limits calls. */
const MOST_A_ROUND = 12;

/** Reads runs in rounds. A round in progress is not started again. */
export function createRunRounds(rounds: Rounds) {
	const {client, now, send, book, settings = defaultSettings, inside, signal} = rounds;
	const readers = new Map<number, RunReader>();
	const own = readPatterns(settings.runPatterns);
	const open = () => openRunReader({settings, inside, since: now()});
	const readAt = new Map<number, number>();
	const without = new Set<number>();
	const alert = openRunAlerts(send);
	const done = createDoneWatch(now, {inside, own});
	let round: Promise<unknown> = Promise.resolve();
	let isUnderWay = false;

	async function readRun(instance: Instance): Promise<void> {
		const {id, label} = instance;
		readAt.set(id, now());
		const text = await client.instances.logs(id, {tail: RUN_TAIL, daemon: false}, {signal});
		const row: RunRow = {
			instance,
			condition: 'running',
			rate: rateOf(instance, 'running'),
			now: now() + client.clock.skewMs(),
		};
		const found = await readers.getOrInsertComputed(id, open)(row, text, now());
		if (found.verdict === 'NO RUN') without.add(id);
		else without.delete(id);
		const {lease} = leaseOf(instance);
		if (lease !== undefined) await done.note(instance, lease, {...found, lines: splitLines(text)});
		alert(row, found);
		await book.note(id, shownLabel(label), found, now());
	}

	/** True if the log must be read; a lease that waits for work needs it even without a run. */
	function isDue(instance: Instance): boolean {
		const {id} = instance;
		const isWaiting = leaseOf(instance).lease?.whenDone !== undefined;
		const everyMs = without.has(id) && !isWaiting ? SELDOM_MS : EVERY_MS;
		return now() - lastReadAt(instance) >= everyMs;
	}

	const lastReadAt = ({id}: Instance) => readAt.get(id) ?? Number.NEGATIVE_INFINITY;

	async function work(queue: readonly Instance[]): Promise<void> {
		for (const instance of queue) {
			// A log that cannot be read now is read next time.
			// oxlint-disable-next-line no-await-in-loop -- one log after the other
			await readRun(instance).catch(() => undefined);
		}
	}

	return {
		/** Evidence for a guard about the work that leases wait for. */
		done,
		readDue(instances: readonly Instance[]): void {
			if (isUnderWay || signal.aborted) return;
			const due = instances
				.filter(({actual_status: status}) => status === 'running')
				.filter(isDue)
				.toSorted((a, b) => Math.max(lastReadAt(a), 0) - Math.max(lastReadAt(b), 0))
				.slice(0, MOST_A_ROUND);
			if (due.length === 0) return;
			isUnderWay = true;
			round = work(due).finally(() => (isUnderWay = false));
		},
		settle: async () => round,
	};
}
