import {
	arrowKeys,
	editingKeys,
	functionKeys,
	isKey,
	keyOfCharacter,
	keyOfControl,
	withAlt,
	type Key,
} from './keys.ts';

export const escape = '\u001B';

/**
 * End of the sequence whose introducer (the text after its ESC) stands there; undefined when no
 * sequence begins like this. An incomplete one ends before the character that does not belong to
 * it, or with the text.
 */
export function measureSequence(text: string, at: number): SequenceEnd | undefined {
	switch (text.charAt(at)) {
		case '[':
			return matchEnd(wholeCsi, csi, text, at);
		case 'O':
			return matchEnd(wholeSs3, ss3, text, at);
		case ']':
			return measureString(text, at, /[\dlL]/);
		case 'P':
			return measureString(text, at, /[!-?]/);
		case '_':
			return measureString(text, at, /G/);
		default:
			return undefined;
	}
}

type SequenceEnd = {readonly end: number; readonly isWhole: boolean};

// An X10 mouse report has three characters after its M. Linux has a second '[' in F1 to F5. rxvt ends
// keys with '$', which elsewhere stands before the last character, but never after a lone number.
const wholeCsi = /\[(?:M[ -\u{10FFFF}]{3}|\[[@-~]|\d+\$|(?![M[])[0-?]*[ -/]*[@-~])/uy;
const csi = /\[(?:M[ -\u{10FFFF}]{0,2}|\[|[0-?]*[ -/]*)/uy;
const wholeSs3 = /O[\d;]*[A-Za-z]/y;
const ss3 = /O[\d;]*/y;

function matchEnd(whole: RegExp, begun: RegExp, text: string, at: number): SequenceEnd {
	whole.lastIndex = at;
	if (whole.test(text)) {
		return {end: whole.lastIndex, isWhole: true};
	}

	begun.lastIndex = at;
	begun.test(text);
	return {end: begun.lastIndex, isWhole: false};
}

/**
OSC, DCS and APC answers, which end with BEL or ESC \. The first character must be one that answers
have, so that an Alt-P does not swallow what is typed after it.
*/
function measureString(text: string, at: number, first: RegExp): SequenceEnd {
	let end = at + 1;
	if (!first.test(text.charAt(end))) {
		return {end, isWhole: false};
	}

	while (text.charCodeAt(end) >= 0x20) {
		end += 1;
	}

	const [next, afterNext] = [text[end], text[end + 1]];
	if (next === '\u0007' || (next === escape && afterNext === '\\')) {
		return {end: end + (next === escape ? 2 : 1), isWhole: true};
	}

	// The ESC at the end of the text may be half of the end.
	return {end: next === escape && afterNext === undefined ? text.length : end, isWhole: false};
}

/**
The key of a whole sequence, given without its ESC. Undefined for a report, a key let go, or a key
held with Super, Hyper or Meta.

`[1;5R` is both Ctrl-F3 and "the cursor is in row 1, column 5": the report wins.
*/
export function keyOfSequence(body: string): Key | undefined {
	const [, introducer = '', numbers = '', final = ''] =
		/^(\[\[|[[O])([\d;:]*)([A-Za-z~^$@])$/.exec(body) ?? [];
	const kind = introducer + final;
	if (numbers === '') {
		return letterKeys.get(kind);
	}

	// The kitty protocol adds to a parameter behind ':', of which only the event matters here.
	const [first = [], second = [], third = []] = numbers
		.split(';')
		.map(parameter => parameter.split(':').map(Number));
	const modifiers = modifiersOf(second);
	const key = modifiers === undefined ? undefined : keyOfNumbers(kind, modifiers, first, third);
	return key !== undefined && isKey(key) ? key : undefined;
}

function keyOfNumbers(
	kind: string,
	modifiers: string,
	[number = 0]: readonly number[],
	[code = 0]: readonly number[],
): string | undefined {
	if (kind === '[u') {
		return keyOfCode(number, modifiers);
	}

	if (kind === '[~' && number === 27) {
		return keyOfCode(code, modifiers);
	}

	const rxvt = rxvtModifiers.get(kind);
	if (rxvt !== undefined) {
		return `${rxvt}${numberKeys.get(number)}`;
	}

	const key = number === 1 ? letterKeys.get(kind)?.replace('Shift-Tab', 'Tab') : undefined;
	return kind === '[R' ? undefined : `${modifiers}${kind === '[~' ? numberKeys.get(number) : key}`;
}

const pairs = (introducer: string, letters: string, keys: readonly Key[]) =>
	keys.map((key, index) => [introducer + letters.charAt(index), key] as const);

const letterKeys: ReadonlyMap<string, Key> = new Map([
	...pairs('[', 'ABCDHFPQRS', [...arrowKeys, 'Home', 'End', ...functionKeys.slice(0, 4)]),
	...pairs('O', 'ABCDHFPQRS', [...arrowKeys, 'Home', 'End', ...functionKeys.slice(0, 4)]),
	['[Z', 'Shift-Tab'],
	// Linux without a window system
	...pairs('[[', 'ABCDE', functionKeys.slice(0, 5)),
	// rxvt
	...pairs(
		'[',
		'abcd',
		arrowKeys.map(key => `Shift-${key}`),
	),
	...pairs(
		'O',
		'abcd',
		arrowKeys.map(key => `Ctrl-${key}`),
	),
	// The numeric keypad in application mode, which a program that crashed may have left on.
	...pairs('O', 'MIXjklmnopqrstuvwxy', ['Enter', 'Tab', ...'=*+,-./0123456789'.split('')]),
]);

const functionNumbers = [
	11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 31, 32, 33, 34,
];
const numberKeys: ReadonlyMap<number, Key> = new Map([
	...[...editingKeys, 'Home', 'End'].map((key, index) => [index + 1, key] as const),
	...functionKeys.map((key, index) => [functionNumbers[index] ?? 0, key] as const),
]);

const rxvtModifiers: ReadonlyMap<string, string> = new Map([
	['[$', 'Shift-'],
	['[^', 'Ctrl-'],
	['[@', 'Ctrl-Shift-'],
]);

/** Modifiers of a key: the parameter is 1, a bit added for each modifier, then the event. */
function modifiersOf([number = 1, event]: readonly number[]): string | undefined {
	const bits = Math.max(number, 1) - 1;
	// 8, 16 and 32 are Super, Hyper and Meta, 64 and 128 the lock keys. Event 3 is the key let go.
	if ((bits & 0b11_1000) !== 0 || event === 3) {
		return undefined;
	}

	return `${bits & 4 ? 'Ctrl-' : ''}${bits & 2 ? 'Alt-' : ''}${bits & 1 ? 'Shift-' : ''}`;
}

const codeKeys: ReadonlyMap<number, Key> = new Map([
	[8, 'Backspace'],
	[9, 'Tab'],
	[13, 'Enter'],
	[27, 'Esc'],
	[127, 'Backspace'],
]);

/** A key that the terminal names by its character, turned into what other terminals send for it. */
function keyOfCode(code: number, modifiers: string): Key | undefined {
	const named = codeKeys.get(code);
	if (named !== undefined) {
		return `${modifiers}${named}`;
	}

	// The private use area is for keys without a character, such as the volume keys.
	const isPrivate = code >= 0xe000 && code < 0xf900;
	if (isPrivate || !(code >= 0x20 && code <= 0x10_ffff)) {
		return undefined;
	}

	const plain = String.fromCodePoint(code);
	const upper = plain.toUpperCase();
	const key = modifiers.startsWith('Ctrl-')
		? keyWithControl(upper)
		: keyOfCharacter(modifiers.endsWith('Shift-') ? upper : plain);
	return key !== undefined && modifiers.includes('Alt-') ? withAlt(key) : key;
}

function keyWithControl(upper: string): Key | undefined {
	const code = upper === ' ' ? 0 : upper.charCodeAt(0) - 0x40;
	return code === 0x1b ? 'Esc' : code < 0 || code > 0x1f ? undefined : keyOfControl(code);
}

export const pasteStart = `${escape}[200~`;
const pasteEnd = `${escape}[201~`;

/** In UTF-16 units. The rest of a longer paste is dropped. */
export const longestPaste = 1_048_576;

export type PasteReader = {
	readonly text: string;

	/**
	 * Takes the text from this index on. At the end of the paste, returns the index after the end
	 * marker.
	 */
	readonly read: (chunk: string, at: number) => number | undefined;
};

/** Reads what follows the start marker of a paste. Linear in all: the text read already is not searched again. */
export function createPasteReader(): PasteReader {
	let text = '';
	// Possible beginning of the end marker.
	let tail = '';
	return {
		get text() {
			return text;
		},
		read(chunk, at) {
			const rest = tail + chunk.slice(at);
			const found = rest.indexOf(pasteEnd);
			const end = found === -1 ? rest.length - lengthOfBegunEnd(rest) : found;
			text += rest.slice(0, Math.min(end, longestPaste - text.length));
			tail = found === -1 ? rest.slice(end) : '';
			return found === -1 ? undefined : chunk.length - rest.length + end + pasteEnd.length;
		},
	};
}

function lengthOfBegunEnd(text: string): number {
	const from = text.lastIndexOf(escape);
	return from !== -1 && pasteEnd.startsWith(text.slice(from)) ? text.length - from : 0;
}
