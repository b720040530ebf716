/** Columns that write one value of a row, and order by it. */
import type {Column} from './columns.ts';

type Sketch = readonly [id: string, title: string, width: number, rank: number];
type Look = Pick<Column<unknown>, 'align' | 'best'>;
type Value = string | number | null | undefined;

const looking =
	(look: Look) =>
	<Row, Of extends Value>(
		[id, title, width, rank]: Sketch,
		of: (row: Row) => Of,
		write: (value: Of) => string,
	): Column<Row> => ({
		id,
		title,
		width,
		rank,
		...look,
		cell: row => write(of(row)),
		sortKey: row => of(row) ?? undefined,
	});

export const textColumn = looking({align: 'left', best: 'low'});
/** Numbers of which the least is best. */
export const leastColumn = looking({align: 'right', best: 'low'});
/** Numbers of which the most is best. */
export const mostColumn = looking({align: 'right', best: 'high'});
