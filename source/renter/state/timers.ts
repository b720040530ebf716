/** Time, and being called later. */
export type Timers = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Calls after some milliseconds, unless what it returns is called before. */
	readonly after: (ms: number, run: () => void) => () => void;
};

export const realTimers: Timers = {
	now: () => Date.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};
