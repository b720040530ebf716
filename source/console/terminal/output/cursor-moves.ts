/** A place on the terminal, from 0. */
export type Position = {readonly row: number; readonly column: number};

/** A cursor that may be anywhere. Where only the column is -1, it is somewhere in the row. */
export const nowhere: Position = {row: -1, column: -1};

const csi = (count: number, letter: string) => `\u001B[${count === 1 ? '' : count}${letter}`;

/** Moves the cursor from wherever it is. */
export function moveTo({row, column}: Position): string {
	return column === 0 ? csi(row + 1, 'H') : `\u001B[${row === 0 ? '' : row + 1};${column + 1}H`;
}

function shorter(first: string, second: string): string {
	return second.length < first.length ? second : first;
}

/** Moves within the row from one column, -1 where it is not known, to another. */
export function moveAlong(from: number, to: number): string {
	if (from === to) return '';
	if (to === 0) return '\r';
	const absolute = csi(to + 1, 'G');
	if (from === -1) return absolute;
	if (to > from) return shorter(absolute, csi(to - from, 'C'));
	return shorter(shorter(absolute, csi(from - to, 'D')), '\b'.repeat(from - to));
}

function moveAcross(from: Position, to: Position): string {
	const distance = to.row - from.row;
	const along = moveAlong(from.column, to.column);
	if (distance < 0) return csi(-distance, 'A') + along;
	// A line feed alone stays in its column on some terminals only. It cannot scroll: a row below exists.
	const feeds = '\r\n'.repeat(Math.min(distance, 4)) + moveAlong(0, to.column);
	const down = csi(distance, 'B') + along;
	return distance > 4 ? down : shorter(down, feeds);
}

/** The shortest way for the cursor from where it is to a position. */
export function shortestMove(from: Position, to: Position): string {
	if (from.row === to.row) return moveAlong(from.column, to.column);
	return from.row === -1 ? moveTo(to) : shorter(moveTo(to), moveAcross(from, to));
}
