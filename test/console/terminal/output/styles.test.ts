import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	applySgr,
	blankStyle,
	transition,
} from '../../../../source/console/terminal/output/styles.ts';
import {openEmulator} from './emulator.ts';
import {runs} from '../../../helpers/property.ts';

const bytes = fc.nat({max: 255});
const triples = fc.tuple(bytes, bytes, bytes);
const parameters = fc.oneof(
	fc.constantFrom('', '0', '1', '2', '3', '4', '7', '8', '9', '22', '23', '24', '27', '28', '29'),
	fc.constantFrom(
		'39',
		'49',
		'4:0',
		'4:3',
		'58;5;7',
		'58;2;1;2;3',
		'58:2::1:2:3',
		'10',
		'73',
		'98',
	),
	fc
		.integer({min: 30, max: 49})
		.filter(code => code % 10 !== 8)
		.map(String),
	fc
		.integer({min: 90, max: 107})
		.filter(code => code % 10 < 8)
		.map(String),
	fc.tuple(fc.constantFrom(38, 48), bytes).map(([code, index]) => `${code};5;${index}`),
	fc.tuple(fc.constantFrom(38, 48), bytes).map(([code, index]) => `${code}:5:${index}`),
	fc.tuple(fc.constantFrom(38, 48), triples).map(([code, rgb]) => `${code};2;${rgb.join(';')}`),
	fc.tuple(fc.constantFrom(38, 48), triples).map(([code, rgb]) => `${code}:2::${rgb.join(':')}`),
);
const sequences = fc.array(
	fc.array(parameters, {minLength: 1, maxLength: 4}).map(list => list.join(';')),
	{minLength: 1, maxLength: 4},
);

test('a style is what a terminal makes of the sequences, whichever style was there before', async () => {
	const cases = fc.sample(fc.tuple(sequences, sequences), {numRuns: runs(2000)});
	const ours = openEmulator(2, cases.length + 1);
	const theirs = openEmulator(2, cases.length + 1);
	let style = 0;
	let [oursWritten, theirsWritten] = ['', ''];
	for (const pair of cases) {
		for (const list of pair) {
			const next = list.reduce(applySgr, 0);
			oursWritten += `${transition(style, next)}x`;
			theirsWritten += `\u001B[m${list.map(text => `\u001B[${text}m`).join('')}x`;
			style = next;
		}
	}
	await Promise.all([ours.write(oursWritten), theirs.write(theirsWritten)]);
	expect(ours.cells()).toEqual(theirs.cells());
});

const styled = (...list: readonly string[]) => list.reduce(applySgr, 0);

test.each([
	['', '1', '\u001B[1m'],
	['1', '', '\u001B[m'],
	['1;31', '31', '\u001B[22m'],
	['1;2', '2', '\u001B[;2m'],
	['1;2;31', '2;31', '\u001B[22;2m'],
	['31', '32', '\u001B[32m'],
	['1;3;4;31;42', '9', '\u001B[;9m'],
	['38;5;9', '91', '\u001B[91m'],
	['7;32', '32', '\u001B[27m'],
	['7', '7', ''],
])('from style %j to style %j the terminal is sent %j', (from, to, sequence) => {
	expect(transition(styled(from), styled(to))).toBe(sequence);
});

test('sequences that are not about style change nothing', () => {
	expect(styled('1', '>4;1')).toBe(styled('1'));
	expect(styled('1', '38;5;999')).toBe(styled('1'));
	expect(styled('1', '38')).toBe(styled('1'));
});

test('a colour may leave out its colour space, as Ink reads it', () => {
	expect(styled('38:2:1:2:3')).toBe(styled('38;2;1;2;3'));
	expect(styled('48:2:0:1:2:3')).toBe(styled('48;2;1;2;3'));
});

test('a blank shows lines and backgrounds only', () => {
	expect(blankStyle(styled('1;31'))).toBe(0);
	expect(blankStyle(styled('1;31;42'))).toBe(styled('42'));
	expect(blankStyle(styled('4;31'))).toBe(styled('4;31'));
	expect(blankStyle(styled('7;1'))).toBe(styled('7;1'));
});
