import {expect, test} from 'vitest';
import {createFramePainter} from '../../../../source/console/app/frame-painter.ts';
import {regionCount, regionStart} from '../../../../source/console/terminal/output/screen.ts';
import {openEmulator} from './emulator.ts';
import {openScreen} from './open-screen.ts';

test('a painted region goes on over blank cells up to what stands behind it', async () => {
	const emulator = openEmulator(10, 4);
	const {screen, taken} = openScreen(10, 4);
	const frame = (...rests: readonly string[]) =>
		screen.draw(rests.map((rest, row) => `|${regionStart(2, row)}${rest}`).join('\n'));
	screen.paint(2, ['0123456789', '漢字漢字', 'abcdefghij', 'below']);
	frame('       |', '       |', '');
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|01234567|', '|漢字漢字|', '|abcdefghi', '']);
	frame('       |', '  ##   |', '   ##  |');
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|01234567|', '|漢 ##   |', '|abcd##  |', '']);
	screen.paint(2, ['', 'ABCDEFGH']);
	await emulator.write(taken().join(''));
	expect(emulator.text()).toEqual(['|        |', '|ABC##   |', '|    ##  |', '']);
});

test('sixteen regions of four hundred rows have a character for each row', () => {
	expect(regionStart(0, 0)).toBe('\uE000');
	expect(regionStart(15, 399)).toBe('\uF8FF');
	expect(regionStart(0, 400)).toBe(' ');
	expect(() => regionStart(16, 0)).toThrow(RangeError);
});

test('a region is opened for one part of the frame, until it is closed', async () => {
	const {screen, taken} = openScreen(10, 2);
	const painter = createFramePainter(screen);
	const opened = Array.from({length: regionCount}, () => painter.openRegion());
	expect(new Set(opened.map(region => region?.start(0))).size).toBe(regionCount);
	expect(painter.openRegion()).toBeUndefined();
	const clicked: number[] = [];
	opened[3]?.onMouse({click: line => void clicked.push(line)});
	opened[3]?.close();
	const again = painter.openRegion();
	expect(again?.start(0)).toBe(opened[3]?.start(0));
	painter.draw(`${again?.start(0)}\n${again?.start(1)}`);
	again?.paint(['one', 'two']);
	await expect.poll(() => taken().join('')).toContain('one\r\ntwo');
	painter.mouse.click({column: 2, row: 1});
	again?.onMouse({click: line => void clicked.push(10 + line)});
	painter.mouse.click({column: 2, row: 1});
	expect(clicked).toEqual([11]);
});

test('what is selected outside of regions is whole rows between its ends, and inverted on the terminal', async () => {
	const {screen} = openScreen(10, 3);
	const painter = createFramePainter(screen);
	screen.draw('first row\nsecond row\nthird row');
	painter.mouse.select({column: 6, row: 2}, {column: 6, row: 0});
	expect(painter.mouse.selected()).toBe('row\nsecond row\nthird r');
	painter.mouse.selectNone();
	expect(painter.mouse.selected()).toBe('');
	expect(painter.mouse.textAt(1)).toBe('second row');
});
