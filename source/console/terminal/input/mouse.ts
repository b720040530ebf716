/** Mouse events, from the reports of a terminal that was asked for them. */

/** Places are counted from 0 at the upper left. */
type MouseEvent =
	| {readonly kind: 'wheel'; readonly step: 1 | -1; readonly column: number; readonly row: number}
	| {readonly kind: 'click'; readonly column: number; readonly row: number};

// SGR form: ESC [ < button ; column ; row, and M for pressed or m for let go.
// oxlint-disable-next-line no-control-regex -- reports of the terminal begin with it
const report = /^\u001B\[<(\d{1,3});(\d{1,4});(\d{1,4})([Mm])$/;

const LEFT_BUTTON = 0;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;

/** Reads a report; undefined for what is no use of the wheel and no press of the left button. */
export function readMouse(sequence: string): MouseEvent | undefined {
	const [, button, x, y, end] = report.exec(sequence) ?? [];
	if (end !== 'M') return undefined;
	const place = {column: Number(x) - 1, row: Number(y) - 1};
	if (place.column < 0 || place.row < 0) return undefined;
	switch (Number(button)) {
		case LEFT_BUTTON:
			return {kind: 'click', ...place};
		case WHEEL_UP:
			return {kind: 'wheel', step: -1, ...place};
		case WHEEL_DOWN:
			return {kind: 'wheel', step: 1, ...place};
		default:
			return undefined;
	}
}

/** Asks the terminal to report the wheel and the buttons, or not to any more. */
export function mouseMode(isWanted: boolean): string {
	const end = isWanted ? 'h' : 'l';
	return `\u001B[?1000${end}\u001B[?1006${end}`;
}
