/**
A key as the keymap knows it:
- a character as it is typed: `j`, `G`, `?`, `é`, `日`; the space is `Space`. A character has no Shift.
- `Ctrl-` and a capital letter or one of `Space \ ] ^ _`, but not Ctrl-H, I, J, M or Ctrl-[:
  terminals send the bytes of Backspace, Tab, Enter, Enter and Esc for them.
- Enter, Esc, Tab, Backspace, Insert, Delete, Up, Down, Left, Right, Home, End, PgUp, PgDn, F1 to F20,
  with any of `Ctrl-`, `Alt-`, `Shift-` before them, in this order: `Shift-Tab`, `Ctrl-Alt-Up`.
- `Alt-` and a character: `Alt-x`, `Alt-Space`, but not Alt-[ ] O P _: terminals send for them
  the beginning of a longer sequence.
*/
export type Key = string;

/** Characters after ESC in sequences longer than two characters. */
const introducers: ReadonlySet<string> = new Set('[O]P_');

export const editingKeys: readonly Key[] = ['Home', 'Insert', 'Delete', 'End', 'PgUp', 'PgDn'];
export const arrowKeys: readonly Key[] = ['Up', 'Down', 'Right', 'Left'];
export const functionKeys: readonly Key[] = Array.from({length: 20}, (_, index) => `F${index + 1}`);
const namedKeys: ReadonlySet<Key> = new Set([
	'Enter',
	'Esc',
	'Tab',
	'Backspace',
	...editingKeys,
	...arrowKeys,
	...functionKeys,
]);

/**
 * True if a terminal can send a key of this name: a binding to any other would never be reached.
 */
export function isKey(name: string): boolean {
	const [, control, alt, shift, base = ''] = /^(Ctrl-)?(Alt-)?(Shift-)?(.+)$/su.exec(name) ?? [];
	if (namedKeys.has(base)) {
		return true;
	}

	if (shift !== undefined) {
		return false;
	}

	if (control !== undefined) {
		return alt === undefined && (base === 'Space' || /^[A-GKLN-Z\\\]^_]$/.test(base));
	}

	const isCharacter = characterAt(base, 0) === base && keyOfCharacter(base) === base;
	return (
		base === 'Space' || (isCharacter && !(alt !== undefined && introducers.has(base.charAt(0))))
	);
}

// Characters as the reader sees them: marks, skin tones, joined emoji and flags stay together.
// Written out because Intl.Segmenter costs some 8 ms of the start, and this nothing until it is needed.
const character =
	/\p{RI}{2}|[^\p{Cs}\p{Cc}](?:[\p{M}\p{EMod}\u{E0020}-\u{E007F}\u200C]|\u200D\p{ExtPict}?)*|[^]/uy;

/** The character that begins there. Half of a surrogate pair is one by itself. */
export function characterAt(text: string, at: number): string {
	// Characters below U+0300, as nearly all typed ones, do not join the one before.
	if (text.charCodeAt(at) < 0x300 && !(text.charCodeAt(at + 1) >= 0x300)) {
		return text.charAt(at);
	}

	character.lastIndex = at;
	return character.exec(text)?.[0] ?? '';
}

/** The key of one character or control byte; undefined for ESC, C1 controls and broken surrogates. */
export function keyOfCharacter(text: string): Key | undefined {
	const code = text.codePointAt(0) ?? 0;
	if (code < 0x20) {
		return keyOfControl(code);
	}

	if (code === 0x7f) {
		return 'Backspace';
	}

	const isNothing = (code > 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000);
	return isNothing ? undefined : text === ' ' ? 'Space' : text;
}

/** The key of a byte below the space. */
export function keyOfControl(code: number): Key | undefined {
	switch (code) {
		case 0x00:
			return 'Ctrl-Space';
		case 0x08:
			return 'Backspace';
		case 0x09:
			return 'Tab';
		case 0x0a:
		case 0x0d:
			return 'Enter';
		case 0x1b:
			return undefined;
		default:
			return `Ctrl-${String.fromCharCode(code + 0x40)}`;
	}
}

/** The character that a key types; undefined for keys with a name. */
export function characterOf(key: Key): string | undefined {
	if (key === 'Space') return ' ';
	// Named keys are words of ASCII letters; everything else is a character as it was typed.
	return key.length > 1 && /^[A-Z][\w-]/i.test(key) ? undefined : key;
}

/** The same key with Alt, where terminals can send that. */
export function withAlt(key: Key): Key | undefined {
	const name = key.startsWith('Ctrl-') ? `Ctrl-Alt-${key.slice(5)}` : `Alt-${key}`;
	return isKey(name) ? name : undefined;
}

/** Mouse events, from the reports of a terminal that was asked for them. */

/** A cell of the screen, counted from 0 at the upper left. */
export type Cell = {readonly column: number; readonly row: number};

/** The left button goes down, moves while it is down, and is let go. */
export type MouseEvent = Cell &
	({readonly kind: 'wheel'; readonly step: 1 | -1} | {readonly kind: 'press' | 'drag' | 'release'});

// SGR form: ESC [ < button ; column ; row, and M for pressed or m for let go.
// oxlint-disable-next-line no-control-regex -- reports of the terminal begin with it
const report = /^\u001B\[<(\d{1,3});(\d{1,4});(\d{1,4})([Mm])$/;

const LEFT_BUTTON = 0;
const LEFT_BUTTON_MOVED = 32;
const WHEEL_UP = 64;
const WHEEL_DOWN = 65;

/** Reads a mouse report; undefined unless it is of the wheel or of the left button. */
export function readMouse(sequence: string): MouseEvent | undefined {
	const [, button, x, y, end] = report.exec(sequence) ?? [];
	if (end === undefined) return undefined;
	const position = {column: Number(x) - 1, row: Number(y) - 1};
	if (position.column < 0 || position.row < 0) return undefined;
	if (end === 'm')
		return Number(button) === LEFT_BUTTON ? {kind: 'release', ...position} : undefined;
	switch (Number(button)) {
		case LEFT_BUTTON:
			return {kind: 'press', ...position};
		case LEFT_BUTTON_MOVED:
			return {kind: 'drag', ...position};
		case WHEEL_UP:
			return {kind: 'wheel', step: -1, ...position};
		case WHEEL_DOWN:
			return {kind: 'wheel', step: 1, ...position};
		default:
			return undefined;
	}
}

/**
 * Asks the terminal to report the wheel, the buttons and what is dragged, or not to any more. Those that
 * know no dragging report the buttons.
 */
export function mouseMode(isWanted: boolean): string {
	const end = isWanted ? 'h' : 'l';
	return `\u001B[?1000${end}\u001B[?1002${end}\u001B[?1006${end}`;
}

/** Asks the terminal whether it has a mouse to report in SGR form; those that do not know stay silent. */
export const MOUSE_QUESTION = '\u001B[?1006$p';

// 1 and 2: the mode is known, set or not; 3: always set; 0 and 4: never.
// oxlint-disable-next-line no-control-regex -- reports of the terminal begin with it
const mouseAnswer = /^\u001B\[\?1006;(\d)\$y$/;

/** The terminal's answer to `MOUSE_QUESTION`; undefined for other reports. */
export function readMouseAnswer(sequence: string): boolean | undefined {
	const [, state] = mouseAnswer.exec(sequence) ?? [];
	return state === undefined ? undefined : '123'.includes(state);
}
