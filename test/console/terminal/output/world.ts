import * as fc from 'fast-check';
import {regionStart} from '../../../../source/console/terminal/output/screen.ts';
import {blank, type Cell} from './emulator.ts';

export type Rows = readonly (readonly Cell[])[];
export type Box = {
	readonly top: number;
	readonly left: number;
	readonly width: number;
	readonly height: number;
};

/** What should be on the screen, told without any of the code under test. */
export type World = {
	readonly columns: number;
	readonly rows: number;
	readonly base: Rows;
	readonly regions: readonly Box[];
	readonly dialog: Box | undefined;
	readonly painted: readonly Rows[];
	readonly cursor: {readonly row: number; readonly column: number} | undefined;
	/** Counts how often something else wrote on the terminal. */
	readonly spoilt: number;
};

const wideGlyphs = ['漢', '字', '가', 'ア', '！'];
// Terminals, and this emulator with its rules of Unicode 6, give some of these other widths than we do.
const disputedGlyphs = ['😀', '👍🏽', '👨‍👩‍👧', '❤️', '🇩🇪', '⌚'];
const narrowGlyphs = ['e\u0301', 'ก', '─', '│', '█', '⠿', '→', 'é', '…', 'ж'];

const glyphs = fc.oneof(
	{weight: 12, arbitrary: fc.constantFrom('a', 'b', 'c', '0', '1', '-')},
	{weight: 8, arbitrary: fc.constant(' ')},
	{weight: 3, arbitrary: fc.constantFrom(...narrowGlyphs)},
	{weight: 3, arbitrary: fc.constantFrom(...wideGlyphs)},
	{weight: 1, arbitrary: fc.constantFrom(...disputedGlyphs)},
);

const switches = ['1', '2', '3', '4', '7', '8', '9'];
const colours = [
	'31',
	'97',
	'38;5;1',
	'38;5;200',
	'38;2;1;2;3',
	'42',
	'101',
	'48;5;9',
	'48;2;9;8;7',
];
const styles = fc.oneof(
	{weight: 4, arbitrary: fc.constant('')},
	{weight: 1, arbitrary: fc.constant('7')},
	{
		weight: 3,
		arbitrary: fc.subarray([...switches, ...colours], {maxLength: 4}).map(list => list.join(';')),
	},
);

const isWide = (glyph: string) => wideGlyphs.includes(glyph) || disputedGlyphs.includes(glyph);

const segments = fc.record({style: styles, text: fc.array(glyphs, {maxLength: 8})});

function cellsOf({style, text}: {readonly style: string; readonly text: readonly string[]}) {
	return text.flatMap(glyph => [{glyph, style}, ...(isWide(glyph) ? [{glyph: '', style}] : [])]);
}

/** A few cells. */
export const snippets: fc.Arbitrary<readonly Cell[]> = fc
	.record({style: styles, text: fc.array(glyphs, {minLength: 1, maxLength: 3})})
	.map(cellsOf);

// Rows of a table are alike, so that only the right one will do.
export const tableLines = fc
	.nat({max: 40})
	.map((number): readonly Cell[] => [
		...cellsOf({style: '', text: Array.from(`${number} `.padEnd(4))}),
		...cellsOf({style: number % 3 === 0 ? '' : '32', text: Array.from('run漢ing')}),
		...cellsOf({style: '', text: Array.from(`  $0.${number % 7}5 ok`)}),
	]);

export const lines: fc.Arbitrary<readonly Cell[]> = fc.oneof(
	fc.array(segments, {maxLength: 5}).map(parts => parts.flatMap(cellsOf)),
	tableLines,
);

/** A part of a line, exactly so wide; a wide glyph cut in two is blank. */
export function cut(line: readonly Cell[], from: number, width: number): readonly Cell[] {
	const part = Array.from({length: width}, (_, index) => line[from + index] ?? blank);
	return part.map((cell, index) => {
		const isHalf =
			(index === 0 && cell.glyph === '') ||
			(index === width - 1 && cell.glyph !== '' && line[from + width]?.glyph === '');
		return isHalf ? {...cell, glyph: ' '} : cell;
	});
}

export function overlay(
	line: readonly Cell[],
	left: number,
	part: readonly Cell[],
): readonly Cell[] {
	const end = left + part.length;
	return [...cut(line, 0, left), ...part, ...cut(line, end, Math.max(0, line.length - end))];
}

const isInside = (box: Box, row: number) => row >= box.top && row < box.top + box.height;

/** The frame Ink would make of a world: the base, the painted regions over it, the dialog over all. */
export function frameOf(world: World): readonly (readonly Cell[])[] {
	return Array.from({length: world.rows}, (_, row) => {
		let line = cut(world.base[row] ?? [], 0, world.columns);
		for (const [region, box] of world.regions.entries()) {
			if (!isInside(box, row) || box.left >= world.columns) continue;
			const glyph = regionStart(region, row - box.top);
			const width = Math.min(box.width, world.columns - box.left);
			const cells = Array.from({length: width}, (_cell, column) =>
				column > 0 ? blank : {glyph, style: ''},
			);
			line = overlay(line, box.left, cells);
		}
		const {dialog} = world;
		if (dialog && isInside(dialog, row) && dialog.left < world.columns) {
			const width = Math.min(dialog.width, world.columns - dialog.left);
			const cells = Array.from({length: width}, () => ({glyph: '#', style: '7'}));
			line = overlay(line, dialog.left, cells);
		}
		return line;
	});
}

const regionOf = (glyph: string) => Math.floor((glyph.charCodeAt(0) - 0xe000) / 400);
// Underline, inverse, strikethrough and backgrounds show on a blank.
const showsOnBlank = /(?:^|;)(?:[479]|42|48|101)(?:;|$)/;
const isBlank = (cell: Cell | undefined) => cell?.glyph === ' ' && !showsOnBlank.test(cell.style);
const isSentinel = ({glyph}: Cell) => glyph >= '\uE000' && glyph <= '\uF8FF';

/** What the terminal should show of a frame: behind every sentinel, over the blanks, its painted line. */
export function shownOf(world: World): readonly (readonly Cell[])[] {
	const frame = frameOf(world);
	return frame.map((line, row) => {
		let result = line;
		for (let column = 0; column < line.length;) {
			const cell = line[column] ?? blank;
			let end = column + 1;
			if (isSentinel(cell)) {
				while (end < line.length && isBlank(line[end])) end += 1;
				const region = regionOf(cell.glyph);
				const painted = world.painted[region]?.[row - (world.regions[region]?.top ?? 0)] ?? [];
				const part = cut(painted, 0, end - column);
				result = [...result.slice(0, column), ...part, ...result.slice(end)];
			}
			column = end;
		}
		return result;
	});
}
