/**
 * Probes the SSH ports of running instances: at each change, and more often for silent ones or
 * those on screen.
 */
import {sshRoutes, type SshRoute} from '../../contract/nouns/ssh-command.ts';
import type {Fleet} from '../fleet/fleet.ts';
import type {FleetRow} from '../fleet/fleet-state.ts';
import type {Timers} from '../state/timers.ts';
import {createStore, type Readable} from '../state/store.ts';
import type {Probe} from './probe.ts';

/** A route to an instance, and its response time; undefined if it was silent. */
type MeasuredRoute = SshRoute & {readonly ms: number | undefined};

/** Measured routes by instance; an instance not probed yet is missing. */
export type Measurements = ReadonlyMap<number, readonly MeasuredRoute[]>;

export type Measuring = {
	readonly measured: Readable<Measurements>;
	/** The instance on the screen, which is probed once a minute. */
	readonly follow: (id: number | undefined) => void;
	readonly close: () => void;
};

type Options = {
	readonly fleet: Pick<Fleet, 'state' | 'noteSsh'>;
	readonly probe: Probe;
	readonly timers: Pick<Timers, 'now'>;
};

const OPEN_MS = 60_000;
/** Backoff after silence: short at first, because the instance may have just booted. */
const SILENT_MS = 30_000;
const MOST_SILENT_MS = 600_000;
const MOST_AT_ONCE = 8;

type Tried = {
	/** Measured address and start: a change of either means a new measurement. */
	readonly what: string;
	readonly at: number;
	/** Consecutive silent attempts. */
	readonly silences: number;
};

export function createMeasuring({fleet, probe, timers}: Options): Measuring {
	const measured = createStore<Measurements>(new Map());
	const tried = new Map<number, Tried>();
	const answers = new Map<number, boolean>();
	const enqueue = createQueue(measure, report);
	let followed: number | undefined;
	let isClosed = false;

	function check(): void {
		for (const row of fleet.state.get().rows) {
			const {id} = row.instance;
			if (!isDue(row, tried.get(id), {now: timers.now(), isOpen: id === followed})) continue;
			const last = tried.get(id);
			const what = subjectOf(row);
			const silences = last?.what === what ? last.silences : 0;
			tried.set(id, {what, at: timers.now(), silences});
			enqueue(row);
		}
	}

	async function measure(row: FleetRow): Promise<void> {
		const {id} = row.instance;
		const routes = await Promise.all(
			sshRoutes(row.instance).map(async route => ({...route, ms: await probe(route)})),
		);
		if (isClosed) return;
		const hasAnswered = routes.some(({ms}) => ms !== undefined);
		const silences = hasAnswered ? 0 : (tried.get(id)?.silences ?? 0) + 1;
		tried.set(id, {what: subjectOf(row), at: timers.now(), silences});
		measured.set(new Map(measured.get()).set(id, routes));
		answers.set(id, hasAnswered);
		// Send results of several attempts to the fleet together: every update sorts all rows.
		if (answers.size >= MOST_AT_ONCE * 4) report();
	}

	function report(): void {
		if (answers.size === 0 || isClosed) return;
		const news = new Map(answers);
		answers.clear();
		fleet.noteSsh(news);
	}

	const stop = fleet.state.subscribe(check);
	return {
		measured,
		follow(id) {
			followed = id;
			check();
		},
		close() {
			isClosed = true;
			stop();
		},
	};
}

/** Runs tasks, a few at a time, in their order; the returned function adds one. */
function createQueue(run: (row: FleetRow) => Promise<void>, onIdle: () => void) {
	const waiting = new Map<number, FleetRow>();
	let underWay = 0;
	function start(): void {
		for (const [id, row] of waiting) {
			if (underWay >= MOST_AT_ONCE) break;
			waiting.delete(id);
			underWay += 1;
			void run(row).finally(() => {
				underWay -= 1;
				start();
				if (underWay === 0) onIdle();
			});
		}
	}
	return (row: FleetRow) => {
		waiting.set(row.instance.id, row);
		start();
	};
}

function isDue(
	row: FleetRow,
	last: Tried | undefined,
	{now, isOpen}: {readonly now: number; readonly isOpen: boolean},
): boolean {
	if (row.instance.actual_status !== 'running') return false;
	if (sshRoutes(row.instance).length === 0) return false;
	if (last?.what !== subjectOf(row)) return true;
	const age = now - last.at;
	if (isOpen && age >= OPEN_MS) return true;
	return last.silences > 0 && age >= Math.min(MOST_SILENT_MS, SILENT_MS * 2 ** (last.silences - 1));
}

/** Address of an instance with its start time. */
function subjectOf({instance, observation}: FleetRow): string {
	return JSON.stringify([sshRoutes(instance), observation.phases.at(-1)?.since]);
}
