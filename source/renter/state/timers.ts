export type Timers = {
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Calls back after some milliseconds, unless the returned function is called before. */
	readonly after: (ms: number, run: () => void) => () => void;
};

export const realTimers: Timers = {
	now: () => Date.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
};
