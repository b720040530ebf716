/** Where the market gets the time from: tests move it by hand. */
export type Clock = {
	/** Seconds since 1970 in UTC, with a fraction. */
	readonly now: () => number;
};

export const systemClock: Clock = {now: () => Date.now() / 1000};
