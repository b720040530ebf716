/** The list of profiles (the user's own, what was named for this start, and practice): its keys and rows. */
import type {ListTarget} from '../../list/list-target.ts';
import type {Bindings} from '../../ui/bindings.ts';
import {movements} from '../../list/bindings.ts';
import {connectionCheckText, type ProfileCheck} from '../../../renter/profiles/check.ts';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import {PRACTICE, type KeySource, type Profile} from '../../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../../renter/profiles/target.ts';
import {sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {idOfText} from '../../list/columns.ts';

export type ProfilesTarget = {
	readonly use: () => void;
	/** Reason why the profile under the cursor cannot be opened; undefined if it can. */
	readonly noUse: () => string | undefined;
	readonly create: () => void;
	readonly edit: () => void;
	readonly remove: () => void;
	/** Reason why the profile under the cursor cannot be changed; undefined if it can. */
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
		run: list => list.use(),
		unavailable: list => list.noUse(),
	},
	{keys: ['n'], id: 'new-profile', title: 'new profile', hint: 'new', run: list => list.create()},
	{
		keys: ['e'],
		id: 'edit-the-profile',
		title: 'edit the profile',
		hint: 'edit',
		run: list => list.edit(),
		unavailable: list => list.notOwn(),
	},
	{
		keys: ['x'],
		id: 'remove-profile',
		title: 'remove the profile; it asks',
		hint: 'remove',
		isChange: true,
		run: list => list.remove(),
		unavailable: list => list.notOwn(),
	},
	{
		keys: ['R', 'Ctrl-R'],
		id: 'test-profiles',
		title: 'test all of them by three harmless reads',
		hint: 'test all',
		run: list => list.test(),
	},
	{
		keys: ['y', 'c'],
		id: 'copy-its-address',
		title: 'copy its address',
		hint: 'copy',
		run: list => list.copy(),
	},
	{
		keys: ['i'],
		id: 'setting-sources',
		title: 'settings, and where each comes from',
		hint: 'sources',
		run: list => list.sources(),
	},
	...movements,
];

/** The tab's own key would go to its first screen, past the typed text. */
export const profileEditBindings: Bindings<{readonly leave: () => void}> = [
	{
		keys: ['6'],
		id: 'back-to-profiles',
		title: 'back to Profiles; it asks',
		run: form => form.leave(),
	},
];

type CheckResultTarget = {readonly use: () => void; readonly back: () => void};

export const checkResultBindings: Bindings<CheckResultTarget> = [
	{
		keys: ['Enter'],
		id: 'keep-profile',
		title: 'keep the profile and open it',
		hint: 'keep it and open it',
		isChange: true,
		run: result => result.use(),
	},
	{
		keys: ['Esc', 'q'],
		id: 'back-to-form',
		title: 'back to the form',
		hint: 'back',
		run: result => result.back(),
	},
];

export type ProfileRow = {
	/** Number made of the name, the same for the same profile. */
	readonly id: number;
	readonly name: string;
	readonly server: string;
	readonly key: string;
	readonly mode: 'RW' | 'RO';
	readonly state: string;
	readonly isOpen: boolean;
	/** Files of a market on this machine; empty for other services. */
	readonly files: string;
	readonly target: Target;
};

/** The profile of a row; undefined for practice and for the service named at the start. */
export function profileOf({target}: ProfileRow): Profile | undefined {
	return target.kind === 'profile' ? target.profile : undefined;
}

const sources: Readonly<Record<KeySource['kind'], string>> = {
	file: 'file',
	command: 'command',
	variable: 'env',
};

type ProfileFacts = {
	readonly profiles: readonly Profile[];
	readonly checks: ReadonlyMap<string, ProfileCheck | string>;
	readonly keyEnd: string | undefined;
	/** The profile in use has another key since it was opened. */
	readonly isRenewed: boolean;
};

export function profileRows(
	{target, practiceFolder = ''}: Pick<ProfileSwitcher, 'target' | 'practiceFolder'>,
	facts: ProfileFacts,
): readonly ProfileRow[] {
	const row = (shown: Target) => rowOf(shown, target, facts);
	const given = target.kind === 'given' ? [row(target)] : [];
	const own = facts.profiles.map(profile => row({kind: 'profile', profile}));
	return [...given, ...own, {...row({kind: 'practice'}), files: practiceFolder}];
}

function rowOf(
	target: Target,
	open: Target,
	{checks, keyEnd = '', isRenewed}: ProfileFacts,
): ProfileRow {
	const name = targetName(target);
	const isOpen = targetName(open) === name && open.kind === target.kind;
	const end = isOpen && keyEnd !== '' ? `..${keyEnd} ` : '';
	const found = stateWords(checks.get(name));
	const common = {
		id: idOfText(name),
		name,
		isOpen,
		target,
		mode: 'RW',
		key: '',
		files: '',
	} as const;
	const inUse = isRenewed ? 'Enter: new key' : 'in use';
	const state = [isOpen ? inUse : '', found].filter(word => word !== '').join(', ');
	switch (target.kind) {
		case 'practice':
			return {...common, server: 'on this machine, no money', state};
		case 'given': {
			const key = `${end}named at the start`;
			return {...common, server: target.service.url, key, state};
		}
		case 'profile': {
			const {url, key, mode} = target.profile;
			return {
				...common,
				server: url,
				key: end + sources[key.kind],
				mode: mode === 'read-only' ? 'RO' : 'RW',
				state: state === '' ? 'not tested' : state,
			};
		}
	}
}

function stateWords(check: ProfileCheck | string | undefined): string {
	if (check === undefined) return '';
	return typeof check === 'string' ? printable(check) : printable(connectionCheckText(check));
}

/** Reason why the practice market, and a service named at the start, cannot be changed. */
export function notOwn(row: ProfileRow | undefined): string | undefined {
	if (row === undefined) return 'there is no profile to act on';
	if (row.name === PRACTICE) return 'the practice market is always there';
	return row.target.kind === 'given' ? 'it was named for this start; n keeps it' : undefined;
}

/** Problem of a profile, as a line under the list. */
export function profileProblem(switcher: ProfileSwitcher): string {
	for (const [name, check] of switcher.checks.get()) {
		if (typeof check === 'string') return `${name}: ${sentence(printable(check))}`;
		const failed = check.reads.find(({problem}) => problem !== undefined);
		if (failed !== undefined) {
			return `${name}: ${failed.name}: ${sentence(printable(failed.problem ?? ''))}`;
		}
	}
	return '';
}
