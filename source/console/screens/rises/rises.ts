/** The list of price rises: its columns, and its keys. */
import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';
import {textColumns} from '../../list/text-columns.ts';

/** Columns of the list of price rises. */
export const riseColumns = (width: number) => {
	const name = width < 100 ? 14 : 26;
	const rest = Math.max(10, width - name - 2 * 11 - 3);
	return textColumns([
		['instance', 'INSTANCE', name, 0],
		['what', 'WHAT COSTS MORE', rest, 0],
		['kept', 'NOT BEFORE', 11, 0],
		['until', 'THEN UNTIL', 11, 0],
	]);
};

/** Target of the keys of price rises, beside those of every list. */
export type RisesTarget = {
	readonly accept: () => void;
	readonly reject: () => void;
	readonly instance: () => void;
	readonly refresh: () => void;
};

const empty = ['ifEmpty', 'nothing waits for an answer'] as const;

export const riseBindings: Bindings<ListTarget & RisesTarget> = [
	{
		keys: ['Enter'],
		id: 'accept-the-new-price',
		title: 'accept the new price; it asks, and says from when on',
		hint: 'accept',
		isChange: true,
		changesService: true,
		does: 'accept',
		unavailable: empty,
	},
	{
		keys: ['x'],
		id: 'reject-the-new-price',
		title: 'reject the new price: the instance ends at its end; it asks',
		hint: 'reject',
		isChange: true,
		changesService: true,
		does: 'reject',
		unavailable: empty,
	},
	{
		keys: ['i'],
		id: 'go-to-its-instance',
		title: 'go to its instance',
		hint: 'instance',
		does: 'instance',
		unavailable: empty,
	},
	refreshKey(rereadWords),
	...movements,
	...columnKeys,
];
