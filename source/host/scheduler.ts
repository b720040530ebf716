/** Scheduler of a host: its clock and its alarms; tests move both by hand. */
export type Scheduler = {
	/** Seconds since 1970 in UTC, with a fraction. */
	readonly now: () => number;
	/** Does something once, so many seconds from now. */
	readonly after: (seconds: number, run: () => void) => Cancel;
};

export type Cancel = () => void;

/** The real one. What it is to do keeps the process from ending. */
export const systemScheduler: Scheduler = {
	// Counted from when the process began: what is done in so many seconds needs a clock that nobody sets.
	now: () => (performance.timeOrigin + performance.now()) / 1000,
	after(seconds, run) {
		const timer = setTimeout(run, seconds * 1000);
		return () => clearTimeout(timer);
	},
};

/** The same, for what may be left undone when the process has nothing else to do. */
export const backgroundScheduler: Scheduler = {
	now: systemScheduler.now,
	after(seconds, run) {
		const timer = setTimeout(run, seconds * 1000).unref();
		return () => clearTimeout(timer);
	},
};

/** Fulfils after so many seconds, or at once when the signal fires. */
export async function pause(
	scheduler: Scheduler,
	seconds: number,
	signal: AbortSignal,
): Promise<void> {
	if (signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	const wake = () => resolve();
	const cancel = scheduler.after(seconds, wake);
	signal.addEventListener('abort', wake);
	await promise;
	signal.removeEventListener('abort', wake);
	cancel();
}
