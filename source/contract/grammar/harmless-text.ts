/**
 * Foreign text without the characters that control a terminal, reorder text, or are invisible. All
 * output of rentty passes through these functions last.
 */

/**
 * First and last code point of the ranges whose characters are always harmful: controls, format
 * characters (bidi, zero-width, tags), line and paragraph separators, fillers, lone halves of
 * surrogate pairs. Variation selectors are not included, and the two joiners are checked
 * separately.
 */
const harmfulRanges = [
	0x00, 0x1f, 0x7f, 0x9f, 0xad, 0xad, 0x34f, 0x34f, 0x600, 0x605, 0x61c, 0x61c, 0x6dd, 0x6dd, 0x70f,
	0x70f, 0x890, 0x891, 0x8e2, 0x8e2, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x180e, 0x200b, 0x200b,
	0x200e, 0x200f, 0x2028, 0x202e, 0x2060, 0x206f, 0x3164, 0x3164, 0xd800, 0xdfff, 0xfeff, 0xfeff,
	0xffa0, 0xffa0, 0xfff0, 0xfffb, 0x1_10bd, 0x1_10bd, 0x1_10cd, 0x1_10cd, 0x1_3430, 0x1_343f,
	0x1_bca0, 0x1_bca3, 0x1_d173, 0x1_d17a, 0xe_0000, 0xe_00ff, 0xe_01f0, 0xe_0fff,
] as const;

function isInRanges(codePoint: number): boolean {
	let low = 0;
	let high = harmfulRanges.length / 2 - 1;
	while (low <= high) {
		const middle = (low + high) >> 1;
		if (codePoint < (harmfulRanges[middle * 2] ?? 0)) high = middle - 1;
		else if (codePoint > (harmfulRanges[middle * 2 + 1] ?? 0)) low = middle + 1;
		else return true;
	}
	return false;
}

/** Scripts whose letters change their form next to a joiner or a non-joiner. */
const scripts =
	'Arab Syrc Mand Mong Nkoo Phag Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';

/**
 * The pattern of a joiner that changes the form of its neighbours: letters, or parts of an emoji.
 */
function makeJoiningPattern(): RegExp {
	const names = scripts.split(' ').map(name => `\\p{scx=${name}}`);
	const letter = `[[${names.join('')}]&&[\\p{L}\\p{M}]]`;
	const emoji = String.raw`\p{Extended_Pictographic}`;
	const letters = String.raw`(?<=${letter})[\u200C\u200D](?=${letter})`;
	const emojis = String.raw`(?<=${emoji}[\uFE0F\p{Emoji_Modifier}]?)\u200D(?=${emoji})`;
	return new RegExp(`${letters}|${emojis}`, 'vy');
}

let joining: RegExp | undefined;

function isJoining(text: string, at: number): boolean {
	// Compiled at the first joiner, because compiling takes a millisecond.
	joining ??= makeJoiningPattern();
	joining.lastIndex = at;
	return joining.test(text);
}

const NON_JOINER = 0x200c;
const JOINER = 0x200d;

function findHarmful(text: string, from: number): number {
	for (let at = from; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code >= 0x20 && code < 0x7f) continue;
		const codePoint = text.codePointAt(at) ?? 0;
		const isJoiner = codePoint === JOINER || codePoint === NON_JOINER;
		if (isJoiner ? !isJoining(text, at) : isInRanges(codePoint)) return at;
		if (codePoint > 0xffff) at += 1;
	}
	return -1;
}

export function isHarmless(text: string): boolean {
	return findHarmful(text, 0) === -1;
}

/** Replaces each harmful character, in time linear in the text. */
export function replaceHarmful(text: string, replace: (character: string) => string): string {
	let result = '';
	let from = 0;
	for (let at = findHarmful(text, 0); at !== -1; at = findHarmful(text, from)) {
		const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
		result += text.slice(from, at) + replace(character);
		from = at + character.length;
	}
	return from === 0 ? text : result + text.slice(from);
}

export const REPLACEMENT = '\uFFFD';

/** Text on one line: a line break or a tab becomes a blank, and a harmful character a visible `�`. */
export function harmlessLine(text: string): string {
	return replaceHarmful(withPlainBreaks(text), character =>
		character === '\n' || character === '\t' ? ' ' : REPLACEMENT,
	);
}

/** Text of several lines, with line breaks and tabs kept. */
export function harmlessText(text: string): string {
	return replaceHarmful(withPlainBreaks(text), character =>
		character === '\n' || character === '\t' ? character : REPLACEMENT,
	);
}

function withPlainBreaks(text: string): string {
	return text.replaceAll('\r\n', '\n');
}

/** JSON with harmful characters written as `\uXXXX`, so that its reader gets the original text. */
export function harmlessJson(value: unknown): string {
	return replaceHarmful(JSON.stringify(value), character =>
		character
			.split('')
			.map(half => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
			.join(''),
	);
}

/** Length of a text for limits: in characters, not in UTF-16 units. */
export function countCharacters(text: string): number {
	const pairs = text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0;
	return text.length - pairs;
}
