import type {Bindings} from '../../../ui/bindings.ts';
import {columnKeys, movements, type ListTarget} from '../../../list/bindings.ts';

/** Key methods of a command in several instances. */
type CommandTarget = {
	readonly openOutput: () => void;
	readonly stop: () => void;
	readonly nothingRuns: () => string | undefined;
	/** Asks for another command for the same instances. */
	readonly another: () => void;
	readonly isBusy: () => string | undefined;
	readonly copyLine: () => void;
};

export const commandBindings: Bindings<ListTarget & CommandTarget> = [
	{
		keys: ['Enter', 'd', 'l'],
		id: 'all-it-wrote',
		title: 'all that it wrote there',
		hint: 'output',
		does: 'openOutput',
	},
	{
		keys: ['x'],
		id: 'stop-it',
		title: 'stop it where it runs; it asks',
		hint: 'stop',
		isChange: true,
		does: 'stop',
		unavailable: 'nothingRuns',
	},
	{
		keys: ['E'],
		id: 'another-command',
		title: 'another command in the same instances',
		hint: 'another',
		isChange: true,
		changesService: true,
		does: 'another',
		unavailable: 'isBusy',
	},
	{
		keys: ['y'],
		id: 'copy-the-last-line',
		title: 'copy the last line',
		hint: 'copy',
		does: 'copyLine',
	},
	{
		keys: ['Esc'],
		id: 'back-while-it-goes-on',
		title: 'back, while it goes on',
		hint: 'back',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	...movements,
	...columnKeys,
];
