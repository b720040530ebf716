import type {Bindings} from '../../ui/bindings.ts';
import {movements, type ListTarget} from '../../list/bindings.ts';

/** Target of the profiles list's keys. */
export type ProfilesTarget = {
	readonly use: () => void;
	/** Reason why the profile under the cursor cannot be opened; undefined where it can. */
	readonly noUse: () => string | undefined;
	readonly create: () => void;
	readonly edit: () => void;
	readonly remove: () => void;
	/** Reason why the profile under the cursor cannot be changed; undefined where it can. */
	readonly notOwn: () => string | undefined;
	readonly test: () => void;
	readonly copy: () => void;
	readonly sources: () => void;
};

export const profileListBindings: Bindings<ListTarget & ProfilesTarget> = [
	{
		keys: ['Enter'],
		id: 'use-this-profile',
		title: 'use this profile: everything is opened anew on its service',
		hint: 'use',
		isChange: true,
		does: 'use',
		unavailable: 'noUse',
	},
	{keys: ['n'], id: 'new-profile', title: 'new profile', hint: 'new', does: 'create'},
	{
		keys: ['e'],
		id: 'edit-the-profile',
		title: 'edit the profile',
		hint: 'edit',
		does: 'edit',
		unavailable: 'notOwn',
	},
	{
		keys: ['x'],
		id: 'remove-the-profile-it-asks',
		title: 'remove the profile; it asks',
		hint: 'remove',
		isChange: true,
		does: 'remove',
		unavailable: 'notOwn',
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'test-all-of-them-by-three-harmless-reads',
		title: 'test all of them by three harmless reads',
		hint: 'test all',
		does: 'test',
	},
	{keys: ['y', 'c'], id: 'copy-its-address', title: 'copy its address', hint: 'copy', does: 'copy'},
	{
		keys: ['i'],
		id: 'where-each-setting-comes-from',
		title: 'where each setting comes from, or the profile',
		hint: 'sources',
		does: 'sources',
	},
	...movements,
];

/** Target of the keys beside those of the form. */
type ProfileEditTarget = {readonly leave: () => void};

/** The tab's own key would go to its first screen, past what was typed. */
export const profileEditBindings: Bindings<ProfileEditTarget> = [
	{keys: ['6'], id: 'back-to-profiles-it-asks', title: 'back to Profiles; it asks', does: 'leave'},
];

type CheckResultTarget = {readonly use: () => void; readonly back: () => void};

export const checkResultBindings: Bindings<CheckResultTarget> = [
	{
		keys: ['Enter'],
		id: 'keep-the-profile-and-open-it',
		title: 'keep the profile and open it',
		hint: 'keep it and open it',
		isChange: true,
		does: 'use',
	},
	{
		keys: ['Esc', 'q'],
		id: 'back-to-the-form',
		title: 'back to the form',
		hint: 'back',
		does: 'back',
	},
];
