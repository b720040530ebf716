import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	movements,
	refreshKey,
	rereadWords,
	type ListTarget,
} from '../../list/bindings.ts';

/** Target of the volumes list's keys. */
export type VolumesTarget = {
	readonly create: () => void;
	/** Looks for room for a clone of the volume under the cursor. */
	readonly clone: () => void;
	/** Reason why it cannot be cloned; undefined where it can. */
	readonly noClone: () => string | undefined;
	readonly remove: () => void;
	/** Reason why the volume under the cursor cannot be deleted; undefined where it can. */
	readonly noRemove: () => string | undefined;
	readonly copy: () => void;
	readonly missing: () => string | undefined;
	readonly refresh: () => void;
};

const rereadKey = refreshKey(rereadWords);

export const volumeListBindings: Bindings<ListTarget & VolumesTarget> = [
	{
		keys: ['n'],
		id: 'new-volume',
		title: 'new volume: look for room; it asks before it costs',
		hint: 'new',
		changesService: true,
		does: 'create',
	},
	{
		keys: ['Y'],
		id: 'clone-the-volume',
		title: 'clone the volume: look for room; it asks before it costs',
		hint: 'clone',
		changesService: true,
		does: 'clone',
		unavailable: 'noClone',
	},
	{
		keys: ['x'],
		id: 'delete-the-volume-and-what-is-on-it-it-asks',
		title: 'delete the volume and what is on it; it asks',
		hint: 'delete',
		isChange: true,
		changesService: true,
		does: 'remove',
		unavailable: 'noRemove',
	},
	{
		keys: ['y', 'c'],
		id: 'copy-its-number',
		title: 'copy its number',
		hint: 'copy',
		does: 'copy',
		unavailable: 'missing',
	},
	rereadKey,
	...movements,
	...columnKeys,
];

/** Target of the keys while room for a volume is chosen. */
export type RoomTarget = {
	readonly take: () => void;
	readonly missing: () => string | undefined;
	readonly search: () => void;
	readonly refresh: () => void;
	readonly close: () => void;
};

export const roomBindings: Bindings<ListTarget & RoomTarget> = [
	{
		keys: ['Enter', 'n'],
		id: 'review-a-volume-here-nothing-is-charged-before-y',
		title: 'review a volume here; nothing is charged before y',
		hint: 'review',
		isChange: true,
		does: 'take',
		unavailable: 'missing',
	},
	{
		keys: ['/'],
		id: 'another-size-or-place',
		title: 'another size or place',
		hint: 'size and place',
		does: 'search',
	},
	rereadKey,
	{
		keys: ['Esc', 'q', 'Ctrl-C'],
		id: 'back-to-the-volumes',
		title: 'back to the volumes',
		hint: 'back',
		does: 'close',
	},
	...movements,
	...columnKeys,
];
