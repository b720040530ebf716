/** Columns of a list, their order and widths: those of a set, with the user's changes. */
import type {Column} from './columns.ts';
import type {ColumnChoice, ColumnSet} from '../../renter/settings/default-settings.ts';

/** Default columns of a list. */
export const usualChoice: ColumnChoice = {set: 'normal', visible: {}, order: [], widths: {}};

const sets: readonly ColumnSet[] = ['compact', 'normal', 'wide'];

/** The narrowest and the widest that a column is made. */
const [LEAST_WIDTH, MOST_WIDTH] = [3, 60];

/** The next of the sets, each having all that those before it have. */
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

/** All columns as they are chosen, hidden ones among them: in their order, as wide as wanted. */
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
 * The columns that a list shows where there is room. Those that the user asked for by name, and
 * those in `needed`, which its filter and its order use, are the last to be dropped.
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
		// In front of all ranks, but still one after the other.
		return [isAskedFor ? {...column, rank: column.rank - columns.length} : column];
	});
}

/** The columns for which no row has a value, though it was asked for. */
export function unsentColumns<Row>(
	columns: ReadonlyArray<Column<Row>>,
	rows: readonly Row[],
): ReadonlySet<string> {
	if (rows.length === 0) return new Set();
	const unsent = columns.filter(({sortKey}) => !rows.some(row => sortKey(row) !== undefined));
	return new Set(unsent.map(({id}) => id));
}

/** Shows a column that is hidden, or hides one that is shown. */
export function toggleColumn<Row>(column: Column<Row>, choice: ColumnChoice): ColumnChoice {
	const isShown = !isVisible(column, choice);
	const {[column.id]: _, ...visible} = choice.visible;
	// What the set says anyway needs not be remembered.
	if (isShown === isInSet(column, choice.set)) return {...choice, visible};
	return {...choice, visible: {...visible, [column.id]: isShown}};
}

/** Moves a column one place to the left or right. */
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

/** Makes a column wider or narrower. */
export function widenColumn<Row>(
	{id, width}: Column<Row>,
	choice: ColumnChoice,
	by: number,
): ColumnChoice {
	return {...choice, widths: {...choice.widths, [id]: fitting(width + by)}};
}
