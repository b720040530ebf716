import {useEffect, useLayoutEffect, useRef} from 'react';
import type {Poller} from '../../renter/state/polling.ts';
import {useTime} from '../services/services.tsx';

type PollTimes = {
	readonly everyMs: number;
	/** The wait before the first call. @default 0 */
	readonly firstMs?: number;
	readonly isPaused?: boolean;
	/** The waits begin anew where it changes. */
	readonly about?: string;
};

/** Asks again for as long as it is drawn and seen; what it returns asks at once. */
export function usePoll(ask: () => Promise<unknown>, times: PollTimes): () => void {
	const {polling, timers} = useTime();
	const {everyMs, firstMs = 0, isPaused = false, about} = times;
	const latest = useRef(ask);
	const poller = useRef<Poller>(undefined);
	useLayoutEffect(() => {
		latest.current = ask;
	});
	useEffect(() => {
		const startedAt = timers.now();
		const started = polling.start({
			isForScreen: true,
			ask: async () => latest.current(),
			dueAt(lastAt) {
				if (isPaused) return undefined;
				return Number.isFinite(lastAt) ? lastAt + everyMs : startedAt + firstMs;
			},
		});
		poller.current = started;
		return started.close;
		// oxlint-disable-next-line react/exhaustive-effect-dependencies -- another question waits anew
	}, [polling, timers, everyMs, firstMs, isPaused, about]);
	return () => {
		poller.current?.now().catch(() => undefined);
	};
}
