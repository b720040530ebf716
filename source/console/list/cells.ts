/** A row of a list as text, and the sign at its edge. */
import {fit} from '../../renter/text/text-width.ts';
import type {Meaning, Theme} from '../theme.ts';
import type {Column} from './columns.ts';

/** Mark at the end of a row that the service has stopped sending. */
const GONE = ' gone';

/** A stretch of a row, with a meaning where it says how grave the row is; a blank stands before it. */
type Part = {readonly text: string; readonly meaning?: Meaning};

/** A row as text: its first cell, on which the cursor shows, and the others. */
export type Cells = {
	readonly first: string;
	readonly rest: readonly Part[];
	readonly isGone: boolean;
};

export function writeCells<Row>(
	[first, ...rest]: ReadonlyArray<Column<Row>>,
	row: Row,
	isGone: boolean,
): Cells {
	const name = first === undefined ? '' : cellOf(first, row);
	const parts = partsOf(rest, row);
	if (!isGone) return {first: name, rest: parts, isGone};
	const others = parts.map(({text, meaning}) => (meaning === undefined ? text : ` ${text}`));
	const width = rest.reduce((sum, column) => sum + column.width + 1, 0);
	const text = fit(others.join(''), Math.max(0, width - GONE.length), 'left', '') + GONE;
	return {first: name, rest: [{text}], isGone};
}

/** The cells of columns: those with a meaning by themselves, those between them as one. */
function partsOf<Row>(columns: ReadonlyArray<Column<Row>>, row: Row): readonly Part[] {
	const parts: Part[] = [];
	let between = '';
	for (const column of columns) {
		const text = cellOf(column, row);
		const {meaning} = column;
		if (meaning === undefined) {
			between += ` ${text}`;
			continue;
		}
		parts.push({text: between}, {text, meaning: meaning(row)});
		between = '';
	}
	return [...parts, {text: between}];
}

function cellOf<Row>({cell, width, align}: Column<Row>, row: Row): string {
	return fit(cell(row, width), width, align);
}

const grave = new Set<Meaning | undefined>(['warning', 'danger', 'alarm']);

/** The sign at the edge of a row: its mark, else that it has changed, else that it is grave. */
export function edgeOf(
	{glyphs, style}: Theme,
	{rest}: Cells,
	{isMarked, isNews}: {readonly isMarked: boolean; readonly isNews: boolean},
): string {
	const meaning = rest.find(part => part.meaning !== undefined)?.meaning;
	const sign = signAt({isMarked, isNews, isGrave: grave.has(meaning)}, glyphs);
	return sign === ' ' ? sign : style(meaning ?? 'plain', sign);
}

type Edge = {readonly isMarked: boolean; readonly isNews: boolean; readonly isGrave: boolean};

function signAt({isMarked, isNews, isGrave}: Edge, {mark, news, edge}: Theme['glyphs']): string {
	if (isMarked) return mark;
	if (isNews) return news;
	return isGrave ? edge : ' ';
}
