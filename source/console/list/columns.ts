/** Columns of a list: their choice, order and width, and the cells of a record. */
import type {Meaning} from '../ui/theme.ts';
import {printable} from '../../renter/text/text-width.ts';
import type {ColumnChoice, ColumnSet} from '../../renter/settings/default-settings.ts';
import {MISSING} from '../../renter/text/format.ts';

export type Column<Row> = {
	readonly id: string;
	readonly title: string;
	/** Least width, with space for text that must not be cut. */
	readonly width: number;
	/** Wider widths, taken one after the other if there is space. @default none */
	readonly growth?: readonly number[];
	readonly align: 'left' | 'right';
	/** Columns of a higher rank are dropped first when the screen is narrow. */
	readonly rank: number;
	/** @param width present width in characters */
	readonly cell: (row: Row, width: number) => string;
	/** Sort key of a row; undefined if unknown, which sorts last. */
	readonly sortKey: (row: Row) => number | string | undefined;
	/** Better end of the values, which comes first. */
	readonly best: 'low' | 'high';
	/** The smallest set with the column: a compact list shows few columns, a wide one all. @default 'compact' */
	readonly set?: 'compact' | 'normal' | 'wide';
	/** Meaning of the cell: that of the first such column is the row's own, and shows at its edge, too. */
	readonly meaning?: (row: Row) => Meaning;
	/** The cell in parts of their own styles, instead of its text. */
	readonly draw?: (row: Row, width: number) => readonly StyledText[];
	/** Weight of cells without a meaning: prices and names are strong, lesser facts are quiet. @default plain */
	readonly weight?: 'strong' | 'quiet';
	/** Description for choosing columns, where the title is too short. */
	readonly about?: string;
};

export type StyledText = {readonly text: string; readonly style: Meaning};

/**
 * The columns that fit into a width with one blank between them, in their declared order. Remaining space
 * goes to columns that can use it.
 */
export function fitColumns<Row>(
	columns: ReadonlyArray<Column<Row>>,
	width: number,
): ReadonlyArray<Column<Row>> {
	const kept = new Set<Column<Row>>();
	let used = 0;
	for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
		const needed = column.width + (kept.size === 0 ? 0 : 1);
		if (used + needed > width) break;
		kept.add(column);
		used += needed;
	}
	return grown(
		columns.filter(column => kept.has(column)),
		width - used,
	);
}

/** Gives columns their next widths, the most important first, until no space is left. */
function grown<Row>(columns: ReadonlyArray<Column<Row>>, space: number) {
	const widths = new Map(columns.map(column => [column, column.width]));
	const rounds = Math.max(0, ...columns.map(({growth = []}) => growth.length));
	let left = space;
	for (let round = 0; round < rounds; round++) {
		for (const column of columns.toSorted((a, b) => a.rank - b.rank)) {
			const width = widths.get(column) ?? column.width;
			const more = Math.max(0, Math.min(left, (column.growth?.[round] ?? width) - width));
			widths.set(column, width + more);
			left -= more;
		}
	}
	return columns.map(column => {
		const width = widths.get(column) ?? column.width;
		return width === column.width ? column : {...column, width};
	});
}

/** All columns, those in view with their present widths, from which wider ones begin. */
export function asShown<Row>(
	columns: ReadonlyArray<Column<Row>>,
	shown: ReadonlyArray<Column<Row>>,
): ReadonlyArray<Column<Row>> {
	const widths = new Map(shown.map(({id, width}) => [id, width]));
	return columns.map(column => ({...column, width: widths.get(column.id) ?? column.width}));
}

export const usualChoice: ColumnChoice = {set: 'normal', visible: {}, order: [], widths: {}};

const sets: readonly ColumnSet[] = ['compact', 'normal', 'wide'];

const [LEAST_WIDTH, MOST_WIDTH] = [3, 60];

/** The next set of columns, which includes the ones before. */
export function nextSet(choice: ColumnChoice): ColumnChoice {
	const next = sets[(sets.indexOf(choice.set) + 1) % sets.length] ?? usualChoice.set;
	return {...choice, set: next};
}

export function isInSet<Row>({set = 'compact'}: Column<Row>, wanted: ColumnSet): boolean {
	return sets.indexOf(set) <= sets.indexOf(wanted);
}

export function isVisible<Row>(column: Column<Row>, choice: ColumnChoice): boolean {
	return choice.visible[column.id] ?? isInSet(column, choice.set);
}

/** All columns by the user's choice, hidden ones among them: in their order and width. */
export function arranged<Row>(
	columns: ReadonlyArray<Column<Row>>,
	{order, widths}: ColumnChoice,
): ReadonlyArray<Column<Row>> {
	const named = order.flatMap(id => columns.find(column => column.id === id) ?? []);
	const others = columns.filter(({id}) => !order.includes(id));
	return [...new Set(named), ...others].map(column => {
		const width = widths[column.id];
		return width === undefined ? column : {...column, width: fitting(width), growth: []};
	});
}

function fitting(width: number): number {
	return Math.max(LEAST_WIDTH, Math.min(Math.round(width), MOST_WIDTH));
}

/**
 * The columns that a list shows if there is space. Columns that the user chose by name, and those in
 * `needed`, which its filter and its order use, are the last to be dropped.
 */
export function chosenColumns<Row>(
	columns: ReadonlyArray<Column<Row>>,
	choice: ColumnChoice,
	needed: ReadonlySet<string> = new Set(),
): ReadonlyArray<Column<Row>> {
	return arranged(columns, choice).flatMap(column => {
		const isNeeded = needed.has(column.id);
		if (!isNeeded && !isVisible(column, choice)) return [];
		const isAskedFor = isNeeded || choice.visible[column.id] === true;
		// Ranks before all others, but still distinct.
		return [isAskedFor ? {...column, rank: column.rank - columns.length} : column];
	});
}

/** Requested columns without a value in any row. */
export function unsentColumns<Row>(
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
): ReadonlySet<string> {
	if (rows.length === 0) return new Set();
	const unsent = columns.filter(({sortKey}) => !rows.some(row => sortKey(row) !== undefined));
	return new Set(unsent.map(({id}) => id));
}

export function toggleColumn<Row>(column: Column<Row>, choice: ColumnChoice): ColumnChoice {
	const isShown = !isVisible(column, choice);
	const {[column.id]: _, ...visible} = choice.visible;
	// A choice that equals the set need not be kept.
	if (isShown === isInSet(column, choice.set)) return {...choice, visible};
	return {...choice, visible: {...visible, [column.id]: isShown}};
}

export function moveColumn<Row>(
	columns: ReadonlyArray<Column<Row>>,
	choice: ColumnChoice,
	{id, step}: {readonly id: string; readonly step: 1 | -1},
): ColumnChoice {
	const order = arranged(columns, choice).map(column => column.id);
	const from = order.indexOf(id);
	const to = from + step;
	const other = order[to];
	if (from === -1 || other === undefined) return choice;
	return {...choice, order: order.with(from, other).with(to, id)};
}

export function widenColumn<Row>(
	{id, width}: Column<Row>,
	choice: ColumnChoice,
	by: number,
): ColumnChoice {
	return {...choice, widths: {...choice.widths, [id]: fitting(width + by)}};
}

type Sketch = readonly [id: string, title: string, width: number, rank: number];
type ColumnLayout = Pick<Column<unknown>, 'align' | 'best'>;
type Value = string | number | null | undefined;

const looking =
	(layout: ColumnLayout) =>
	<Row, Of extends Value>(
		[id, title, width, rank]: Sketch,
		of: (row: Row) => Of,
		write: (value: Of) => string,
	): Column<Row> => ({
		id,
		title,
		width,
		rank,
		...layout,
		cell: row => write(of(row)),
		sortKey: row => of(row) ?? undefined,
	});

export const textColumn = looking({align: 'left', best: 'low'});
export const leastColumn = looking({align: 'right', best: 'low'});
export const mostColumn = looking({align: 'right', best: 'high'});

export function widthLeft(width: number, columns: ReadonlyArray<Pick<Column<never>, 'width'>>) {
	return columns.reduce((left, column) => left - column.width - 1, width);
}

/** Columns of rows that hold their cells as texts. */
export const textColumns = <Id extends string>(
	sketches: ReadonlyArray<readonly [id: Id, title: string, width: number, rank: number]>,
): ReadonlyArray<Column<Readonly<Record<Id, string>>>> =>
	sketches.map(sketch => ({
		...textColumn(
			sketch,
			(row: Readonly<Record<Id, string>>) => row[sketch[0]].toLowerCase(),
			String,
		),
		cell: row => (row[sketch[0]] === '' ? MISSING : printable(row[sketch[0]])),
	}));

/** A number made of a text: the same for the same text. Lists tell their rows apart by numbers. */
export function idOfText(text: string): number {
	// FNV-1a.
	let hash = 0x811c9dc5;
	for (const character of text) {
		hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
	}
	return hash;
}
