/** The list of changes that can be taken back: its columns, and its keys. */
import type {Bindings} from '../../ui/bindings.ts';
import {columnKeys, movements, type ListTarget} from '../../list/bindings.ts';
import {textColumns} from '../../list/text-columns.ts';

/** Columns of the list of changes that can be taken back. */
export const undoColumns = (width: number) => {
	const isNarrow = width < 70;
	const widths = [11, isNarrow ? 10 : 16, isNarrow ? 12 : 22] as const;
	const rest = Math.max(8, width - widths[0] - widths[1] - widths[2] - 3);
	return textColumns([
		['when', 'WHEN', widths[0], 0],
		['what', 'WHAT', widths[1], 0],
		['about', 'ABOUT', widths[2], 0],
		['back', 'BACK TO', rest, 0],
	]);
};

type UndoTarget = {readonly open: () => void};

/** Keys of the list of changes that can be taken back. */
export const undoBindings: Bindings<ListTarget & UndoTarget> = [
	{
		keys: ['Enter', 'u'],
		id: 'take-it-back',
		title: 'take it back; it asks, and says what changed since',
		hint: 'take back',
		isChange: true,
		changesService: true,
		does: 'open',
		unavailable: ['ifEmpty', 'nothing can be taken back'],
	},
	...movements,
	...columnKeys,
];
