/** Scheduler of a host: its clock and its alarms; tests move both by hand. */
export type Scheduler = {
	/** Seconds since 1970 in UTC, with a fraction. */
	readonly now: () => number;
	readonly after: (seconds: number, run: () => void) => Cancel;
};

export type Cancel = () => void;

/** Scheduler by the system's clock. A pending alarm keeps the process from ending. */
export const systemScheduler: Scheduler = {
	// Counted from the start of the process, because the system's clock can be set.
	now: () => (performance.timeOrigin + performance.now()) / 1000,
	after(seconds, run) {
		const timer = setTimeout(run, seconds * 1000);
		return () => clearTimeout(timer);
	},
};

/** A scheduler like it, with alarms that do not keep the process from ending. */
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
