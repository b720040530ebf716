import type {Column} from '../../list/columns.ts';
import {MISSING, money, timeOfDay} from '../../../renter/text/format.ts';
import {fit} from '../../../renter/text/text-width.ts';
import type {Activity} from '../../../renter/nouns/activity.ts';

type EntryColumn = Column<Activity>;

const two = (value: number) => String(value).padStart(2, '0');

/** The day only where it is not today. */
export function timeOf(at: number, now: Date): string {
	const date = new Date(at);
	const time = timeOfDay(date);
	if (date.toDateString() === now.toDateString()) return time;
	return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${time.slice(0, 5)}`;
}

function text(id: 'what' | 'subject' | 'result', title: string, width: number): EntryColumn {
	return {
		id,
		title,
		width,
		align: 'left',
		rank: 0,
		cell: row => row[id] || MISSING,
		sortKey: row => row[id],
		best: 'low',
	};
}

const price: EntryColumn = {
	...text('what', '$', 7),
	id: 'price',
	align: 'right',
	cell: row => (row.price === undefined ? MISSING : money(row.price)),
	sortKey: row => row.price,
	best: 'high',
};

/** The columns for a width; what came of it gets all that is left. */
export function activityColumns(width: number, now: Date): readonly EntryColumn[] {
	const isNarrow = width < 70;
	const columns: readonly EntryColumn[] = [
		{
			...text('what', 'TIME', 11),
			id: 'time',
			cell: ({at}) => timeOf(at, now),
			sortKey: ({at}) => at,
			best: 'high',
		},
		text('what', 'WHAT', isNarrow ? 10 : 16),
		text('subject', 'ABOUT', isNarrow ? 12 : 22),
		...(isNarrow ? [] : [price]),
	];
	const used = columns.reduce((sum, column) => sum + column.width + 1, 0);
	return [...columns, text('result', 'RESULT', Math.max(6, width - used))];
}

/** A name and what it says, on a line. */
export function factLine(name: string, value: string, width: number): string {
	return fit(` ${fit(name, 12)}${value}`, width);
}
