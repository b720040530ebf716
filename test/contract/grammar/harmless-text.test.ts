import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	harmlessJson,
	harmlessLine,
	harmlessText,
	isHarmless,
} from '../../../source/contract/grammar/harmless-text.ts';
import {runs} from '../../helpers/property.ts';

const codePoints = Array.from({length: 0x11_0000}, (_, code) => code);
const joiners = [0x200c, 0x200d];

test('harmful is what Unicode calls a control, a format, a separator of lines, a half or ignorable, but for variation selectors', () => {
	const properties = String.raw`\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}`;
	const harmful = new RegExp(String.raw`^[[${properties}]--\p{Variation_Selector}]$`, 'v');
	const wrong = codePoints.filter(code => {
		const character = String.fromCodePoint(code);
		return harmful.test(character) === isHarmless(`a${character}b`);
	});
	expect(wrong.map(code => code.toString(16))).toEqual([]);
});

test.each([
	['plain text – with é, 漢字, ✓, 👨‍👩‍👧 and ❤️', 'plain text – with é, 漢字, ✓, 👨‍👩‍👧 and ❤️'],
	['\u001B]52;c;cm0=\u0007\u001B[2J', '�]52;c;cm0=��[2J'],
	['\u009B2J\u0085\u007F', '�2J��'],
	['two\nlines\tand\r\nmore\r', 'two lines and more�'],
	['\u202Egpj.exe\u2066\u200F\u061C', '�gpj.exe���'],
	['a\u2028b\u2029c\u200Bd\uFEFFe\u00ADf\u2060g', 'a�b�c�d�e�f�g'],
	['safe\u{E0041}\u{E007F}', 'safe��'],
	['\uFFF9over\uFFFAunder\uFFFB', '�over�under�'],
	['\uD800 alone \uDC00', '� alone �'],
	['a\u200Db\u200Cc \u200D', 'a�b�c �'],
])('%j is written on a line as %j', (text, line) => {
	expect(harmlessLine(text)).toBe(line);
});

test.each([
	'👩🏽\u200D🚀',
	'🏳️\u200D🌈',
	'❤️\u200D🔥',
	'🚶\u200D➡️',
	'می\u200Cخواهم',
	'ක්\u200Dෂ',
	'क्\u200Dष',
])('the joiner in %s stays, for it changes what is seen', text => {
	expect(harmlessLine(text)).toBe(text);
});

test.each(['👩\u200D', '\u200D👩', '👩\u200D\u200D🚀', '👩\u200C🚀', 'م\u200C\u200Cم', 'x\u200C'])(
	'a joiner in %j that changes nothing does not stay',
	text => {
		expect(harmlessLine(text)).not.toMatch(/[\u200C\u200D]/);
	},
);

test('text of several lines keeps its line breaks and tabs, and nothing else that is harmful', () => {
	expect(harmlessText('Usage:\r\n\trentty\u001B[2J\n\rend')).toBe('Usage:\n\trentty�[2J\n�end');
});

const texts = fc
	.array(
		fc.oneof(
			fc.string({unit: 'binary', maxLength: 4}),
			fc.constantFrom(...codePoints.slice(0, 0x100).map(code => String.fromCodePoint(code))),
			fc.constantFrom(...joiners.map(code => String.fromCodePoint(code))),
			fc.constantFrom('👨\u200D👩\u200D👧', 'می\u200Cخ', '\uD83D', '\uDC68', '\u{E0041}', '\u202E'),
		),
		{maxLength: 12},
	)
	.map(parts => parts.join(''));

test('what is made harmless is harmless, on one line, and stays as it is when it is made so again', () => {
	fc.assert(
		fc.property(texts, text => {
			const line = harmlessLine(text);
			expect(isHarmless(line)).toBe(true);
			expect(harmlessLine(line)).toBe(line);
			expect(isHarmless(harmlessText(text).replaceAll(/[\n\t]/g, ''))).toBe(true);
		}),
		{numRuns: runs(2000)},
	);
});

test('JSON of any text is harmless, and gives the text back', () => {
	const escaped = new RegExp(String.raw`^\\u[\da-f]{4}(?:\\u[\da-f]{4})?$`);
	for (const text of ['\u001B', '\u009B', '\u202E', '\u200B', '\u{E0041}', '\uFEFF', '\uD800']) {
		expect(harmlessJson(text).slice(1, -1)).toMatch(escaped);
	}
	fc.assert(
		fc.property(texts, text => {
			const json = harmlessJson({[text]: [text]});
			expect(isHarmless(json)).toBe(true);
			expect(JSON.parse(json)).toEqual({[text]: [text]});
		}),
		{numRuns: runs(2000)},
	);
});
