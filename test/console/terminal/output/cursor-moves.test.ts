import {expect, test} from 'vitest';
import {moveTo, nowhere, shortestMove} from '../../../../source/console/terminal/output/pen.ts';
import {openEmulator} from './emulator.ts';

const [columns, rows] = [30, 12];
const positions = Array.from({length: columns * rows}, (_, index) => ({
	row: Math.floor(index / columns),
	column: index % columns,
})).filter(({row, column}) => [0, 1, 5, 11].includes(row) && [0, 1, 9, 24, 29].includes(column));

test('every move ends where it should, in no more bytes than an absolute one', async () => {
	const emulator = openEmulator(columns, rows);
	for (const to of positions) {
		for (const from of positions) {
			const move = shortestMove(from, to);
			expect(move.length).toBeLessThanOrEqual(
				from.row === to.row && from.column === to.column ? 0 : moveTo(to).length,
			);
			await emulator.write(moveTo(from) + move);
			expect([from, emulator.cursor()]).toEqual([from, to]);
		}
	}
	expect(emulator.scrolled()).toBe(0);
});

test('a cursor whose place is not known is moved absolutely', () => {
	expect(shortestMove(nowhere, {row: 0, column: 0})).toBe('\u001B[H');
	expect(shortestMove(nowhere, {row: 3, column: 0})).toBe('\u001B[4H');
	expect(shortestMove(nowhere, {row: 0, column: 4})).toBe('\u001B[;5H');
	expect(shortestMove({row: 3, column: -1}, {row: 3, column: 4})).toBe('\u001B[5G');
	expect(shortestMove({row: 3, column: -1}, {row: 4, column: 0})).toBe('\r\n');
});

test.each([
	[{row: 3, column: 7}, {row: 3, column: 5}, '\b\b'],
	[{row: 3, column: 7}, {row: 3, column: 0}, '\r'],
	[{row: 3, column: 7}, {row: 3, column: 8}, '\u001B[C'],
	[{row: 3, column: 7}, {row: 4, column: 0}, '\r\n'],
	[{row: 3, column: 7}, {row: 4, column: 7}, '\u001B[B'],
	[{row: 13, column: 17}, {row: 11, column: 17}, '\u001B[2A'],
])('from %j to %j the cursor is sent %j', (from, to, sequence) => {
	expect(shortestMove(from, to)).toBe(sequence);
});
