/**
 * Graphs in characters: bars, curves of dots, their axes and their cursor. A value's position follows from
 * its bucket, and its colour from its state, never from its height.
 */
import {cellsOf, widthOf} from '../../renter/text/text-width.ts';
import {logSteps} from './log-scale.ts';
import type {Meaning, Theme} from './theme.ts';

const BARS = '▁▂▃▄▅▆▇█';
const EIGHTHS = '▏▎▍▌▋▊▉█';

/** Upright bar of a share: the lowest one for 0, a blank for an unknown share. */
export function bar(share: number | undefined): string {
	return share === undefined ? ' ' : BARS.charAt(Math.floor(7.99 * within(share)));
}

/** Percentages as bars, a column each; a blank for an unknown one. */
export function percentBars(percents: ReadonlyArray<number | undefined>): string {
	return percents.map(percent => bar(percent === undefined ? undefined : percent / 100)).join('');
}

/** Lying bar of a share, up to a width; a share above 0 has at least an eighth of a column. */
export function lyingBar(share: number, width: number): string {
	const eighths = share > 0 ? Math.max(1, Math.round(within(share) * width * 8)) : 0;
	const rest = EIGHTHS.charAt((eighths % 8) - 1);
	return '█'.repeat(Math.floor(eighths / 8)) + (eighths % 8 === 0 ? '' : rest);
}

/** Upright bars of several rows, the top row first. A share above 0 has at least the lowest bar. */
export function barRows(shares: readonly number[], rows: number, width = 2): readonly string[] {
	const heights = shares.map(share =>
		share > 0 ? Math.max(1, Math.round(within(share) * rows * 8)) : 0,
	);
	return Array.from({length: rows}, (_, row) => {
		const below = (rows - 1 - row) * 8;
		const cells = heights.map(height => BARS.charAt(Math.min(8, height - below) - 1) || ' ');
		return cells.map(cell => ` ${cell.repeat(width)}`).join('');
	});
}

function within(share: number): number {
	return Math.max(0, Math.min(1, share));
}

/** Values from left to right, two in each column. */
export type Curve = {
	readonly values: ReadonlyArray<number | undefined>;
	readonly meaning: Meaning;
	/** Letter of the curve where only ASCII can be drawn. */
	readonly letter: string;
	/** Dots that are drawn and dots that are left out, in turn; undefined for a line. */
	readonly dash?: readonly [on: number, off: number];
	/** Letter behind its last dot. */
	readonly tag?: string;
	/** The area below it is filled with single dots. */
	readonly isFilled?: boolean;
};

/** The values at the lowest and the highest dot. */
type Scale = {
	readonly low: number;
	readonly high: number;
	/** The same distance is the same factor; what is not above zero is a gap. */
	readonly isLog?: boolean | undefined;
};

export type Plot = Scale & {
	readonly columns: number;
	readonly rows: number;
	/** The column of the cursor, which is drawn in blank cells alone. */
	readonly cursor?: number | undefined;
};

/** Bits of the dots of a cell: rows of the left column, then of the right one. */
const DOTS = [
	[0x01, 0x02, 0x04, 0x40],
	[0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x28_00;
const DOTS_A_ROW = 4;

type Cell = {bits: number; sign: string; owner: number};

/** Lines of curves; where several meet, a cell has the style of the first. */
export function curveLines(curves: readonly Curve[], plot: Plot, theme: Theme): readonly string[] {
	const {columns, rows} = plot;
	const cells = Array.from({length: columns * rows}, (): Cell => ({bits: 0, sign: '', owner: -1}));
	for (const [owner, curve] of curves.entries()) drawCurve(cells, {curve, owner, plot});
	return Array.from({length: rows}, (_, row) =>
		styledRow(cells.slice(row * columns, (row + 1) * columns), curves, {
			cursor: plot.cursor,
			theme,
		}),
	);
}

type Drawing = {readonly curve: Curve; readonly owner: number; readonly plot: Plot};

function drawCurve(cells: Cell[], {curve, owner, plot}: Drawing): void {
	const {columns, rows} = plot;
	const top = rows * DOTS_A_ROW - 1;
	let before: number | undefined;
	for (const [x, value] of curve.values.slice(0, columns * 2).entries()) {
		const cellIn = (row: number) => cells[row * columns + Math.floor(x / 2)];
		const y = value === undefined ? undefined : dotOf(value, plot);
		if (y === '^') claim(cellIn(0), {owner, sign: y});
		else if (y === 'v') claim(cellIn(rows - 1), {owner, sign: y});
		else if (y !== undefined && isOn(curve, x)) {
			// A single dot is not joined to the one before.
			const joined = curve.dash?.[0] === 1 ? undefined : before;
			for (const dot of [...stroke(y, joined), ...(curve.isFilled === true ? filling(x, y) : [])]) {
				const down = top - dot;
				claim(cellIn(Math.floor(down / DOTS_A_ROW)), {owner, bit: bitOf(x, down)});
			}
		}
		before = typeof y === 'number' ? y : undefined;
	}
	drawTag(cells, {curve, owner, plot});
}

function isOn({dash}: Curve, x: number): boolean {
	return dash === undefined || x % (dash[0] + dash[1]) < dash[0];
}

function drawTag(cells: Cell[], {curve: {tag, values}, owner, plot}: Drawing): void {
	const {columns, rows} = plot;
	const x = values.slice(0, columns * 2).findLastIndex(value => value !== undefined);
	const y = dotOf(values[x] ?? Number.NaN, plot);
	if (tag === undefined || typeof y !== 'number' || Number.isNaN(y)) return;
	const row = rows - 1 - Math.floor(y / DOTS_A_ROW);
	const column = Math.min(columns - 1, Math.floor(x / 2) + 1);
	const cell = cells[row * columns + column];
	if (cell !== undefined) Object.assign(cell, {sign: tag, owner});
}

function bitOf(x: number, down: number): number {
	return DOTS[x % 2 === 0 ? 0 : 1][down % DOTS_A_ROW] ?? 0;
}

/** Dot of a value, counted from below; beyond the scale it is said, and not pressed to the edge. */
function dotOf(value: number, plot: Plot): number | '^' | 'v' | undefined {
	const {rows, low, high, isLog = false} = plot;
	if (isLog && value <= 0) return undefined;
	if (value > high) return '^';
	if (value < low) return 'v';
	return Math.round(shareOn(plot, value) * (rows * DOTS_A_ROW - 1));
}

/** Position of a value between both ends of a scale, from 0 to 1. */
export function shareOn({low, high, isLog = false}: Scale, value: number): number {
	return isLog
		? Math.log(value / low) / Math.max(Number.EPSILON, Math.log(high / low))
		: (value - low) / Math.max(Number.EPSILON, high - low);
}

/** Dots of a column: that of its value, and those that join it to the one before. */
function stroke(y: number, before = y): readonly number[] {
	const from = before === y ? y : towards(y, before);
	return Array.from({length: Math.abs(y - from) + 1}, (_, at) => Math.min(y, from) + at);
}

/** Every second dot below a value. */
function filling(x: number, y: number): readonly number[] {
	return Array.from({length: y}, (_, dot) => dot).filter(dot => (dot + x) % 2 === 0);
}

/** The dot beside the one before, from which a line is joined to a dot. */
function towards(y: number, before: number): number {
	return before + Math.sign(y - before);
}

type Mark = {readonly owner: number; readonly bit?: number; readonly sign?: string};

function claim(cell: Cell | undefined, {owner, bit = 0, sign = ''}: Mark): void {
	if (cell === undefined) return;
	cell.bits |= bit;
	if (sign !== '') cell.sign = sign;
	if (cell.owner === -1) cell.owner = owner;
}

type RowStyle = {readonly cursor: number | undefined; readonly theme: Theme};

/** Cells as a line, in pieces of equal style. */
function styledRow(
	cells: readonly Cell[],
	curves: readonly Curve[],
	{cursor, theme}: RowStyle,
): string {
	const pieces: Array<{readonly meaning: Meaning; text: string}> = [];
	for (const [column, cell] of cells.entries()) {
		const curve = curves[cell.owner];
		const isCursor = curve === undefined && column === cursor;
		const meaning = isCursor ? 'quiet' : (curve?.meaning ?? 'plain');
		const glyph = isCursor ? '┊' : glyphOf(cell, curve, theme);
		const last = pieces.at(-1);
		if (last !== undefined && last.meaning === meaning) last.text += glyph;
		else pieces.push({meaning, text: glyph});
	}
	return pieces.map(({meaning, text}) => theme.style(meaning, text)).join('');
}

function glyphOf({bits, sign}: Cell, curve: Curve | undefined, {glyphs}: Theme): string {
	if (curve === undefined) return ' ';
	if (sign !== '') return sign;
	return glyphs.isAscii ? curve.letter : String.fromCharCode(BLANK + bits);
}

/** A text at a position of an axis, counted in columns or in rows from above. */
export type Tick = {readonly at: number; readonly text: string};

/** Lines with an axis of values at their left, of a given width. */
export function besideAxis(
	lines: readonly string[],
	ticks: readonly Tick[],
	{width, theme}: {readonly width: number; readonly theme: Theme},
): readonly string[] {
	return lines.map((line, row) => {
		const text = ticks.find(({at}) => at === row)?.text;
		const axis = `${(text ?? '').padStart(width - 1)}${text === undefined ? '│' : '┤'}`;
		return theme.style('quiet', axis) + line;
	});
}

/** Ticks of values between the lowest and the highest dot, in round steps, the lowest first. */
export function valueTicks(
	scale: Scale & Pick<Plot, 'rows'>,
	write: (value: number) => string,
): readonly Tick[] {
	const {rows, low, high, isLog = false} = scale;
	const ticks = (isLog ? logSteps(low, high) : roundValues(scale)).map(value => {
		const dot = Math.round(shareOn(scale, value) * (rows * DOTS_A_ROW - 1));
		return {at: rows - 1 - Math.floor(dot / DOTS_A_ROW), text: write(value)};
	});
	// Steps of a logarithm may be nearer to each other than rows.
	return ticks.filter(({at}, index) => index === 0 || at !== ticks[index - 1]?.at);
}

function roundValues({low, high, rows}: Scale & Pick<Plot, 'rows'>): readonly number[] {
	const step = roundStep((high - low) / Math.max(1, Math.floor(rows / 3)));
	const first = Math.ceil(low / step - 1e-9);
	const count = Math.floor(high / step + 1e-9) - first + 1;
	const length = Math.max(0, Math.min(rows, count));
	return Array.from({length}, (_, index) => (first + index) * step);
}

/** A width that people count in, and that is at least so wide: 1, 2, 2.5 or 5 of some power of ten. */
export function roundStep(least: number): number {
	if (!(least > 0) || !Number.isFinite(least)) return 1;
	const power = 10 ** Math.floor(Math.log10(least));
	return ([1, 2, 2.5, 5].find(step => step * power >= least * (1 - 1e-9)) ?? 10) * power;
}

/** The rule below a graph with its ticks, and their texts centred below it: the first and the last always. */
export function axisBelow(
	columns: number,
	ticks: readonly Tick[],
	{indent, theme}: {readonly indent: number; readonly theme: Theme},
) {
	const rule = Array.from({length: columns}, () => '─');
	const texts = Array.from({length: indent + columns}, () => ' ');
	const [first, ...others] = ticks;
	const last = others.pop();
	const placed = [first, last, ...others].filter(tick => tick !== undefined);
	for (const {at, text} of placed) {
		const width = widthOf(text);
		const from = Math.max(
			0,
			Math.min(indent + at - Math.floor(width / 2), indent + columns - width),
		);
		const room = texts.slice(Math.max(0, from - 1), from + width + 1);
		if (at < 0 || at >= columns || room.some(sign => sign !== ' ')) continue;
		rule[at] = '┴';
		for (const [index, sign] of cellsOf(text).entries()) texts[from + index] = sign;
	}
	return {
		rule: theme.style('quiet', `${' '.repeat(Math.max(0, indent - 1))}└${rule.join('')}`),
		texts: theme.style('quiet', texts.join('').trimEnd()),
	};
}
