/** Wakes those who wait for something new, inside of this process, and of others where the database tells of them. */
export type Bell = {
	/** Signals also come from other processes' writes. */
	readonly isShared: boolean;
	/** Something is new for a name. */
	readonly ring: (name: number) => void;
	/**
	 * Fulfils when it rings, when so much time has passed, or when the caller is gone. It answers
	 * whether there is any point in waiting again.
	 */
	readonly wait: (name: number, ms: number, signal?: AbortSignal) => Promise<boolean>;
	/** Ends all waiting, now and later. */
	readonly stop: () => void;
};

export function createBell({isShared = false} = {}): Bell {
	const waiting = new Map<number, Set<() => void>>();
	let isStopped = false;

	function ring(name: number): void {
		const wakes = waiting.get(name);
		waiting.delete(name);
		for (const wake of wakes ?? []) wake();
	}

	return {
		isShared,
		ring,
		async wait(name, ms, signal) {
			const isOver = () => isStopped || signal?.aborted === true;
			if (isOver()) return false;
			const {promise, resolve} = Promise.withResolvers<void>();
			const wakes = waiting.get(name) ?? new Set();
			waiting.set(name, wakes.add(resolve));
			const timer = setTimeout(resolve, ms);
			const leave = () => resolve();
			signal?.addEventListener('abort', leave, {once: true});
			await promise;
			clearTimeout(timer);
			signal?.removeEventListener('abort', leave);
			wakes.delete(resolve);
			return !isOver();
		},
		stop() {
			isStopped = true;
			for (const name of waiting.keys()) ring(name);
		},
	};
}
