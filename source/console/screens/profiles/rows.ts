/** The rows of the list of profiles: the user's own, what was named for this start, and practice. */
import {checkWords, type Check} from '../../../renter/profiles/check.ts';
import type {ProfileSwitcher} from '../../services/profile-switcher.ts';
import {PRACTICE, type KeySource, type Profile} from '../../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../../renter/profiles/target.ts';
import {sentence} from '../../../renter/text/format.ts';
import {printable} from '../../../renter/text/text-width.ts';
import {idOfText} from '../../list/text-columns.ts';

export type ProfileRow = {
	/** Made of the name: the same for the same profile. */
	readonly id: number;
	readonly name: string;
	readonly server: string;
	readonly key: string;
	readonly mode: 'RW' | 'RO';
	readonly state: string;
	readonly isOpen: boolean;
	/** Files of a market on this machine; empty for other services. */
	readonly files: string;
	/** Target that Enter opens. */
	readonly target: Target;
};

/** The profile of a row; undefined for practice and for what was named for this start. */
export function profileOf({target}: ProfileRow): Profile | undefined {
	return target.kind === 'profile' ? target.profile : undefined;
}

const sources: Readonly<Record<KeySource['kind'], string>> = {
	file: 'file',
	command: 'command',
	variable: 'env',
};

/** Facts about profiles at a moment. */
type Known = {
	readonly profiles: readonly Profile[];
	readonly checks: ReadonlyMap<string, Check | string>;
	readonly keyEnd: string | undefined;
};

export function profileRows(
	{target, practiceFolder = ''}: Pick<ProfileSwitcher, 'target' | 'practiceFolder'>,
	known: Known,
): readonly ProfileRow[] {
	const row = (shown: Target) => rowOf(shown, target, known);
	const given = target.kind === 'given' ? [row(target)] : [];
	const own = known.profiles.map(profile => row({kind: 'profile', profile}));
	return [...given, ...own, {...row({kind: 'practice'}), files: practiceFolder}];
}

function rowOf(target: Target, open: Target, {checks, keyEnd = ''}: Known): ProfileRow {
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
	const state = [isOpen ? 'in use' : '', found].filter(word => word !== '').join(', ');
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

function stateWords(check: Check | string | undefined): string {
	if (check === undefined) return '';
	return typeof check === 'string' ? printable(check) : printable(checkWords(check));
}

/** Reason why the practice market, and a service named at the start, cannot be changed. */
export function notOwn(row: ProfileRow | undefined): string | undefined {
	if (row === undefined) return 'there is no profile to act on';
	if (row.name === PRACTICE) return 'the practice market is always there';
	return row.target.kind === 'given' ? 'it was named for this start; n keeps it' : undefined;
}

/** Problem of a profile, as a line under the list. */
export function troubleOf(switcher: ProfileSwitcher): string {
	for (const [name, check] of switcher.checks.get()) {
		if (typeof check === 'string') return `${name}: ${sentence(printable(check))}`;
		const failed = check.reads.find(({problem}) => problem !== undefined);
		if (failed !== undefined) {
			return `${name}: ${failed.name}: ${sentence(printable(failed.problem ?? ''))}`;
		}
	}
	return '';
}
