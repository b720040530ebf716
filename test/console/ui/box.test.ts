import {stripVTControlCharacters} from 'node:util';
import {expect, test} from 'vitest';
import {boxOver, boxContentSize} from '../../../source/console/ui/box.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';
import {widthOf} from '../../../source/renter/text/text-width.ts';
import {openFleetConsole} from '../../helpers/console/fleet-console.ts';
import {openFleetMarket} from '../../helpers/fleet/fleet.ts';

const unicode = {LANG: 'C.UTF-8', TERM: 'xterm-256color'};
const theme = createTheme(unicode);
const size = {columns: 100, rows: 20};
const boxed = {
	title: 'DESTROY',
	right: 'as of 12:41',
	lines: ['a', 'b'],
	meaning: 'danger',
} as const;

test('a box lies over what was there, which is dimmed, and every line is as wide as the screen', () => {
	const behind = Array.from({length: 20}, (_, row) => `row ${row} `.padEnd(100, '.'));
	const {lines, top, left} = boxOver(behind, size, theme, boxed);
	expect(lines).toHaveLength(20);
	const plain = lines.map(stripVTControlCharacters);
	expect(plain.map(widthOf)).toEqual(plain.map(() => 100));
	expect(plain[top]).toMatch(/^row 5 ┌─ DESTROY ─+ as of 12:41 ─┐\.+$/);
	expect(plain[top + 1]?.slice(left, left + 1)).toBe('a');
	expect(plain.at(-1)).toBe(behind.at(-1));
	const [first = ''] = lines;
	expect(first).toBe(theme.style('quiet', behind[0] ?? ''));
});

test('a wide character at either edge of a box leaves a blank', () => {
	const behind = Array.from({length: 20}, () => '漢'.repeat(50));
	const at = {...size, columns: 99};
	const {lines} = boxOver(behind, at, theme, boxed);
	for (const line of lines.map(stripVTControlCharacters)) expect(widthOf(line)).toBeLessThan(100);
	const [, right = ''] = stripVTControlCharacters(lines[5] ?? '').split('┐');
	expect(right).toMatch(/^ ?漢*$/);
});

test('nothing is drawn behind a box where the theme dims nothing', () => {
	const plain = createTheme({...unicode, RENTTY_THEME: 'high-contrast'});
	const {lines} = boxOver(['row 0'], size, plain, boxed);
	expect(lines.map(stripVTControlCharacters).join('\n')).not.toContain('row');
});

test('what was behind is harmless whatever it was', () => {
	const {lines} = boxOver(['\u001B[2Jx\uE000'], size, theme, boxed);
	expect(stripVTControlCharacters(lines[0] ?? '')).toMatch(/^�\[2Jx�/);
});

test('a small screen has no room for a box', () => {
	expect(boxContentSize({columns: 60, rows: 11})).toBeUndefined();
	expect(boxContentSize({columns: 80, rows: 20})).toEqual({columns: 76, rows: 19});
	expect(boxContentSize({columns: 140, rows: 36})).toEqual({columns: 84, rows: 35});
});

test('a question stands in a box over the list, which is dimmed', async () => {
	await using market = await openFleetMarket();
	await using rentty = await openFleetConsole(market, {columns: 120, rows: 30});
	rentty.type('x');
	await rentty.reads('DESTROY INSTANCE');
	const screen = await rentty.shown();
	expect(screen).toContain('LABEL');
	const row = screen.split('\n').findIndex(line => line.includes('[ Cancel ]'));
	const column = screen.split('\n')[row]?.indexOf('[ Cancel ]') ?? 0;
	const {active} = rentty.emulator.buffer;
	const heading = screen.split('\n').findIndex(line => line.includes('LABEL'));
	const at = screen.split('\n')[heading]?.indexOf('LABEL') ?? 0;
	expect(active.getLine(heading)?.getCell(at)?.isDim()).not.toBe(0);
	expect(
		active
			.getLine(row)
			?.getCell(column + 2)
			?.isDim(),
	).toBe(0);
});
