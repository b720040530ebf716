import type {Bindings} from '../../ui/bindings.ts';
import {
	columnKeys,
	filterKey,
	movements,
	openKey,
	refreshKey,
	scrollKeys,
	type ListTarget,
} from '../../list/bindings.ts';

/** Key methods of the Activity list, beside those of every list. */
type ActivityTarget = {
	readonly open: () => void;
	readonly copy: () => void;
	readonly refresh: () => void;
	/** Takes back actions armed for its instances. */
	readonly takeBack: () => void;
	readonly notArmed: () => string | undefined;
	/** Lists what was only seen, or no longer. */
	readonly showSeen: () => void;
};

const empty = ['ifEmpty', 'nothing is listed'] as const;

export const activityBindings: Bindings<ListTarget & ActivityTarget> = [
	openKey('nothing is listed'),
	{
		keys: ['y'],
		id: 'copy-it-as-json',
		title: 'copy it as JSON',
		hint: 'copy',
		does: 'copy',
		unavailable: empty,
	},
	filterKey,
	{
		keys: ['v'],
		id: 'what-was-seen',
		title: 'what rentty saw of instances, or only what was done',
		hint: 'seen',
		does: 'showSeen',
	},
	{
		keys: ['u'],
		id: 'take-back-what-is-armed-for-its-instance',
		title: 'take back what is armed for its instance',
		does: 'takeBack',
		unavailable: 'notArmed',
	},
	refreshKey({hint: 'refresh'}),
	{
		keys: ['Esc'],
		id: 'one-step-back',
		title: 'one step back: filter, screen',
		does: 'back',
		unavailable: 'backUnavailable',
	},
	...movements,
	...columnKeys,
];

type EntryTarget = {
	readonly close: () => void;
	readonly copy: () => void;
	readonly scroll: (step: 1 | -1) => void;
};

export const activityEntryBindings: Bindings<EntryTarget> = [
	{keys: ['Esc', 'q', 'Enter'], id: 'back', title: 'back', hint: 'back', does: 'close'},
	{keys: ['y'], id: 'copy-it-as-json', title: 'copy it as JSON', hint: 'copy', does: 'copy'},
	...scrollKeys(),
];
