/** Wakes requests that wait for new work: in this process, and in others where the database reports their writes. */
export type WorkSignal = {
	/** Signals also come from other processes' writes. */
	readonly isShared: boolean;
	/** Sends the signal: there is new work for an account. */
	readonly send: (name: number) => void;
	/**
	 * Fulfils on a signal, after so much time, or when the caller is gone. It answers
	 * whether there is any point in waiting again.
	 */
	readonly wait: (name: number, ms: number, signal?: AbortSignal) => Promise<boolean>;
	/** Sends all signals: nobody knows for whom there may be work. */
	readonly sendAll: () => void;
	/** Ends all waiting, now and later. */
	readonly stop: () => void;
};

export function createWorkSignal({isShared = false} = {}): WorkSignal {
	const waiting = new Map<number, Set<() => void>>();
	let isStopped = false;

	function send(name: number): void {
		const wakes = waiting.get(name);
		waiting.delete(name);
		for (const wake of wakes ?? []) wake();
	}

	function sendAll(): void {
		for (const name of waiting.keys()) send(name);
	}

	return {
		isShared,
		send,
		sendAll,
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
			sendAll();
		},
	};
}
