import {setTimeout} from 'node:timers/promises';

/** Time as the client needs it. */
export type Time = {
	/** Milliseconds since 1970; it never goes back. */
	readonly now: () => number;
	/**
	 * Waits.
	 *
	 * @throws the reason of the signal, as soon as it fires.
	 */
	readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const realTime: Time = {
	now: () => performance.timeOrigin + performance.now(),
	async pause(ms, signal) {
		try {
			await setTimeout(ms, undefined, {signal});
		} catch (error) {
			signal?.throwIfAborted();
			throw error;
		}
	},
};
