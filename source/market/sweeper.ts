/** Does something every second, and never twice at once. */
import type {Log} from './answers.ts';

const EVERY_MS = 1000;

export type Sweeper = {
	/** Does it now, after what is being done. */
	readonly sweep: () => Promise<void>;
	readonly start: () => void;
	/** Ends it, when what is being done is done. */
	readonly stop: () => Promise<void>;
};

/** What fails is told to the log, and tried again a second later. */
export function createSweeper(sweep: () => Promise<void>, log: Log): Sweeper {
	let timer: NodeJS.Timeout | undefined;
	let last = Promise.resolve();

	function sweepNext(): Promise<void> {
		last = last.then(sweep, sweep);
		return last;
	}

	function plan(): void {
		timer = setTimeout(() => void sweepAgain(), EVERY_MS);
		timer.unref();
	}

	async function sweepAgain(): Promise<void> {
		try {
			await sweepNext();
		} catch (error) {
			log(`sweep failed: ${error instanceof Error ? error.stack : String(error)}`);
		}
		if (timer !== undefined) plan();
	}

	return {
		sweep: sweepNext,
		start: plan,
		async stop() {
			clearTimeout(timer);
			timer = undefined;
			await last.catch(() => undefined);
		},
	};
}
