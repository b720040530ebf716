import * as fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {
	clustersOf,
	clusterWidth,
	fit,
	fitMiddle,
	plainWidth,
	printable,
	widthOf,
} from '../../../source/renter/text/text-width.ts';
import {runs} from '../../helpers/property.ts';

// First and last code point of what is awkward: marks, jamo, flags, joiners, surrogates, forms, Thai, tags.
const ranges = [
	[0x20, 0x7e],
	[0xa0, 0x24f],
	[0x300, 0x36f],
	[0x600, 0x605],
	[0x900, 0x97f],
	[0xe30, 0xe4f],
	[0xd4e, 0xd4e],
	[0x1100, 0x11ff],
	[0x200b, 0x200f],
	[0x2600, 0x27bf],
	[0x4e00, 0x4e10],
	[0xa960, 0xa97c],
	[0xac00, 0xac40],
	[0xd7b0, 0xd7fb],
	[0xd800, 0xdfff],
	[0xe000, 0xe010],
	[0xfe0e, 0xfe0f],
	[0xff60, 0xffa0],
	[0x1_f1e6, 0x1_f1ff],
	[0x1_f3fb, 0x1_f3ff],
	[0x1_f3f4, 0x1_f3f4],
	[0x1_f466, 0x1_f469],
	[0xe_0020, 0xe_007f],
] as const;

const characters = fc.oneof(
	...ranges.map(([min, max]) => fc.integer({min, max}).map(code => String.fromCodePoint(code))),
	fc.constantFrom('👍🏽', '👨‍👩‍👧', '❤️', '🇩🇪', '1️⃣', '🏳️‍🌈', '☝🏽', '\u200D', '\n', '\u0085'),
);
const texts = fc.array(characters, {maxLength: 10}).map(list => list.join(''));

const codePoints = (from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, index) => String.fromCodePoint(from + index));

test('a text is as wide as Ink takes it for', () => {
	fc.assert(
		fc.property(texts, text => {
			expect(widthOf(text)).toBe(stringWidth(text));
		}),
		{numRuns: runs(2000)},
	);
});

test('every character that emoji are made of is as wide as Ink takes it for, with what may follow it', () => {
	const bases = [...codePoints(0x20, 0x2ff), ...codePoints(0x2000, 0x32ff)];
	bases.push(...codePoints(0x1_f000, 0x1_f200), ...codePoints(0x1_f300, 0x1_faff));
	const all = bases.flatMap(base =>
		['', '\uFE0F', '\u{1F3FD}', '\uFE0F\u20E3'].map(end => base + end),
	);
	expect(all.filter(text => widthOf(text) !== stringWidth(text))).toEqual([]);
});

test('plain characters join nothing beside them and have the width they are said to have', () => {
	const segmenter = new Intl.Segmenter();
	const plain = codePoints(0, 0xd7ff).filter(text => plainWidth(text.charCodeAt(0)) !== 0);
	expect(plain.length).toBeGreaterThan(40_000);
	expect(plain.map(text => stringWidth(text))).toEqual(
		plain.map(text => plainWidth(text.charCodeAt(0))),
	);
	const narrow = plain.filter(text => plainWidth(text.charCodeAt(0)) === 1);
	const line = narrow.flatMap(text => [text, 'a', text, text, '가', text, '漢']);
	expect(Array.from(segmenter.segment(line.join(''))).length).toBe(line.length);
});

test('clusters put together are the text, and each takes at most two columns', () => {
	fc.assert(
		fc.property(texts, text => {
			const clusters = clustersOf(text);
			expect(clusters.join('')).toBe(text);
			const widths = clusters.map(clusterWidth);
			expect(Math.max(0, ...widths)).toBeLessThanOrEqual(2);
			expect(widths).toEqual(clusters.map(cluster => stringWidth(cluster)));
		}),
		{numRuns: runs(1000)},
	);
});

test('an emoji of several people is one cluster of two columns', () => {
	expect(clustersOf('a👨‍👩‍👧e\u0301漢')).toEqual(['a', '👨‍👩‍👧', 'e\u0301', '漢']);
	expect(clustersOf('a👨‍👩‍👧e\u0301漢').map(clusterWidth)).toEqual([1, 2, 1, 2]);
});

test.each([
	['abc', 5, 'abc  '],
	['abcdef', 4, 'abc…'],
	['漢字漢', 4, '漢… '],
	['漢字', 4, '漢字'],
	['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
	['abc', 1, '…'],
	['abc', 0, ''],
])('%s fitted into %d columns is "%s"', (text, width, fitted) => {
	expect(fit(text, width)).toBe(fitted);
});

test('a text fitted to the right ends at the right', () => {
	expect(fit('12.5', 6, 'right')).toBe('  12.5');
	expect(fit('漢字漢', 4, 'right')).toBe(' 漢…');
	expect(fit('abcdef', 5, 'right', '...')).toBe('ab...');
	expect(fit('abcdef', 2, 'left', '...')).toBe('ab');
});

test.each([
	['ssh root@example.com', 9, 'ssh ….com'],
	['short', 9, 'short    '],
	['漢字漢字漢', 7, '漢…字漢'],
	['漢字漢字漢', 6, '漢…漢 '],
	['abcdef', 2, 'a…'],
])('%s cut in its middle to %d columns is "%s"', (text, width, fitted) => {
	expect(fitMiddle(text, width)).toBe(fitted);
});

test('whatever is fitted is exactly as wide as asked', () => {
	fc.assert(
		fc.property(texts.map(printable), fc.nat({max: 12}), (text, width) => {
			expect(widthOf(fit(text, width))).toBe(width);
			expect(widthOf(fit(text, width, 'right'))).toBe(width);
			expect(widthOf(fitMiddle(text, width))).toBe(width);
		}),
		{numRuns: runs(500)},
	);
});

test.each([
	['plain text – with é, 漢字, ✓ and 👨‍👩‍👧 ❤️', 'plain text – with é, 漢字, ✓ and 👨‍👩‍👧 ❤️'],
	['\u001B[31mred\u001B[0m', '�[31mred�[0m'],
	['a\u0007b\u007Fc\u009Bd', 'a�b�c�d'],
	['two\nlines\tand\r\nmore', 'two lines and more'],
	['\u202Egpj.exe\u2066\u200F\u061C', '�gpj.exe���'],
	['a\u2028b\u2029c\u200Bd\uFEFF', 'a�b�c�d�'],
	['fine\u{E0020}\u{E007F}', 'fine��'],
	['\uE000hole\uF8FF', '�hole�'],
	['\uD800 alone \uDC00', '� alone �'],
	['\u0301 at the beginning', '� at the beginning'],
	['\u0E33 that joins', '� that joins'],
	['at the end \u0D4E', 'at the end �'],
	['\u{1F3FB}\u0301', '�\u0301'],
])('%j is printed as %j', (text, printed) => {
	expect(printable(text)).toBe(printed);
});

test('letters without end that combine are measured, and a mark at either end of a long text is replaced', () => {
	expect(widthOf('\u1161'.repeat(300_000))).toBe(300_000);
	const long = 'é'.repeat(300_000);
	expect(printable(`\u0301${long}\u0D4E`)).toBe(`�${long}�`);
});

test('a printed text stays in its place on one line', () => {
	fc.assert(
		fc.property(texts, text => {
			expect(printable(text)).not.toMatch(/[\p{Cc}\p{Cs}\u2028-\u202E\u2066-\u2069\uE000-\uF8FF]/u);
			expect(printable(printable(text))).toBe(printable(text));
		}),
	);
});
