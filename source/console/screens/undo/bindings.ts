import type {Bindings} from '../../ui/bindings.ts';
import {columnKeys, movements, type ListTarget} from '../../list/bindings.ts';

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
