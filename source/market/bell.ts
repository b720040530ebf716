/** Wakes those who wait for something new, inside of this process. */
export type Bell = {
	/** Something is new for a name. */
	readonly ring: (name: number) => void;
	/** Fulfils when it rings, when so much time has passed, or when the caller is gone. */
	readonly wait: (name: number, ms: number, signal?: AbortSignal) => Promise<void>;
	/** Ends all waiting, now and later. */
	readonly stop: () => void;
};

export function createBell(): Bell {
	const waiting = new Map<number, Set<() => void>>();
	let isStopped = false;

	function ring(name: number): void {
		const wakes = waiting.get(name);
		waiting.delete(name);
		for (const wake of wakes ?? []) wake();
	}

	return {
		ring,
		async wait(name, ms, signal) {
			if (isStopped || signal?.aborted === true) return;
			const {promise, resolve} = Promise.withResolvers<void>();
			const wakes = waiting.get(name) ?? new Set();
			waiting.set(name, wakes.add(resolve));
			const timer = setTimeout(resolve, ms);
			signal?.addEventListener('abort', () => resolve(), {once: true});
			await promise;
			clearTimeout(timer);
			wakes.delete(resolve);
		},
		stop() {
			isStopped = true;
			for (const name of waiting.keys()) ring(name);
		},
	};
}
