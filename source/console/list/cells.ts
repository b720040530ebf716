/** Rows of a list as text: their styled cells, and the signs before them. */
import {MISSING} from '../../renter/text/format.ts';
import {fit} from '../../renter/text/text-width.ts';
import type {Meaning, Theme} from '../ui/theme.ts';
import type {Column, StyledText} from './columns.ts';

/** Mark at the end of a row that the service has stopped sending. */
const GONE = ' gone';

export type Cells = {
	readonly parts: readonly StyledText[];
	/** Severity of the row; undefined if no column has one. */
	readonly gravity: Meaning | undefined;
	readonly isGone: boolean;
};

export function writeCells<Row>(
	columns: ReadonlyArray<Column<Row>>,
	row: Row,
	isGone: boolean,
): Cells {
	const parts = partsOf(columns, row);
	const gravity = columns.find(({meaning}) => meaning !== undefined)?.meaning?.(row);
	if (!isGone) return {parts, gravity, isGone};
	const width = widthOfColumns(columns);
	const text = parts.map(part => part.text).join('');
	const shown = fit(text, Math.max(0, width - GONE.length), 'left', '') + GONE;
	return {parts: [{text: shown, style: 'quiet'}], gravity: undefined, isGone};
}

/** Columns of a row, with a blank between any two. */
export function widthOfColumns(columns: ReadonlyArray<Pick<Column<never>, 'width'>>): number {
	return columns.reduce((sum, {width}) => sum + width + 1, -1);
}

/** The cells of columns; neighbours of one style are one part. */
function partsOf<Row>(columns: ReadonlyArray<Column<Row>>, row: Row): readonly StyledText[] {
	const parts: Array<{text: string; style: Meaning}> = [];
	function add(text: string, style: Meaning): void {
		const last = parts.at(-1);
		if (last?.style === style) last.text += text;
		else parts.push({text, style});
	}
	for (const [at, column] of columns.entries()) {
		const cell = column.draw?.(row, column.width) ?? [plainPart(column, row)];
		// A blank between two cells of one style has that style.
		const [first] = cell;
		const isJoined = first !== undefined && parts.at(-1)?.style === first.style;
		if (at > 0) add(' ', isJoined ? first.style : 'plain');
		for (const {text, style} of cell) add(text, style);
	}
	return parts;
}

function plainPart<Row>(column: Column<Row>, row: Row): StyledText {
	const text = cellOf(column, row);
	return {text, style: styleOf(column, row, text)};
}

/** Cells that say nothing new. */
const unremarkable = new Set([MISSING, 'ok', '']);

function styleOf<Row>({id, meaning, weight}: Column<Row>, row: Row, text: string): Meaning {
	if (meaning !== undefined) return meaning(row);
	return unremarkable.has(text.trim()) ? 'quiet' : (weight ?? usualWeights[id] ?? 'plain');
}

/** Weights of columns that set none, by their ids: names are strong, seldom-read facts quiet. */
const usualWeights: Readonly<Record<string, Column<never>['weight']>> = {
	name: 'strong',
	label: 'strong',
	subject: 'strong',
	about: 'strong',
	gpus: 'strong',
	time: 'quiet',
	when: 'quiet',
	kind: 'quiet',
	key: 'quiet',
	end: 'quiet',
	hash_id: 'quiet',
	count_created: 'quiet',
	recent_create_date: 'quiet',
	geolocation: 'quiet',
	machine: 'quiet',
};

function cellOf<Row>({cell, width, align}: Column<Row>, row: Row): string {
	return fit(cell(row, width), width, align);
}

const grave = new Set<Meaning | undefined>(['warning', 'danger', 'alarm']);

/** The two signs before a row: how grave it is, and whether it is marked or has changed. */
export function signsOf(
	{glyphs, style}: Theme,
	{gravity}: Cells,
	{isSelected, isNews}: {readonly isSelected: boolean; readonly isNews: boolean},
): {readonly edge: string; readonly mark: string} {
	const shownStyle = gravity ?? 'plain';
	return {
		edge: grave.has(gravity)
			? style(shownStyle === 'alarm' ? 'danger' : shownStyle, glyphs.edge)
			: ' ',
		mark: isSelected ? style('key', glyphs.mark) : isNews ? style(shownStyle, glyphs.news) : ' ',
	};
}
