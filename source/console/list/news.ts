/** What is said of a table in its rule: which rows are marked, and what of them is held back. */
import {count} from '../../renter/format.ts';
import {markedRows} from './marks.ts';
import type {MarkedRows} from './marks.ts';
import type {Changes} from './merge.ts';
import type {IdOf, ListState} from './state.ts';

/** Says something of the marked rows: "best $0.29, worst $0.31". */
export type Summary<Row> = (rows: readonly Row[]) => string;

/** The marked rows of a state; looked for again only when marks or rows have changed. */
export function markedRowsOf<Row>(idOf: IdOf<Row>): (state: ListState<Row>) => MarkedRows<Row> {
	let last: ListState<Row> | undefined;
	let found: MarkedRows<Row> = {rows: [], gone: 0};
	return state => {
		const isSame =
			last !== undefined &&
			last.shown === state.shown &&
			last.marked === state.marked &&
			last.missing === state.missing &&
			last.anchor === state.anchor &&
			(state.anchor === undefined || last.cursor === state.cursor);
		if (!isSame) found = markedRows(state, idOf);
		last = state;
		return found;
	};
}

/** "3 marked: best .2930", and how many more of the marked rows are gone. */
export function describeMarks<Row>({rows, gone}: MarkedRows<Row>, summary: Summary<Row>): string {
	if (rows.length + gone === 0) return '';
	const lost = gone === 0 ? '' : `, ${count(gone)} gone`;
	const said = rows.length === 0 ? '' : summary(rows);
	return `${count(rows.length)} marked${lost}${said === '' ? '' : `: ${said}`}`;
}

/** What the next key would do to the rows: "new 4, gone 2, moved 6 - R applies". */
export function describeWaiting(waiting: Changes | undefined): string {
	if (waiting === undefined) return '';
	const {added, gone, moved} = waiting;
	const parts = [
		...(added === 0 ? [] : [`new ${count(added)}`]),
		...(gone === 0 ? [] : [`gone ${count(gone)}`]),
		...(moved === 0 ? [] : [`moved ${count(moved)}`]),
	];
	return `${parts.join(', ')} - R applies`;
}
