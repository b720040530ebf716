import type {Column} from '../../list/columns.ts';
import {count, money, percent} from '../../../renter/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import type {Grouping, Sum} from './charges.ts';

type Sketch = Pick<Column<Sum>, 'id' | 'title' | 'width' | 'rank' | 'cell' | 'sortKey'>;

const left = (sketch: Sketch): Column<Sum> => ({align: 'left', best: 'low', ...sketch});
const right = (sketch: Sketch): Column<Sum> => ({align: 'right', best: 'high', ...sketch});

/** What the table of charges shows. */
export function sumColumns(by: Grouping, width = 80): ReadonlyArray<Column<Sum>> {
	return [
		left({
			id: 'name',
			title: by === 'thing' ? 'WHAT IT WAS FOR' : 'DAY (UTC)',
			// What it cost is never the one to go.
			width: width < 60 ? 24 : 40,
			rank: 0,
			cell: ({name}) => printable(name),
			sortKey: ({name}) => name,
		}),
		right({
			id: 'dollars',
			title: 'CHARGED',
			width: 10,
			rank: 1,
			cell: ({dollars}) => money(dollars),
			sortKey: ({dollars}) => dollars,
		}),
		right({
			id: 'share',
			title: '%',
			width: 5,
			rank: 2,
			cell: ({share}) => percent(share),
			sortKey: ({share}) => share,
		}),
		right({
			id: 'parts',
			title: by === 'thing' ? 'DAYS' : 'THINGS',
			width: 6,
			rank: 3,
			cell: ({parts}) => count(parts),
			sortKey: ({parts}) => parts,
		}),
	];
}
