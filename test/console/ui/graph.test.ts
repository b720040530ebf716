import {expect, test} from 'vitest';
import {
	axisBelow,
	bar,
	barRows,
	besideAxis,
	curveLines,
	lyingBar,
	roundStep,
	valueTicks,
} from '../../../source/console/ui/graph.ts';
import {createTheme} from '../../../source/console/ui/theme.ts';

const unicode = createTheme({LANG: 'C.UTF-8', RENTTY_THEME: 'high-contrast'});
const ascii = createTheme({LANG: 'C', RENTTY_THEME: 'high-contrast'});
const curve = {meaning: 'plain', letter: 'a'} as const;

test('nothing, what was not measured, and everything are three different bars', () => {
	expect([undefined, 0, 0.01, 0.5, 1, 7, -1].map(bar).join('|')).toBe(' |▁|▁|▄|█|█|▁');
});

test('a lying bar is as long as its share in eighths of a column, and never nothing above 0', () => {
	expect([0, 0.0001, 0.5, 0.53, 1, 2].map(share => lyingBar(share, 4))).toEqual([
		'',
		'▏',
		'██',
		'██▏',
		'████',
		'████',
	]);
});

test('the largest amount is drawn the highest, and the smallest is never drawn as nothing', () => {
	expect(barRows([0, 0.0001, 0.5, 1], 2)).toEqual(['          ██', '    ▁▁ ██ ██']);
});

test('a curve joins its dots, and leaves what was not measured blank', () => {
	const values = [0, 1, 2, 3, undefined, undefined, 3, 3, 0, 0];
	const plot = {columns: 5, rows: 1, low: 0, high: 3};
	expect(curveLines([{...curve, values}], plot, unicode)).toEqual(['⡠⠊ ⠉⣆']);
	expect(curveLines([{...curve, values}], plot, ascii)).toEqual(['aa aa']);
});

test('what is beyond the scale is said, and the cursor stands in blank cells alone', () => {
	const values = [9, 9, 1, 1, -9, -9];
	const plot = {columns: 4, rows: 2, low: 0, high: 3, cursor: 3};
	expect(curveLines([{...curve, values}], plot, unicode)).toEqual(['^  ┊', ' ⠒v┊']);
	const over = {...plot, cursor: 0};
	expect(curveLines([{...curve, values}], over, unicode)).toEqual(['^   ', '┊⠒v ']);
});

test('colour follows the meaning of a curve, whatever its height', () => {
	const theme = createTheme({LANG: 'C.UTF-8'});
	const values = [0, 0, 100, 100];
	const plot = {columns: 2, rows: 1, low: 0, high: 100};
	const [line] = curveLines([{values, meaning: 'curve', letter: 'a'}], plot, theme);
	expect(line).toBe('\u001B[36m⣀⠏\u001B[0m');
});

test('values stand beside round ticks', () => {
	const ticks = valueTicks({low: 0, high: 100, rows: 6}, String);
	expect(besideAxis(['', '', '', '', '', ''], ticks, {width: 6, theme: unicode})).toEqual([
		'  100┤',
		'     │',
		'   50┤',
		'     │',
		'     │',
		'    0┤',
	]);
	expect([0.3, 1, 1.1, 2.2, 26, 70].map(roundStep)).toEqual([0.5, 1, 2, 2.5, 50, 100]);
});

test('the first and the last time are always there, and those between where there is room', () => {
	const ticks = [0, 3, 10, 20, 28].map(at => ({at, text: `12:${at + 10}`}));
	expect(axisBelow(30, ticks, {indent: 4, theme: unicode})).toEqual({
		rule: '   └┴─────────┴─────────┴───────┴─',
		texts: '  12:10     12:20     12:30  12:38',
	});
});

test('an area is filled with every second dot, and a letter where only ASCII can be drawn', () => {
	const values = [3, 3, 3, 3];
	const plot = {columns: 2, rows: 1, low: 0, high: 3};
	const filled = {...curve, values, isFilled: true};
	expect(curveLines([filled], plot, unicode)).toEqual(['⡫⡫']);
	expect(curveLines([filled], plot, ascii)).toEqual(['aa']);
});
