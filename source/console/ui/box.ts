/** Boxes: frames around content, and a frame over what was on the screen before it. */
import {clustersOf, fit, printable, widthOf} from '../../renter/text/text-width.ts';
import {pad} from './chrome.ts';
import type {Meaning, Theme} from './theme.ts';

type Size = {readonly columns: number; readonly rows: number};

/** The lines of a frame around content of `width` columns, with a blank at either side. */
export function frameOf({glyphs: {rule, box}}: Theme, width: number) {
	const across = (left: string, right: string, title = '') =>
		`${left}${rule.repeat(2)}${title === '' ? rule.repeat(2) : ` ${title} `}`.padEnd(
			width + 3,
			rule,
		) + right;
	return {
		top: (title: string) => across(box.topLeft, box.topRight, title),
		middle: across(box.left, box.right),
		bottom: across(box.bottomLeft, box.bottomRight),
		/** A line of the content, which is as wide as the frame wants it. */
		line: (content: string) => `${box.side} ${content} ${box.side}`,
	};
}

/** The least size of a screen that fits a box with something around it. */
const LEAST: Size = {columns: 72, rows: 18};
/** Most columns of a box's content: longer lines are hard to read. */
const MOST_COLUMNS = 84;
/** Columns of a frame: its sides and their blanks. */
const SIDES = 4;

/** Size of a box's content on a screen; undefined if no box fits. */
export function boxContentSize({columns, rows}: Size): Size | undefined {
	if (columns < LEAST.columns || rows < LEAST.rows) return undefined;
	// The heading stands in the frame's upper side, so that the frame takes one line more than the content.
	return {columns: Math.min(columns - SIDES, MOST_COLUMNS), rows: rows - 1};
}

export type Boxed = {
	readonly title: string;
	/** Text at the right of the frame's upper side. */
	readonly right: string;
	readonly lines: readonly string[];
	readonly meaning: Meaning;
};

type Placed = {
	readonly lines: readonly string[];
	/** Row of the frame's upper side, and column of the content. */
	readonly top: number;
	readonly left: number;
};

/** A box in the middle of what was behind it, which is dimmed. @param size of the screen */
export function boxOver(
	behind: readonly string[],
	size: Size,
	theme: Theme,
	{title, right, lines, meaning}: Boxed,
): Placed {
	const width = boxContentSize(size)?.columns ?? size.columns - SIDES;
	const frame = frameOf(theme, width);
	const {box, rule} = theme.glyphs;
	const end = right === '' ? '' : ` ${right} ${rule}`;
	const upper = ` ${fit(title, Math.min(widthOf(title), width - widthOf(end) - 2))} `;
	const between = rule.repeat(Math.max(0, width + 1 - widthOf(upper) - widthOf(end)));
	const side = theme.style(meaning, box.side);
	const drawn = [
		theme.style(meaning, box.topLeft + rule) +
			theme.style('strong', upper) +
			theme.style(meaning, between) +
			theme.style('quiet', end) +
			theme.style(meaning, box.topRight),
		...lines.map(line => `${side} ${pad(line, width)} ${side}`),
		theme.style(meaning, frame.bottom),
	];
	const top = Math.max(0, Math.floor((size.rows - drawn.length) / 3));
	const left = Math.max(0, Math.floor((size.columns - width - SIDES) / 2));
	const around = Array.from({length: size.rows}, (_, row) => {
		const line = drawn[row - top];
		const [before, after] = sidesOf(dimmed(theme, behind[row]), size.columns, {
			from: line === undefined ? size.columns : left,
			to: left + width + SIDES,
		});
		return theme.style('quiet', before) + (line ?? '') + theme.style('quiet', after);
	});
	return {lines: around, top, left: left + 2};
}

/** A line behind the box, where the theme can dim it: otherwise it would be read as part of the question. */
function dimmed(theme: Theme, line = ''): string {
	return theme.style('quiet', 'x') === 'x' ? '' : printable(line);
}

/** Columns of a line before and after others. A wide character that lies across an edge becomes a blank. */
function sidesOf(
	line: string,
	columns: number,
	{from, to}: {readonly from: number; readonly to: number},
): readonly [before: string, after: string] {
	let [before, after, at] = ['', '', 0];
	for (const cluster of clustersOf(line)) {
		const end = at + widthOf(cluster);
		if (end <= from) before += cluster;
		else if (at >= to && end <= columns) after += cluster;
		else if (at < to && end > to) after += ' '.repeat(end - to);
		at = end;
	}
	const isWhole = from >= columns;
	return [isWhole ? before : pad(before, from), isWhole ? '' : after];
}
