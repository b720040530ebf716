import {expect, test} from 'vitest';
import {regionRow, regionStart} from '../../../../source/console/terminal/output/screen.ts';
import {openEmulator} from './emulator.ts';
import {openScreen} from './open-screen.ts';

test('a dialog over a painted region covers what it covers, and the rest is painted on', async () => {
	const emulator = openEmulator(10, 4);
	const {screen, taken} = openScreen(10, 4);
	screen.paint(2, ['0123456789', '漢字漢字', 'abcdefghij', 'below']);
	screen.draw([0, 1, 2].map(row => `|${regionRow(2, row, 8)}|`).join('\n'));
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|01234567|', '|漢字漢字|', '|abcdefgh|', '']);
	const covered = [1, 2].map(row => `|${regionRow(2, row, 3)}##${regionRow(2, row, 3)}|`);
	screen.draw([`|${regionRow(2, 0, 8)}|`, ...covered].join('\n'));
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|01234567|', '|漢 ## 字|', '|abc##fgh|', '']);
	screen.paint(2, ['', 'ABCDEFGH']);
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|        |', '|ABC##FGH|', '|   ##   |', '']);
});

test('a painted region that is open goes on over blank cells up to what stands behind it', async () => {
	const emulator = openEmulator(10, 2);
	const {screen, taken} = openScreen(10, 2);
	screen.paint(1, ['0123456789', 'abcdefghij']);
	screen.draw(`|${regionStart(1, 0)}\n|${regionStart(1, 1)}   ##  |`);
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|012345678', '|abcd##  |']);
});

test('a painted region has eight numbers and four hundred rows', () => {
	expect(regionRow(0, 0, 2)).toBe('\uE000\uE000');
	expect(regionStart(7, 399)).toBe('\uF8FF');
	expect(regionRow(0, 400, 3)).toBe('   ');
	expect(() => regionRow(8, 0, 1)).toThrow(RangeError);
});
