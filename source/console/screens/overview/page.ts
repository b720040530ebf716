/** Pieces of which pages of the overview are made: lines of a part, titles, and halves side by side. */
import {fit} from '../../../renter/text/text-width.ts';
import {pad} from '../../ui/chrome.ts';
import {inHeight} from '../../ui/panes.ts';
import type {Theme} from '../../ui/theme.ts';
import type {Size} from '../../terminal/terminal.ts';
import {
	overviewSpans,
	type OverviewRow,
	type OverviewState,
	type OverviewPart,
	type OverviewData,
} from './overview-state.ts';

export type Paper = {readonly theme: Theme; readonly size: Size};

export type OverviewPage = {
	readonly state: OverviewState;
	readonly data: OverviewData;
	readonly paper: Paper;
	readonly chosen: OverviewRow | undefined;
	readonly of: ReadonlyMap<OverviewPart, readonly OverviewRow[]>;
};

export const linesIn = ({of}: OverviewPage, part: OverviewPart): readonly OverviewRow[] =>
	of.get(part) ?? [];

/** Lines of a part that fit, those around the cursor, the chosen one over the whole width. */
export function partLines(
	page: OverviewPage,
	part: OverviewPart,
	room: {readonly rows: number; readonly width: number},
) {
	const {paper, chosen} = page;
	const lines = linesIn(page, part);
	const at = chosen === undefined ? -1 : lines.indexOf(chosen);
	const top = Math.max(0, Math.min(at - room.rows + 1, lines.length - room.rows));
	return lines.slice(top, top + room.rows).map(line => {
		const {theme} = paper;
		const written = line.write(room.width - 1, theme);
		return line === chosen ? theme.row(pad(written, room.width - 1)) : ` ${written}`;
	});
}

export function title({theme}: Paper, width: number, left: string, right = ''): string {
	const {rule} = theme.glyphs;
	const end = right === '' ? '' : ` ${right} ${rule}`;
	const start = `${rule}${rule} ${left} `;
	const middle = rule.repeat(Math.max(0, width - start.length - end.length));
	return theme.style('quiet', fit(start + middle + end, width));
}

export const WHO = 'who confirmed: Watchdog Guard Market';

/** Rows of each part: all that it has if they fit, else its share of them. */
export function sharedRows(wanted: readonly number[], rows: number): readonly number[] {
	const given = wanted.map(() => 0);
	let left = rows;
	// Rows are given out in turn, so that a long part does not starve the others.
	for (let isGiven = true; left > 0 && isGiven;) {
		isGiven = false;
		for (const [at, want] of wanted.entries()) {
			if (left === 0 || (given[at] ?? 0) >= want) continue;
			given[at] = (given[at] ?? 0) + 1;
			left -= 1;
			isGiven = true;
		}
	}
	return given;
}

/** "TROUBLE 5", and how many of them do not fit. */
export function counted(name: string, all: number, shown: number): string {
	return all === 0 ? name : `${name}  ${all}${shown < all ? `, ${shown} shown` : ''}`;
}

export const noteOfUse = (all: number, shown: number) => (shown < all ? `${shown} of ${all}` : '');

/** Columns between two halves. */
export const BETWEEN = 3;

type Side = {readonly leftWidth: number; readonly height: number};

export function halves(
	left: readonly string[],
	right: readonly string[],
	{leftWidth, height}: Side,
) {
	const rights = inHeight(right, height);
	return inHeight(left, height).map(
		(line, at) => `${pad(line, leftWidth)}${' '.repeat(BETWEEN)}${rights[at] ?? ''}`,
	);
}

export const spanName = ({span}: Pick<OverviewState, 'span'>) =>
	(overviewSpans[span] ?? overviewSpans[1]).name;
