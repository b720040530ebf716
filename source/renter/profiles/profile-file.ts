/** The file of profiles, and the files of their keys, all inaccessible to other users. */
import {readingTrouble, codeOf} from '../../contract/rules/thrown.ts';
import {mkdirSync, readFileSync, rmSync, statSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {withLockNow} from '../../client/files/file-lock.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {replaceFileNow} from '../../client/files/files.ts';
import {lineOfPath, lineOfSyntaxError} from '../files/json-lines.ts';
import {createStore, type Readable} from '../state/store.ts';
import {readProfile, writeProfile, type Profile} from './profile.ts';

type ProfilesRead = {
	readonly profiles: readonly Profile[];
	readonly problem: string | undefined;
};

const none: ProfilesRead = {profiles: [], problem: undefined};

/** Reads the text of a file of profiles. An invalid profile does not affect the others. */
export function readProfiles(file: string, text: string | undefined): ProfilesRead {
	if (text === undefined) return none;
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch (error) {
		const line = lineOfSyntaxError(text, error);
		return {...none, problem: `${file} line ${line}: expected JSON, like {"profiles": []}.`};
	}
	const list = isRecord(json) ? json['profiles'] : undefined;
	if (!Array.isArray(list)) {
		return {...none, problem: `${file} line 1: expected an object, like {"profiles": []}.`};
	}
	const profiles: Profile[] = [];
	const problems: string[] = [];
	for (const [at, value] of list.entries()) {
		const read = readProfile(value);
		const wrong = typeof read === 'string' ? read : twiceIn(profiles, read);
		if (typeof read !== 'string' && wrong === undefined) profiles.push(read);
		else problems.push(`${file} line ${lineOfPath(text, ['profiles', at])}: ${wrong}.`);
	}
	return {profiles, problem: problems[0]};
}

function twiceIn(profiles: readonly Profile[], {name}: Profile): string | undefined {
	const isTwice = profiles.some(profile => profile.name === name);
	return isTwice ? `there are two profiles "${name}"; the first one counts` : undefined;
}

type ProfileFiles = {
	/** User's settings folder: the profiles and their keys. */
	readonly settings: string;
	/** State that rentty records: the last chosen profile. */
	readonly state: string;
};

export type ProfileBook = {
	readonly profiles: Readable<readonly Profile[]>;
	/** Problem of the file as one sentence; undefined while there is none. */
	readonly problem: () => string | undefined;
	/**
	 * Stores a profile, replacing the one that had the name before; fails if it cannot be written.
	 */
	readonly save: (profile: Profile, before: string | undefined) => void;
	/** Changes settings of a profile as it is in the file by now; of one that is gone, none. */
	readonly keepSettings: (name: string, settings: Profile['settings']) => void;
	/** Reads the file again, which other windows change. */
	readonly reread: () => void;
	/** Deletes a profile, and its key if rentty stores that. */
	readonly remove: (name: string) => void;
	/** Stores a key in a file that only its owner can read, and returns the file's name. */
	readonly keepKey: (name: string, key: string) => string;
	/** True if `keepKey` wrote the file. */
	readonly isOwnKey: (file: string) => boolean;
	readonly chosen: () => string | undefined;
	readonly choose: (name: string) => void;
};

/** Opens the user's profiles; none without a file. */
export function openProfileBook(folders: ProfileFiles): ProfileBook {
	const profilesFile = join(folders.settings, 'profiles.json');
	const chosenFile = join(folders.state, 'profile');
	const keys = join(folders.settings, 'keys');
	const first = readProfiles(profilesFile, readIfThere(profilesFile));
	const profiles = createStore(first.profiles);
	let {problem} = first;

	const readPresent = () => readProfiles(profilesFile, readIfThere(profilesFile));

	/** Changes the profiles in the file, under a lock against other processes. */
	function change(by: (present: readonly Profile[]) => readonly Profile[]): void {
		mkdirSync(folders.settings, {recursive: true, mode: 0o700});
		withLockNow(profilesFile, () => write(by));
	}

	function write(by: (present: readonly Profile[]) => readonly Profile[]): void {
		// An unreadable file must not be overwritten.
		const present = readPresent();
		if (present.problem !== undefined) throw new Error(`${present.problem} Nothing was written.`);
		const next = by(present.profiles);
		const json = {profiles: next.map(writeProfile)};
		const text = `${JSON.stringify(json, undefined, '\t')}\n`;
		replaceFileNow(profilesFile, text, {isDurable: true});
		problem = undefined;
		profiles.set(next);
		const kept = new Set(next.map(keyFileOf));
		for (const name of present.profiles.map(keyFileOf)) {
			// Keys that rentty wrote itself are deleted with the last profile that uses them.
			if (name !== undefined && !kept.has(name) && dirname(name) === keys) {
				rmSync(name, {force: true});
			}
		}
	}
	return {
		profiles,
		problem: () => problem,
		save(profile, before) {
			const name = before ?? profile.name;
			change(present => {
				const isKnown = present.some(one => one.name === name);
				if (!isKnown) return [...present, profile];
				return present.map(one => (one.name === name ? profile : one));
			});
		},
		keepSettings(name, settings) {
			const merge = (one: Profile) => ({...one, settings: {...one.settings, ...settings}});
			change(present => present.map(one => (one.name === name ? merge(one) : one)));
		},
		reread() {
			try {
				const present = readPresent();
				({problem} = present);
				if (problem === undefined) profiles.set(present.profiles);
			} catch {
				// What was read before goes on to count.
			}
		},
		remove(name) {
			change(present => present.filter(one => one.name !== name));
		},
		keepKey(name, key) {
			const others = readPresent().profiles.filter(one => one.name !== name);
			const found = freeKeyFile(join(keys, name), others);
			replaceFileNow(found, `${key}\n`, {isDurable: true});
			return found;
		},
		isOwnKey: file => dirname(file) === keys,
		chosen: () => readIfThere(chosenFile)?.trim(),
		choose(name) {
			try {
				replaceFileNow(chosenFile, `${name}\n`);
			} catch {
				// Without this file, the next start opens another profile, and names it.
			}
		},
	};
}

function freeKeyFile(file: string, others: readonly Profile[]): string {
	const taken = new Set(others.map(keyFileOf));
	const names = [file, ...Array.from({length: 100}, (_, at) => `${file}-${at + 2}`)];
	return names.find(one => !taken.has(one)) ?? file;
}

function keyFileOf({key}: Profile): string | undefined {
	return key.kind === 'file' ? key.file : undefined;
}

function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, 'utf8');
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw new Error(`${file} cannot be read (${readingTrouble(error)}).`, {cause: error});
	}
}

/** True if others than its owner can read a file; undefined if it does not exist. */
export function isExposed(file: string): boolean | undefined {
	const found = statSync(file, {throwIfNoEntry: false});
	return found === undefined ? undefined : (found.mode & 0o077) !== 0;
}
