import {setTimeout} from 'node:timers/promises';

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

/** The service's clock, from the Date headers of its replies. */
export type ServiceClock = {
	/**
	 * Milliseconds by which the service's clock is ahead of this machine's: 0 if no reply
	 * contradicts this machine.
	 */
	readonly skewMs: () => number;
	/** Milliseconds since 1970 on the service's clock. */
	readonly now: () => number;
	/** The date of the last reply, and the count of dated replies; undefined before the first. */
	readonly lastContact: () => LastContact | undefined;
};

type LastContact = {readonly date: number; readonly answers: number};

/** Records the Date header of a reply, with the time of its request on this machine's clock. */
export type NoteDate = (header: unknown, sentAt: number) => void;

/** Resolution of a Date header: it was written up to so much later. */
const SECOND_MS = 1000;

/** An HTTP date, such as `Sun, 22 Nov 2026 09:28:28 GMT`. */
const HTTP_DATE = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** @param now Milliseconds since 1970 on this machine's clock */
export function createServiceClock(now: () => number) {
	/** Bounds of the skew from the replies so far. */
	let bounds = {least: Number.NEGATIVE_INFINITY, most: Number.POSITIVE_INFINITY};

	let last: LastContact | undefined;

	function skewMs(): number {
		// The earliest possible moment, so that no record seems older than it is.
		return bounds.least <= 0 && bounds.most >= 0 ? 0 : bounds.least;
	}

	const noteDate: NoteDate = (header, sentAt) => {
		const dated = typeof header === 'string' && HTTP_DATE.test(header) ? Date.parse(header) : NaN;
		if (Number.isNaN(dated)) return;
		last = {date: dated, answers: (last?.answers ?? 0) + 1};
		// The reply was dated after the request was sent, and before it arrived.
		const fresh = {least: dated - now(), most: dated + SECOND_MS - sentAt};
		const least = Math.max(bounds.least, fresh.least);
		const most = Math.min(bounds.most, fresh.most);
		// One of the clocks was set meanwhile: earlier bounds are invalid.
		bounds = least <= most ? {least, most} : fresh;
	};

	return {
		noteDate,
		clock: {skewMs, now: () => now() + skewMs(), lastContact: () => last} satisfies ServiceClock,
	};
}
