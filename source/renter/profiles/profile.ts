/** A profile: a service, the source of its key, and a mode. The key itself is elsewhere. */
import {isRecord} from '../../contract/grammar/json.ts';

type Json = Readonly<Record<string, unknown>>;

/** Source of a profile's key. The key itself is never written where profiles are. */
export type KeySource =
	| {readonly kind: 'file'; readonly file: string}
	/** A program and its arguments, run without a shell, that prints the key. */
	| {readonly kind: 'command'; readonly command: readonly string[]}
	| {readonly kind: 'variable'; readonly variable: string};

export type Mode = 'read-only' | 'read-write';

/** Colours of profile names at the top of every screen. */
export const profileColours = ['none', 'green', 'yellow', 'red', 'cyan'] as const;

export type ProfileColour = (typeof profileColours)[number];

export type Profile = {
	readonly name: string;
	readonly url: string;
	readonly key: KeySource;
	readonly mode: Mode;
	readonly colour: ProfileColour;
	/** Settings that this profile overrides, in the format of the settings file. */
	readonly settings: Json;
};

/** Reserved name of rentty's own market, which no profile may have. */
export const PRACTICE = 'practice';

/** Reason why a text cannot be the name of a profile; the name is part of its key's file name. */
export function nameProblem(name: string): string | undefined {
	if (!/^[A-Za-z0-9][\w.-]{0,23}$/.test(name)) {
		return 'a name is up to 24 letters, digits, . _ and -';
	}
	return name === PRACTICE ? `${PRACTICE} is the market that rentty brings along` : undefined;
}

export function urlProblem(text: string): string | undefined {
	const url = URL.parse(text);
	if (url === null || !['http:', 'https:'].includes(url.protocol)) {
		return 'it must start with http:// or https://';
	}
	const isBare = url.username === '' && url.password === '';
	return isBare ? undefined : 'it must not carry a user name or password';
}

export function variableProblem(name: string): string | undefined {
	return /^[A-Za-z_]\w*$/.test(name) ? undefined : 'expected the name of a variable';
}

/** Reads one profile of a file; a sentence without its full stop if it is invalid. */
export function readProfile(value: unknown): Profile | string {
	if (!isRecord(value)) return 'expected an object with a name, a url and a key';
	const {mode = 'read-write', colour = 'none', settings = {}} = value;
	const identity = readIdentity(value);
	if (typeof identity === 'string') return identity;
	const key = readSource(value);
	if (typeof key === 'string') return key;
	if (mode !== 'read-only' && mode !== 'read-write') {
		return '"mode": expected "read-only" or "read-write"';
	}
	const known = profileColours.find(one => one === colour);
	if (known === undefined) return `"colour": expected one of ${profileColours.join(', ')}`;
	if (!isRecord(settings)) return '"settings": expected an object';
	return {...identity, key, mode, colour: known, settings};
}

function readIdentity({name, url}: Json): Pick<Profile, 'name' | 'url'> | string {
	if (typeof name !== 'string') return '"name": expected a text';
	const wrongName = nameProblem(name);
	if (wrongName !== undefined) return `"name": ${wrongName}`;
	if (typeof url !== 'string') return '"url": expected a text';
	const wrongUrl = urlProblem(url);
	return wrongUrl === undefined ? {name, url} : `"url": ${wrongUrl}`;
}

function readSource(value: Json): KeySource | string {
	const {'key-file': file, 'key-command': command, 'key-variable': variable, key} = value;
	if (key !== undefined) {
		return 'a key does not belong into this file: use "key-file", "key-command" or "key-variable"';
	}
	const given = [file, command, variable].filter(one => one !== undefined);
	if (given.length !== 1) {
		return 'expected one of "key-file", "key-command" and "key-variable"';
	}
	if (file !== undefined) {
		return typeof file === 'string' && file.startsWith('/')
			? {kind: 'file', file}
			: '"key-file": expected the whole path of a file';
	}
	if (command !== undefined) {
		return isCommand(command)
			? {kind: 'command', command}
			: '"key-command": expected a list: a program and its arguments';
	}
	return typeof variable === 'string' && variableProblem(variable) === undefined
		? {kind: 'variable', variable}
		: '"key-variable": expected the name of a variable';
}

function isCommand(value: unknown): value is readonly string[] {
	return Array.isArray(value) && value.length > 0 && value.every(isWord) && value[0] !== '';
}

function isWord(value: unknown): value is string {
	return typeof value === 'string' && !value.includes('\0');
}

/** A profile for its file, without default values. */
export function writeProfile({name, url, key, mode, colour, settings}: Profile): Json {
	return {
		name,
		url,
		...(key.kind === 'file' && {'key-file': key.file}),
		...(key.kind === 'command' && {'key-command': key.command}),
		...(key.kind === 'variable' && {'key-variable': key.variable}),
		mode,
		...(colour !== 'none' && {colour}),
		...(Object.keys(settings).length > 0 && {settings}),
	};
}

/** Source of a key in words: only the file's name, because "file 0600" would be a promise. */
export function describeSource(key: KeySource): string {
	switch (key.kind) {
		case 'file':
			return `file ${key.file}`;
		case 'command':
			return `command ${key.command.join(' ')}`;
		case 'variable':
			return `environment ${key.variable}`;
	}
}
