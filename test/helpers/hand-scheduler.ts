import {setImmediate} from 'node:timers/promises';
import type {Scheduler} from '../../source/host/base/scheduler.ts';

/** A moment in 2026 at which hosts of tests start. */
export const HOST_NOW = 1_795_000_000;

/**
 * A scheduler whose time is moved by hand, in whatever unit its start is.
 *
 * @param isQuiet whether nothing is under way any more: time stands still until that is so
 */
export function createHandScheduler(start = HOST_NOW, isQuiet = () => true) {
	let now = start;
	const plans = new Set<{readonly at: number; readonly run: () => void}>();

	/** Does all that is due until a moment, in order, and what follows from it at once. */
	async function pass(time: number): Promise<void> {
		const end = now + time;
		await setImmediate();
		for (;;) {
			while (!isQuiet()) await setImmediate();
			const due = [...plans].filter(({at}) => at <= end).toSorted((a, b) => a.at - b.at);
			const [first] = due;
			if (first === undefined) break;
			plans.delete(first);
			now = Math.max(now, first.at);
			first.run();
			await setImmediate();
		}
		now = end;
	}

	const scheduler: Scheduler = {
		now: () => now,
		after(time, run) {
			const plan = {at: now + time, run};
			plans.add(plan);
			return () => plans.delete(plan);
		},
	};
	return {
		...scheduler,
		pass,
		/** How much is planned. */
		planned: () => plans.size,
		/** Lets time pass, at most some minutes, until something holds. */
		async until(holds: () => boolean): Promise<void> {
			for (let steps = 0; steps < 2000; steps += 1) {
				if (holds()) return;
				await pass(0.25);
			}
			throw new Error('it never came to hold');
		},
	};
}
