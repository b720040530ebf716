import {expect, test} from 'vitest';
import {
	createGrid,
	drawFrame,
	drawGridLine,
	type Grid,
} from '../../../../source/console/terminal/output/grid.ts';
import {applySgr} from '../../../../source/console/terminal/output/styles.ts';

const textOf = ({columns, rows, glyphs}: Grid) =>
	Array.from({length: rows}, (_, row) =>
		glyphs.slice(row * columns, (row + 1) * columns).join('|'),
	);

function drawn(line: string, columns: number): Grid {
	const grid = createGrid(columns, 1);
	drawGridLine(grid, 0, 0, line, columns);
	return grid;
}

test('a line fills its columns with text and then with blanks', () => {
	expect(textOf(drawn('ab漢', 6))).toEqual(['a|b|漢|| | ']);
	expect(textOf(drawn('e\u0301\u200Bx', 3))).toEqual(['e\u0301|x| ']);
});

test('a wide character cut at the end leaves a blank', () => {
	expect(textOf(drawn('ab漢c', 3))).toEqual(['a|b| ']);
	expect(textOf(drawn('漢字', 3))).toEqual(['漢|| ']);
	expect(textOf(drawn('\u001B[41m漢\u001B[m', 1))).toEqual([' ']);
	expect(drawn('\u001B[41;1m漢\u001B[m', 1).styles[0]).toBe(applySgr(0, '41'));
});

test('a line that covers half of a wide character blanks the other half', () => {
	const grid = createGrid(6, 1);
	drawGridLine(grid, 0, 0, '漢字漢', 6);
	drawGridLine(grid, 0, 1, 'xy', 2);
	expect(textOf(grid)).toEqual([' |x|y| |漢|']);
});

test('styles are kept with the cells, and only what can be seen of them with blanks', () => {
	const {styles} = drawn('\u001B[1;31ma b\u001B[44m \u001B[0mc', 5);
	const red = applySgr(0, '1;31');
	expect(Array.from(styles)).toEqual([red, 0, red, applySgr(0, '44'), 0]);
});

test.each([
	['a hyperlink', '\u001B]8;;http://example.com/\u0007ab\u001B]8;;\u001B\\c'],
	['a title', '\u001B]0;title\u0007abc'],
	['a cursor movement', 'a\u001B[5Cb\u001B[2J\u001B[?25hc'],
	['a character set', 'a\u001B(0b\u001B7c'],
	['controls', 'a\u0007\u0008b\u0000\u009Bc\r'],
	['a private mode that ends in m', 'a\u001B[>4;1mbc'],
])('%s in a line draws nothing', (_, line) => {
	expect(textOf(drawn(line, 4))).toEqual(['a|b|c| ']);
	expect(Array.from(drawn(line, 4).styles)).toEqual([0, 0, 0, 0]);
});

test('a sequence that is not complete ends with its line', () => {
	for (const end of ['\u001B', '\u001B[', '\u001B[31', '\u001B]8;;', '\u001BP1', '\u001B(']) {
		expect(textOf(drawn(`ab${end}`, 3))).toEqual(['a|b| ']);
	}
});

test('a frame is cut at the last column and row, and what it does not reach is blank', () => {
	const grid = createGrid(3, 2);
	drawFrame(grid, 'abcdef\nxyz\nmore');
	expect(textOf(grid)).toEqual(['a|b|c', 'x|y|z']);
	drawFrame(grid, 'a');
	expect(textOf(grid)).toEqual(['a| | ', ' | | ']);
	drawFrame(grid, '\n\u001B[31mb');
	expect(textOf(grid)).toEqual([' | | ', 'b| | ']);
});

test('a line is drawn the same after many others were', () => {
	const before = textOf(drawn('\u001B[1mkept', 4));
	for (let number = 0; number < 2000; number++) drawn(`line ${number}`, 10);
	expect(textOf(drawn('\u001B[1mkept', 4))).toEqual(before);
});
