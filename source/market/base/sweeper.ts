/** Runs a sweep every second, never two at once. */
import type {Log} from './log.ts';
import type {MarketClock} from './clock.ts';

const EVERY_MS = 1000;
const OVERDUE_SECONDS = 15;

export type Sweeper = {
	/** Seconds since the last sweep began, in this process or the leading one. */
	readonly lag: () => number;
	/** Runs a whole sweep now, after one in progress. */
	readonly sweep: () => Promise<void>;
	/** Runs an overdue sweep now, for example after the machine has slept. Failures are logged. */
	readonly catchUp: () => Promise<void>;
	readonly start: () => void;
	/** Ends the sweeper after the sweep in progress. */
	readonly stop: () => Promise<void>;
};

type Sweeping = {
	readonly log: Log;
	/** True if this process is to sweep. */
	readonly leads?: () => Promise<boolean>;
	/** False if sweeps run on request only. */
	readonly sweepsByItself?: boolean;
};

/** Sweeper. A failed sweep is tried again a second later, and a new failure is logged. */
export function createSweeper(
	sweep: (now: number, how: Thoroughness) => Promise<void>,
	clock: Pick<MarketClock, 'now'>,
	{log, leads = async () => true, sweepsByItself = true}: Sweeping,
): Sweeper {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	let [begunAt, isSweeping] = [-Infinity, false];
	let late: Promise<void> | undefined;
	let lastFailure: string | undefined;

	async function sweepNow(how: Thoroughness): Promise<void> {
		begunAt = clock.now();
		isSweeping = true;
		await sweep(begunAt, how).finally(() => (isSweeping = false));
	}

	async function sweepNext(how: Thoroughness): Promise<void> {
		last = last.catch(() => undefined).then(async () => sweepNow(how));
		return last;
	}

	const isOverdue = () => !isSweeping && clock.now() - begunAt > OVERDUE_SECONDS;

	async function sweepInTurn(): Promise<void> {
		// A long sweep that began in time is not late, so no call waits for it.
		const isLate = isOverdue();
		begunAt = clock.now();
		const done = sweepQuietly();
		if (isLate) late = done.finally(() => (late = undefined));
		await done;
	}

	async function sweepQuietly(): Promise<void> {
		try {
			// The leading process sweeps for all.
			if (!(await leads())) return;
			await sweepNext('urgent');
			if (lastFailure !== undefined) log('sweep works again');
			lastFailure = undefined;
		} catch (error) {
			const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
			// Sweeps may fail every second for hours, so the same failure is logged once.
			if (failure !== lastFailure) log(`sweep failed: ${failure}`);
			lastFailure = failure;
		}
	}

	async function sweepAgain(): Promise<void> {
		await sweepInTurn();
		if (timer !== undefined) plan();
	}

	function plan(): void {
		timer = setTimeout(() => void sweepAgain(), EVERY_MS).unref();
	}

	return {
		sweep: async () => sweepNext('all'),
		async catchUp() {
			await (isOverdue() ? sweepInTurn() : late);
		},
		lag: () => clock.now() - begunAt,
		start: sweepsByItself ? plan : () => undefined,
		async stop() {
			clearTimeout(timer);
			timer = undefined;
			await last.catch(() => undefined);
		},
	};
}

/** Extent of a sweep: all due work, or only urgent work. */
export type Thoroughness = 'all' | 'urgent';
