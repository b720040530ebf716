import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	characterAt,
	isKey,
	keyOfCharacter,
	withAlt,
} from '../../../../source/console/terminal/input/keys.ts';

const words = (text: string) => text.split(' ');

test.each([
	...words('j G ? 1 [ ] - < > é 日 💩 👩‍💻 e\u0301 Space Enter Esc Tab Backspace Insert Delete'),
	...words('Up Down Left Right Home End PgUp PgDn F1 F12 F20 Shift-Tab Shift-Up Ctrl-Right'),
	...words(
		'Ctrl-A Ctrl-D Ctrl-Z Ctrl-Space Ctrl-\\ Ctrl-] Ctrl-^ Ctrl-_ Alt-x Alt-X Alt-- Alt-Space',
	),
	...words('Alt-Enter Ctrl-Alt-Shift-End Ctrl-Backspace Shift-Enter'),
])('%s is a key', name => {
	expect(isKey(name)).toBe(true);
});

test.each([
	// A terminal sends Backspace, Tab, Enter, Enter, Esc.
	...words('Ctrl-H Ctrl-I Ctrl-J Ctrl-M Ctrl-['),
	// A terminal begins longer sequences with these.
	...words('Alt-[ Alt-] Alt-O Alt-P Alt-_'),
	...words(
		'Ctrl-d Ctrl-1 Ctrl-é Ctrl- Alt- Shift-a Shift-Space Shift-Ctrl-Up Alt-Ctrl-Up Ctrl-Alt-D',
	),
	...words('F0 F21 Return Escape Del enter jj undefined \t \r \u001B \u007F \u0085 \uD83D'),
	'',
	' ',
	'Alt- ',
	'a\n',
])('%j is not a key', name => {
	expect(isKey(name)).toBe(false);
});

test('every byte of a control is a key, but ESC', () => {
	const keys = Array.from({length: 32}, (_, code) => keyOfCharacter(String.fromCharCode(code)));
	expect(keys.join(' ')).toBe(
		'Ctrl-Space Ctrl-A Ctrl-B Ctrl-C Ctrl-D Ctrl-E Ctrl-F Ctrl-G Backspace Tab Enter Ctrl-K Ctrl-L' +
			' Enter Ctrl-N Ctrl-O Ctrl-P Ctrl-Q Ctrl-R Ctrl-S Ctrl-T Ctrl-U Ctrl-V Ctrl-W Ctrl-X Ctrl-Y' +
			' Ctrl-Z  Ctrl-\\ Ctrl-] Ctrl-^ Ctrl-_',
	);
	expect(keyOfCharacter('\u007F')).toBe('Backspace');
	expect(keyOfCharacter(' ')).toBe('Space');
});

test('every key a character stands for has a valid name', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', minLength: 1, maxLength: 1}), character => {
			const key = keyOfCharacter(character);
			expect(key === undefined || isKey(key)).toBe(true);
		}),
	);
});

test.each([
	['e\u0301x', 'e\u0301'],
	['👩‍💻x', '👩‍💻'],
	['👍🏽x', '👍🏽'],
	['❤\uFE0Fx', '❤\uFE0F'],
	['1\uFE0F\u20E3x', '1\uFE0F\u20E3'],
	['🇩🇪🇫🇷', '🇩🇪'],
	['🏴\u{E0067}\u{E0062}\u{E007F}x', '🏴\u{E0067}\u{E0062}\u{E007F}'],
	['日本', '日'],
	['\uD83Dx', '\uD83D'],
	['\r\u0301', '\r'],
	['ab', 'a'],
])('%j begins with the character %j', (text, character) => {
	expect(characterAt(text, 0)).toBe(character);
	expect(characterAt(`..${text}`, 2)).toBe(character);
});

test('Alt stands behind Ctrl and before Shift', () => {
	expect(['x', 'Up', 'Ctrl-Up', 'Shift-Up'].map(key => withAlt(key))).toEqual(
		words('Alt-x Alt-Up Ctrl-Alt-Up Alt-Shift-Up'),
	);
	expect(['[', 'O', 'Ctrl-D', 'Alt-x'].map(key => withAlt(key))).toEqual(Array(4).fill(undefined));
});
