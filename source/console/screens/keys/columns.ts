import type {Column} from '../../components/columns.ts';
import {MISSING} from '../../format.ts';
import {printable} from '../../terminal/output/text-width.ts';
import type {KeyRow} from './rows.ts';

type Text = 'name' | 'kind' | 'type' | 'end' | 'where';

const column = (id: Text, title: string, width: number, rank: number): Column<KeyRow> => ({
	id,
	title,
	width,
	rank,
	align: 'left',
	best: 'low',
	cell: row => (row[id] === '' ? MISSING : printable(row[id])),
	sortKey: row => row[id].toLowerCase(),
});

/** What the list of keys shows. */
export function keyColumns(width: number): ReadonlyArray<Column<KeyRow>> {
	const isWide = width >= 120;
	return [
		column('name', 'NAME', isWide ? 30 : 20, 0),
		column('kind', 'KIND', 4, 1),
		column('type', 'TYPE OR RIGHTS', isWide ? 56 : 26, 3),
		column('end', 'END', 6, 2),
		column('where', 'WHERE', isWide ? 34 : 18, 4),
	];
}
