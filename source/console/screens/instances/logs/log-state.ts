/** State of a view of logs (lines, position, search and filter), and the reader that fills it. */
import {useEffect, useMemo} from 'react';
import {emptyLine, type LineEdit} from '../../../ui/line-edit.ts';
import {keptByStackEntry} from '../../../services/router.ts';
import {createStore, type Store} from '../../../../renter/state/store.ts';
import {
	addLines,
	finder,
	linesWith,
	mergeLines,
	nextHit,
	wrappedRows,
	type LogLine,
	type LogRow,
	type MergedLog,
	readLogLines,
} from './log-lines.ts';
import {useServices, useTime} from '../../../services/services.tsx';
import {reasonOf} from '../../../../renter/actions/instance-actions.ts';

export type LogState = {
	/** The lines that are shown: all, or those that the filter leaves. */
	readonly lines: readonly LogLine[];
	readonly all: readonly LogLine[];
	/** Words that a line must have; with a `!` before them, that it must not have. */
	readonly filter: LineEdit;
	/** Time of the last read, in milliseconds since 1970. */
	readonly readAt: number | undefined;
	/** Reason why the last read failed. */
	readonly problem: string | undefined;
	/** True for the machine's log of the container, in place of the container's own. */
	readonly isDaemon: boolean;
	readonly isWrapped: boolean;
	/** The row at the top; undefined for following the end. */
	readonly top: number | undefined;
	readonly find: LineEdit;
	readonly typed: 'find' | 'filter' | undefined;
	/** The line that was found last. */
	readonly hit: number | undefined;
};

export type LogStore = Store<LogState>;

const unread: LogState = {
	lines: [],
	all: [],
	filter: emptyLine,
	readAt: undefined,
	problem: undefined,
	isDaemon: false,
	isWrapped: false,
	top: undefined,
	find: emptyLine,
	typed: undefined,
	hit: undefined,
};

export const logsAt = keptByStackEntry(() => createStore(unread));

export type LogViewSize = {
	readonly width: number;
	readonly height: number;
	/** Columns before the lines, for the names of their instances. @default 0 */
	readonly names?: number;
};

/** The rows of all lines; those that are not broken are their lines. */
function rowCount(state: LogState, {width}: LogViewSize): number {
	return state.isWrapped ? wrappedRows(state.lines, width).length : state.lines.length;
}

export function rowsInView(state: LogState, room: LogViewSize): readonly LogRow[] {
	const top = topLogRow(state, room);
	if (state.isWrapped) return wrappedRows(state.lines, room.width).slice(top, top + room.height);
	return state.lines
		.slice(top, top + room.height)
		.map(({text, from}, index) => ({line: top + index, text, from}));
}

export function topLogRow(state: LogState, room: LogViewSize): number {
	const last = Math.max(0, rowCount(state, room) - room.height);
	return Math.min(state.top ?? last, last);
}

/** At the end the view follows new lines again. */
export function scroll(state: LogState, room: LogViewSize, rows: number): LogState {
	const last = Math.max(0, rowCount(state, room) - room.height);
	const top = Math.max(0, topLogRow(state, room) + rows);
	return {...state, top: top >= last ? undefined : top};
}

/** Takes read lines; the view keeps its position. */
export function takeLines(
	state: LogState,
	fresh: readonly string[],
	{room, now}: {readonly room: LogViewSize; readonly now: number},
): {readonly state: LogState; readonly isWhole: boolean} {
	const merged = mergeLines(state.all, fresh);
	return {
		state: {...settle(state, merged, room), readAt: now, problem: undefined},
		isWhole: merged.isWhole,
	};
}

/** Appends lines; the view keeps its position. */
export function appendLines(
	state: LogState,
	added: readonly LogLine[],
	room: LogViewSize,
): LogState {
	return settle(state, {...addLines(state.all, added), isWhole: true}, room);
}

function settle(
	state: LogState,
	{lines: all, dropped, isWhole}: MergedLog,
	room: LogViewSize,
): LogState {
	const {filter, top, hit} = state;
	const lines = linesWith(all, filter.text);
	// Count of displayed lines among the dropped ones.
	const gone = dropped === 0 ? 0 : linesWith(state.all.slice(0, dropped), filter.text).length;
	const rows = rowOfLine(state, room, gone);
	const next: LogState = {
		...state,
		all,
		lines,
		top: isWhole && top !== undefined ? Math.max(0, top - rows) : undefined,
		hit: isWhole && hit !== undefined && hit >= gone ? hit - gone : undefined,
	};
	return isWhole ? {...next, ...besideInserted(state, next, room)} : next;
}

/** Top and hit where lines of other logs came between those before them. */
function besideInserted(before: LogState, next: LogState, room: LogViewSize) {
	const moved = (line: number | undefined, then: number | undefined) => {
		const shown = line === undefined ? undefined : before.lines[line];
		if (shown === undefined || then === undefined || next.lines[then] === shown) return 0;
		return Math.max(0, next.lines.indexOf(shown) - then);
	};
	const {hit, top} = next;
	if (top === undefined && hit === undefined) return {};
	const first = rowsInView(before, room)[0]?.line;
	const then = top === undefined ? undefined : rowsInView(next, room)[0]?.line;
	const by = moved(first, then);
	return {
		hit: hit === undefined ? hit : hit + moved(before.hit, hit),
		top: top === undefined || by === 0 ? top : rowOfLine(next, room, (then ?? 0) + by),
	};
}

/** Shows only lines with some words; the top line stays, or the next remaining one. */
export function narrow(state: LogState, room: LogViewSize, filter: LineEdit): LogState {
	const lines = linesWith(state.all, filter.text);
	const next = {...state, filter, lines, hit: undefined};
	const first = state.lines[rowsInView(state, room)[0]?.line ?? 0];
	if (state.top === undefined || first === undefined) return {...next, top: undefined};
	const before = state.all.slice(0, state.all.indexOf(first));
	return {...next, top: rowOfLine(next, room, linesWith(before, filter.text).length)};
}

/** Breaks long lines, or cuts them; the line at the top stays there. */
export function toggleWrap(state: LogState, room: LogViewSize): LogState {
	const next = {...state, isWrapped: !state.isWrapped};
	if (state.top === undefined) return next;
	const line = rowsInView(state, room)[0]?.line ?? 0;
	return {...next, top: rowOfLine(next, room, line)};
}

/** The first row of a line. */
function rowOfLine(state: LogState, {width}: LogViewSize, line: number): number {
	if (!state.isWrapped || line === 0) return line;
	const row = wrappedRows(state.lines, width).findIndex(shown => shown.line >= line);
	return row === -1 ? 0 : row;
}

/** Goes to the next line in which the words are found; undefined if there is none. */
export function toHit(state: LogState, room: LogViewSize, step: 1 | -1): LogState | undefined {
	const pattern = finder(state.find.text);
	if (pattern === undefined) return undefined;
	const hit = nextHit(state.lines, pattern, state.hit ?? startOf(state, room, step), step);
	if (hit === undefined) return undefined;
	const top = rowOfLine(state, room, hit) - Math.floor(room.height / 3);
	return {...scroll(state, room, Math.max(0, top) - topLogRow(state, room)), hit};
}

/** The first search begins with what is in view. */
function startOf(state: LogState, room: LogViewSize, step: 1 | -1): number {
	const rows = rowsInView(state, room);
	return step === 1 ? (rows[0]?.line ?? 0) - 1 : (rows.at(-1)?.line ?? 0) + 1;
}

/** Factor by which logs are read more often than the list, whose interval grows while the user is away. */
const MORE_OFTEN = 2.5;

/** Longest wait before an unreadable log is tried again: the instance may just begin. */
const LONGEST_WAIT_MS = 10_000;

/** Most lines that a service sends at once. */
const MOST_SENT = 10_000;

/** Lines of each read. After more lines than these, all are read anew. */
const TAIL = 500;

/** A reader of lines, given the size of their view and started at once. */
export type LogTailing = {
	readonly resize: (room: LogViewSize) => void;
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

type Looks = Pick<Services, 'fleet'> & Pick<Services['time'], 'polling'>;

/** Polls more often than the fleet, until the returned function is called. */
export function pollMoreOften(
	{polling, fleet}: Looks,
	looks: ReadonlyArray<(signal: AbortSignal) => Promise<void>>,
): () => void {
	const ending = new AbortController();
	const pollers = looks.map(look =>
		polling.start({
			ask: async () => look(ending.signal),
			dueAt: lastAt => lastAt + fleet.state.get().everyMs / MORE_OFTEN,
			mostMs: LONGEST_WAIT_MS,
			isForScreen: true,
		}),
	);
	return () => {
		ending.abort();
		for (const poller of pollers) poller.close();
	};
}

function createTail({id, logs, client, timers, fleet, polling}: Options) {
	let room: LogViewSize = {width: 80, height: 1};
	let stop: (() => void) | undefined;

	async function read(tail: number, signal: AbortSignal): Promise<void> {
		const {isDaemon: daemon} = logs.get();
		const {instances} = await client();
		const text = await instances.logs(id, {tail, daemon}, {signal});
		// The user may have switched logs while these were on their way.
		if (signal.aborted || logs.get().isDaemon !== daemon) return;
		const fresh = readLogLines(text);
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
		stop = pollMoreOften({polling, fleet}, [look]);
		return stop;
	}

	return {
		resize(next: LogViewSize) {
			room = next;
		},
		open,
		/** Reads at once, and goes on from there. */
		again: () => void open(),
	};
}
