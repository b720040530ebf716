import {useEffect, useMemo} from 'react';
import {useServices} from '../../../services.tsx';
import {reasonOf} from '../reason.ts';
import {readLines} from './log-lines.ts';
import {takeLines, type LogRoom, type LogStore} from './log-state.ts';

/** They are read so much more often than the list of instances: as seldom as that where nobody types. */
const MORE_OFTEN = 2.5;

/** More than this a service does not send at once. */
const MOST_SENT = 10_000;

/** What is read again and again. Where more was written meanwhile, all is read anew. */
const TAIL = 500;

/** Reads the logs of an instance for as long as they are shown. */
export function useLogTail(id: number, logs: LogStore, room: LogRoom) {
	const {client, timers, fleet} = useServices();
	const tail = useMemo(
		() => createTail({id, logs, timers, client, fleet}),
		[id, logs, timers, client, fleet],
	);
	useEffect(() => tail.resize(room), [tail, room]);
	useEffect(() => tail.open(), [tail]);
	return tail;
}

type Services = ReturnType<typeof useServices>;
type Options = Pick<Services, 'client' | 'timers' | 'fleet'> & {
	readonly id: number;
	readonly logs: LogStore;
};

function createTail({id, logs, client, timers, fleet}: Options) {
	let room: LogRoom = {width: 80, height: 1};
	let ending = new AbortController();
	let cancel: (() => void) | undefined;

	async function read(tail: number, signal: AbortSignal): Promise<void> {
		const {isDaemon: daemon} = logs.get();
		const {instances} = await client();
		const text = await instances.logs(id, {tail, daemon}, {signal});
		// Whose logs are shown may have changed while these were on their way.
		if (signal.aborted || logs.get().isDaemon !== daemon) return;
		const fresh = readLines(text);
		const taken = takeLines(logs.get(), fresh, {room, now: timers.now()});
		if (!taken.isWhole && tail < MOST_SENT) return read(MOST_SENT, signal);
		logs.set(taken.state);
	}

	async function look(): Promise<void> {
		const {signal} = ending;
		cancel?.();
		cancel = undefined;
		try {
			await read(logs.get().lines.length === 0 ? MOST_SENT : TAIL, signal);
		} catch (error) {
			if (signal.aborted) return;
			logs.set({...logs.get(), problem: `not read: ${reasonOf(error)}`});
		}
		if (signal.aborted) return;
		cancel = timers.after(fleet.state.get().everyMs / MORE_OFTEN, () => void look());
	}

	function close(): void {
		ending.abort();
		cancel?.();
	}

	return {
		resize(next: LogRoom) {
			room = next;
		},
		open() {
			ending = new AbortController();
			void look();
			return close;
		},
		/** Reads at once, and goes on from there. */
		again() {
			close();
			ending = new AbortController();
			void look();
		},
	};
}
