import type {Column} from '../../components/columns.ts';
import {printable} from '../../terminal/output/text-width.ts';
import type {ProfileRow} from './rows.ts';

type Text = 'name' | 'server' | 'key' | 'mode' | 'state';

const column = (id: Text, title: string, width: number, rank: number): Column<ProfileRow> => ({
	id,
	title,
	width,
	rank,
	align: 'left',
	best: 'low',
	cell: row => printable(row[id]),
	sortKey: row => row[id].toLowerCase(),
});

/** What the list of profiles shows; where there is room, more of each. */
export function profileColumns(width: number): ReadonlyArray<Column<ProfileRow>> {
	const isWide = width >= 120;
	return [
		column('name', 'PROFILE', isWide ? 18 : 12, 0),
		column('server', 'SERVER', isWide ? 40 : 28, 2),
		column('key', 'KEY', isWide ? 20 : 14, 3),
		column('mode', 'MODE', 4, 1),
		column('state', 'STATE', isWide ? 50 : 16, 4),
	];
}
