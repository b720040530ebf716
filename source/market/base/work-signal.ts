/** Wakes requests that wait for new work; in other processes too, if the database reports writes. */
export type WorkSignal = {
	/** True if writes of other processes send signals too. */
	readonly isShared: boolean;
	/** Sends the signal: there is new work for an account. */
	readonly send: (name: number) => void;
	/**
	 * Fulfils on a signal, after some time, or when the caller is gone; false if waiting again is
	 * useless.
	 */
	readonly wait: (name: number, ms: number, signal?: AbortSignal) => Promise<boolean>;
	/** Sends the signals of all accounts, if it is unknown which ones have work. */
	readonly sendAll: () => void;
	/** Ends all waiting, now and in future. */
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
