/** What is shown of an instance's logs: the lines, where one stands in them, what is looked for. */
import {emptyLine, type LineEdit} from '../../../components/line-edit.ts';
import {kept} from '../../../router.ts';
import {createStore, type Store} from '../../../../renter/store.ts';
import {finder, mergeLines, nextHit, wrappedRows, type LogLine, type LogRow} from './log-lines.ts';

export type LogState = {
	readonly lines: readonly LogLine[];
	/** When they were last read: milliseconds since 1970. */
	readonly readAt: number | undefined;
	/** Why they could not be read the last time. */
	readonly problem: string | undefined;
	/** What the machine says of the container, in the place of what the container says. */
	readonly isDaemon: boolean;
	readonly isWrapped: boolean;
	/** The row at the top; undefined for following the end. */
	readonly top: number | undefined;
	readonly find: LineEdit;
	readonly isFinding: boolean;
	/** The line that was found last. */
	readonly hit: number | undefined;
};

export type LogStore = Store<LogState>;

const unread: LogState = {
	lines: [],
	readAt: undefined,
	problem: undefined,
	isDaemon: false,
	isWrapped: false,
	top: undefined,
	find: emptyLine,
	isFinding: false,
	hit: undefined,
};

/** They stay with the place, so that coming back finds them as they were. */
export const logsAt = kept(() => createStore(unread));

/** How much of the screen they have. */
export type LogRoom = {readonly width: number; readonly height: number};

/** The rows of all lines; those that are not broken are their lines. */
function rowCount(state: LogState, {width}: LogRoom): number {
	return state.isWrapped ? wrappedRows(state.lines, width).length : state.lines.length;
}

/** The rows in view. */
export function rowsInView(state: LogState, room: LogRoom): readonly LogRow[] {
	const top = topOf(state, room);
	if (state.isWrapped) return wrappedRows(state.lines, room.width).slice(top, top + room.height);
	return state.lines
		.slice(top, top + room.height)
		.map(({text}, index) => ({line: top + index, text}));
}

/** The row at the top of the view. */
export function topOf(state: LogState, room: LogRoom): number {
	const last = Math.max(0, rowCount(state, room) - room.height);
	return Math.min(state.top ?? last, last);
}

/** Moves by rows. At the end it follows again what is written. */
export function scroll(state: LogState, room: LogRoom, rows: number): LogState {
	const last = Math.max(0, rowCount(state, room) - room.height);
	const top = Math.max(0, topOf(state, room) + rows);
	return {...state, top: top >= last ? undefined : top};
}

/** Takes what was read; where one stands stays where it is. */
export function takeLines(
	state: LogState,
	fresh: readonly string[],
	{room, now}: {readonly room: LogRoom; readonly now: number},
): {readonly state: LogState; readonly isWhole: boolean} {
	const {lines, dropped, isWhole} = mergeLines(state.lines, fresh);
	const gone = rowOfLine(state, room, dropped);
	const top = isWhole && state.top !== undefined ? Math.max(0, state.top - gone) : undefined;
	const hit =
		isWhole && state.hit !== undefined && state.hit >= dropped ? state.hit - dropped : undefined;
	return {state: {...state, lines, top, hit, readAt: now, problem: undefined}, isWhole};
}

/** Breaks long lines, or cuts them; the line at the top stays there. */
export function toggleWrap(state: LogState, room: LogRoom): LogState {
	const next = {...state, isWrapped: !state.isWrapped};
	if (state.top === undefined) return next;
	const line = rowsInView(state, room)[0]?.line ?? 0;
	return {...next, top: rowOfLine(next, room, line)};
}

/** The first row of a line. */
function rowOfLine(state: LogState, {width}: LogRoom, line: number): number {
	if (!state.isWrapped || line === 0) return line;
	return wrappedRows(state.lines, width).findIndex(row => row.line >= line);
}

/** Goes to the next line in which the words are found; undefined where there is none. */
export function toHit(state: LogState, room: LogRoom, step: 1 | -1): LogState | undefined {
	const pattern = finder(state.find.text);
	if (pattern === undefined) return undefined;
	const hit = nextHit(state.lines, pattern, state.hit ?? startOf(state, room, step), step);
	if (hit === undefined) return undefined;
	const top = rowOfLine(state, room, hit) - Math.floor(room.height / 3);
	return {...scroll(state, room, Math.max(0, top) - topOf(state, room)), hit};
}

/** The first search begins with what is in view. */
function startOf(state: LogState, room: LogRoom, step: 1 | -1): number {
	const rows = rowsInView(state, room);
	return step === 1 ? (rows[0]?.line ?? 0) - 1 : (rows.at(-1)?.line ?? 0) + 1;
}
