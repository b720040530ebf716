/** Lines put together from parts, one under the other or side by side, and texts broken into lines. */
import {pad} from './chrome.ts';
import type {Theme} from './theme.ts';
import type {Readable} from '../../renter/state/store.ts';
import type {Key} from '../terminal/input/keys.ts';
import {fit} from '../../renter/text/text-width.ts';

type Fact = readonly [name: string, value: string];

/** Mouse handlers of lines; lines and columns are counted from 0. */
export type OnMouse = {
	/** Handles a click; returns the key that does what was clicked on, where one does. */
	readonly click?: ((line: number, column: number) => Key | undefined) | undefined;
	/** Moves the left edge of the lines, which was dragged over so many columns. */
	readonly drag?: ((columns: number) => void) | undefined;
};

/** Finished lines. The same lines are the same array. */
export type LineSource = Readable<readonly string[]> & OnMouse;

/** Lines with a part among them that has their clicks. */
export function withClicksOf(lines: LineSource, part: LineSource): LineSource {
	return {
		...lines,
		click(line, column) {
			const first = lines.get().indexOf(part.get()[0] ?? '');
			return first === -1 ? undefined : part.click?.(line - first, column);
		},
	};
}

/** Columns that a pane has after its left edge was dragged: enough for it, and for what is beside it. */
export function draggedWidth(
	columns: number,
	by: number,
	{least, most}: {readonly least: number; readonly most: number},
): number {
	return Math.max(least, Math.min(columns - by, most));
}

/** Time for which the cursor rests on a row before panes are drawn for it. */
export const REST_MS = 100;

/** Lines with their size on the screen. */
export type Block = {
	readonly source: LineSource;
	readonly width: number;
	readonly height: number;
};

/** Blocks side by side. */
export type Band = readonly Block[];

/** Bands as lines, one under the other, laid out as Ink does. */
export function layOutBands(bands: readonly Band[]): readonly string[] {
	return bands.flatMap(blocks => {
		const sides = blocks.map(({source, width, height}) =>
			inHeight(source.get(), height).map(line => pad(line, width)),
		);
		const [first = []] = sides;
		return first.map((_, row) => sides.map(lines => lines[row]).join(''));
	});
}

/** Cuts or fills lines to a count. */
export function inHeight(lines: readonly string[], height: number): readonly string[] {
	const blank = Array.from({length: Math.max(0, height - lines.length)}, () => '');
	return [...lines.slice(0, height), ...blank];
}

/** Two columns of lines with an upright rule between them. Styled lines must fit into their column already. */
export function beside(
	left: readonly string[],
	right: readonly string[],
	{leftWidth, height}: {readonly leftWidth: number; readonly height: number},
): readonly string[] {
	const rights = inHeight(right, height);
	return inHeight(left, height).map((line, index) =>
		`${pad(line, leftWidth)} │ ${rights[index] ?? ''}`.trimEnd(),
	);
}

/** Names and values as lines, the names in a column of their own. */
export function factLines(
	{style}: Pick<Theme, 'style'>,
	facts: readonly Fact[],
	width: number,
): readonly string[] {
	const names = Math.max(0, ...facts.map(([name]) => name.length)) + 2;
	return facts.map(([name, value]) => {
		const title = fit(` ${name.padEnd(names)}`, Math.min(width, names + 1));
		return style('quiet', title) + fit(value, Math.max(0, width - names - 1));
	});
}

/** A row of a short list behind its gutter; the one under the cursor stands out over the whole width. */
export function pickRow(
	theme: Pick<Theme, 'row'>,
	text: string,
	{isHere, width}: {readonly isHere: boolean; readonly width: number},
): string {
	return isHere ? theme.row(pad(` ${text}`, width - 1)) : `  ${text}`;
}
