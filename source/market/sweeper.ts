/** Does something every second, and never twice at once. */
import type {Log} from './answers.ts';
import type {MarketClock} from './clock.ts';

const EVERY_MS = 1000;
const OVERDUE_SECONDS = 15;

export type Sweeper = {
	/** Does it now, after what is being done. */
	readonly sweep: () => Promise<void>;
	/** Does it now where it is overdue, as after the machine has slept. What fails is told to the log. */
	readonly catchUp: () => Promise<void>;
	readonly start: () => void;
	/** Ends it, when what is being done is done. */
	readonly stop: () => Promise<void>;
};

/** What fails is tried again a second later, and told to the log where it was not told before. */
export function createSweeper(
	sweep: (now: number) => Promise<void>,
	clock: Pick<MarketClock, 'now'>,
	log: Log,
): Sweeper {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();
	let doneUntil = -Infinity;
	let lastFailure: string | undefined;

	async function sweepNow(): Promise<void> {
		const now = clock.now();
		await sweep(now);
		doneUntil = now;
	}

	function sweepNext(): Promise<void> {
		last = last.then(sweepNow, sweepNow);
		return last;
	}

	async function sweepQuietly(): Promise<void> {
		try {
			await sweepNext();
			if (lastFailure !== undefined) log('sweep works again');
			lastFailure = undefined;
		} catch (error) {
			const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
			// It is tried every second, and a disk may be full.
			if (failure !== lastFailure) log(`sweep failed: ${failure}`);
			lastFailure = failure;
		}
	}

	function plan(): void {
		timer = setTimeout(() => void sweepAgain(), EVERY_MS);
		timer.unref();
	}

	async function sweepAgain(): Promise<void> {
		await sweepQuietly();
		if (timer !== undefined) plan();
	}

	return {
		sweep: sweepNext,
		async catchUp() {
			if (clock.now() - doneUntil > OVERDUE_SECONDS) await sweepQuietly();
		},
		start: plan,
		async stop() {
			clearTimeout(timer);
			timer = undefined;
			await last.catch(() => undefined);
		},
	};
}
