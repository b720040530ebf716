import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {difference} from '../../../../source/console/terminal/output/difference.ts';
import {createGrid, drawFrame, type Grid} from '../../../../source/console/terminal/output/grid.ts';
import {encodeLine, encodePlainly, openEmulator} from './emulator.ts';
import {cut, tableLines, type Rows} from './world.ts';
import {runs} from '../../../helpers/property.ts';

const [columns, rows] = [24, 16];

type MoveOf<Moves> = Moves extends fc.Arbitrary<infer Move> ? Move : never;

function gridOf(frame: string): Grid {
	const grid = createGrid(columns, rows);
	drawFrame(grid, frame);
	return grid;
}

const frameOf = (screen: Rows) => screen.map(encodeLine).join('\n');

/** What is written between two frames. */
const between = (before: string, after: string) => difference(gridOf(before), gridOf(after));

test('no difference is nothing to write, nor is one that cannot be seen', () => {
	expect(between('a\nb', 'a\nb')).toBe('');
	expect(between('a b', '\u001B[0ma\u001B[31m \u001B[mb\u001B[1m   ')).toBe('');
});

test.each([
	['a cell', 'abc', 'abd', '\u001B[;3Hd'],
	['a cell in another style', 'abc', 'ab\u001B[7mc', '\u001B[;3H\u001B[7mc\u001B[m'],
	['two cells near each other', 'abcdef', 'xbcdey', '\u001B[Hxbcdey'],
	['two cells far from each other', 'abcdefghijk', 'xbcdefghijy', '\u001B[Hx\u001B[9Cy'],
	['cells of neighbouring rows', 'a\nb', 'x\ny', '\u001B[Hx\r\ny'],
	['blanks to the end of the row', 'abcdefgh', 'ab', '\u001B[;3H\u001B[K'],
	['few blanks to the end of the row', 'abcd', 'ab', '\u001B[;3H  '],
	['a blank between styled cells', '', '\u001B[31ma b', '\u001B[H\u001B[31ma b\u001B[m'],
	['a wide character in place of two', 'abcd', 'a漢d', '\u001B[;2H漢'],
	['half of a wide character', 'a漢d', 'a c', '\u001B[;2H c '],
	['what follows a wide character', '漢a', '字b', '\u001B[H字\u001B[3Gb'],
	['cells around a wide character', 'a漢b', 'x漢y', '\u001B[Hx\u001B[4Gy'],
	['cells around a character of uncertain width', 'aกb', 'xกy', '\u001B[Hx\u001B[Cy'],
	['an emoji, which may be narrow', 'abcd', '😀cd', '\u001B[H  \r😀'],
])('%s is written in few bytes', (_, before, after, written) => {
	expect(between(before, after)).toBe(written);
});

test('an emoji that some terminals draw wide is followed by what it may have covered', () => {
	expect(between('1abcdef', '👨‍👩‍👧bcdef')).toContain('👨‍👩‍👧\u001B[3Gbcdef');
});

test('an emoji near the last column cannot wrap', () => {
	const line = 'x'.repeat(columns - 2);
	expect(between(line, `${line}👨‍👩‍👧`)).toBe('\u001B[;23H\u001B[?7l  \u001B[23G👨‍👩‍👧\u001B[?7h');
});

/** A list with a rule above and below, of instances from a number on, one of which is marked. */
function listFrom(number: number, isRuled = true): string {
	const lines = Array.from({length: rows}, (_, row) => {
		const isRule = isRuled && (row === 0 || row === rows - 1);
		return isRule ? 'a rule' : `${row === 5 ? '>' : ' '} instance ${number + row} run`;
	});
	return lines.join('\n');
}

test('rows that moved are moved by the terminal', () => {
	const up = between(listFrom(0), listFrom(1));
	expect(up.startsWith('\u001B[2;15r\u001B[2H\u001B[M\u001B[r')).toBe(true);
	expect(up.length).toBeLessThan(60);
	const down = between(listFrom(1), listFrom(0));
	expect(down.startsWith('\u001B[2;15r\u001B[2H\u001B[L\u001B[r')).toBe(true);
	expect(down.length).toBeLessThan(60);
});

test('rows at the end of the screen are moved without a region', () => {
	const up = between(listFrom(0, false), listFrom(2, false));
	expect(up.startsWith('\u001B[H\u001B[2M')).toBe(true);
	expect(up.length).toBeLessThan(70);
});

const tables = fc.array(tableLines, {minLength: rows, maxLength: rows});
const moves = fc.record({
	one: fc.nat({max: rows - 1}),
	other: fc.nat({max: rows - 1}),
	by: fc.integer({min: -5, max: 5}),
	added: fc.array(tableLines, {minLength: 5, maxLength: 5}),
});

function moved(table: Rows, {one, other, by, added}: MoveOf<typeof moves>): Rows {
	const [top, end] = [Math.min(one, other), Math.max(one, other) + 1];
	const band = table.slice(top, end);
	const rolled = by > 0 ? [...band, ...added].slice(by) : [...added.slice(by), ...band];
	return [...table.slice(0, top), ...rolled.slice(0, end - top), ...table.slice(end)];
}

const encodeTable = (table: Rows) => encodePlainly(table.map(line => cut(line, 0, columns)));

test('however the rows of a table are moved, the terminal shows the next one', async () => {
	const emulator = openEmulator(columns, rows);
	const reference = openEmulator(columns, rows);
	await fc.assert(
		fc.asyncProperty(tables, fc.array(moves, {maxLength: 3}), async (table, list) => {
			const next = list.reduce(moved, table);
			const written = between(frameOf(table), frameOf(next));
			await Promise.all([
				emulator.write(`${encodeTable(table)}\u001B[?7h${written}`),
				reference.write(encodeTable(next)),
			]);
			expect(emulator.cells()).toEqual(reference.cells());
		}),
		{numRuns: runs(100)},
	);
});

test('the grids stay as they are, and rows outside the given ones are not looked at', () => {
	const [before, after] = [gridOf('a\nb\nc'), gridOf('x\ny\nz')];
	expect(difference(before, after, {first: 1, last: 1})).toBe('\u001B[2Hy');
	expect(difference(before, after, {first: 1, last: 1, start: {row: 1, column: 0}})).toBe('y');
	expect([before, after]).toEqual([gridOf('a\nb\nc'), gridOf('x\ny\nz')]);
});
