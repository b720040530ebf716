import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';

/** Target of the machines list's keys. */
export type MachinesTarget = {
	readonly unlist: () => void;
	readonly noUnlist: () => string | undefined;
	readonly copy: () => void;
	readonly missing: () => string | undefined;
	readonly refresh: () => void;
};

export const machineListBindings: Bindings<ListTarget & MachinesTarget> = [
	{
		keys: ['x'],
		id: 'offer-the-machine-no-longer-it-asks',
		title: 'offer the machine no longer; it asks',
		hint: 'unlist',
		isChange: true,
		changesService: true,
		does: 'unlist',
		unavailable: 'noUnlist',
	},
	{
		keys: ['y', 'c'],
		id: 'copy-the-number-of-the-machine',
		title: 'copy the number of the machine',
		hint: 'copy',
		does: 'copy',
		unavailable: 'missing',
	},
	refreshKey(rereadWords),
	...movements,
	...columnKeys,
];
