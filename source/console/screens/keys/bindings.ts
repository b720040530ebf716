import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {columnKeys, movements} from '../../list/bindings.ts';

export type KeysTarget = {
	readonly create: () => void;
	readonly remove: () => void;
	/** Reason why the key under the cursor cannot be deleted; undefined if it can. */
	readonly noRemove: () => string | undefined;
	readonly reset: () => void;
	readonly noReset: () => string | undefined;
	readonly attach: () => void;
	readonly noAttach: () => string | undefined;
	readonly copy: () => void;
	readonly missing: () => string | undefined;
	readonly refresh: () => void;
};

export const keyListBindings: Bindings<ListTarget & KeysTarget> = [
	{
		keys: ['n'],
		id: 'new-api-key',
		title: 'new API key, or register an SSH key',
		hint: 'add',
		changesService: true,
		run: list => list.create(),
	},
	{
		keys: ['x'],
		id: 'delete-key',
		title: 'delete the key; it asks',
		hint: 'delete',
		isChange: true,
		changesService: true,
		run: list => list.remove(),
		unavailable: list => list.noRemove(),
	},
	{
		keys: [],
		id: 'reset-key',
		title: 'reset the API key: a new value, and the old one ends; it asks',
		isChange: true,
		changesService: true,
		run: list => list.reset(),
		unavailable: list => list.noReset(),
	},
	{
		keys: [],
		id: 'attach-key',
		title: 'let the SSH key enter an instance',
		isChange: true,
		changesService: true,
		run: list => list.attach(),
		unavailable: list => list.noAttach(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-key',
		title: 'copy the public key, or the number of an API key',
		hint: 'copy',
		run: list => list.copy(),
		unavailable: list => list.missing(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'check-all',
		title: 're-check all of it, and name what could not be read',
		hint: 're-check',
		run: list => list.refresh(),
	},
	...movements,
	...columnKeys,
];

export const formScopeBindings: Bindings<{readonly leave: () => void}> = [
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'leave-new-key',
		title: 'leave the form; nothing is sent',
		hint: 'leave',
		run: list => list.leave(),
	},
];
