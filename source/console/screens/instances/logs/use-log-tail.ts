import {useEffect, useMemo} from 'react';
import {useServices, useTime} from '../../../services/services.tsx';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';
import {readLines} from './log-lines.ts';
import {takeLines, type LogRoom, type LogStore} from './log-state.ts';

/** They are read so much more often than the list of instances: as seldom as that where nobody types. */
export const MORE_OFTEN = 2.5;

/** A log that could not be read is tried again after this at the latest: the instance may just begin. */
export const LONGEST_WAIT_MS = 10_000;

/** More than this a service does not send at once. */
const MOST_SENT = 10_000;

/** Lines of each read. Where more were written meanwhile, all are read anew. */
const TAIL = 500;

/** A reader of lines, told the size of their view and asked to read at once. */
export type LogTailing = {
	readonly resize: (room: LogRoom) => void;
	readonly again: () => void;
};

/** Reads the logs of an instance for as long as they are shown. */
export function useLogTail(id: number, logs: LogStore): LogTailing {
	const {client, fleet} = useServices();
	const {timers, polling} = useTime();
	const tail = useMemo(
		() => createTail({id, logs, timers, client, fleet, polling}),
		[id, logs, timers, client, fleet, polling],
	);
	useEffect(() => tail.open(), [tail]);
	return tail;
}

type Services = ReturnType<typeof useServices>;
type Options = Pick<Services, 'client' | 'fleet'> &
	Pick<Services['time'], 'timers' | 'polling'> & {
		readonly id: number;
		readonly logs: LogStore;
	};

function createTail({id, logs, client, timers, fleet, polling}: Options) {
	let room: LogRoom = {width: 80, height: 1};
	let stop: (() => void) | undefined;

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

	async function look(signal: AbortSignal): Promise<void> {
		try {
			await read(logs.get().all.length === 0 ? MOST_SENT : TAIL, signal);
		} catch (error) {
			if (signal.aborted) return;
			logs.set({...logs.get(), problem: `not read: ${reasonOf(error)}`});
			throw error;
		}
	}

	function open(): () => void {
		stop?.();
		const ending = new AbortController();
		const poller = polling.start({
			ask: async () => look(ending.signal),
			dueAt: lastAt => lastAt + fleet.state.get().everyMs / MORE_OFTEN,
			mostMs: LONGEST_WAIT_MS,
			isForScreen: true,
		});
		stop = () => {
			ending.abort();
			poller.close();
		};
		return stop;
	}

	return {
		resize(next: LogRoom) {
			room = next;
		},
		open,
		/** Reads at once, and goes on from there. */
		again: () => void open(),
	};
}
