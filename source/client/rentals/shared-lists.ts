/** Looking at the instances that there are, for several who wait for something at once. */
import type {InstanceList} from '../nouns/instance-list.ts';

export type Look = (signal?: AbortSignal) => Promise<InstanceList>;

/**
 * Lists the instances once for all who ask at about the same time. What is listed is never older
 * than the question: who asks while a list is under way gets the next one.
 */
export function shareLists(list: () => Promise<InstanceList>): Look {
	let underWay: Promise<unknown> = Promise.resolve();
	let next: Promise<InstanceList> | undefined;

	async function lookNext(): Promise<InstanceList> {
		await underWay;
		next = undefined;
		const listed = list();
		underWay = listed.catch(() => undefined);
		return listed;
	}

	return async signal => {
		next ??= lookNext();
		return unlessAborted(next, signal);
	};
}

/** Waits for shared work: a caller that aborts leaves, the work goes on for the others. */
async function unlessAborted<Value>(
	value: Promise<Value>,
	signal: AbortSignal | undefined,
): Promise<Value> {
	if (signal === undefined) return value;
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	try {
		return await Promise.race([value, aborted.promise]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

/** Pause before the next look: short at first, for most changes happen at once. */
export function pauseBeforeList(looks: number): number {
	return Math.min(500 * 2 ** looks, 8000);
}
