/** Service that rentty opens: a named one, a profile, or the practice market. */
import {UsageError} from '../text/usage-error.ts';
import type {ProfileBook} from './profile-file.ts';
import {PRACTICE, type KeySource, type Mode, type Profile, urlProblem} from './profile.ts';

export type Target =
	| {readonly kind: 'practice'}
	/** Named on the command line or in the environment. */
	| {readonly kind: 'given'; readonly service: RemoteService}
	| {readonly kind: 'profile'; readonly profile: Profile};

type Environment = Readonly<Record<string, string | undefined>>;
type Chosen = Named & {readonly profile: string | undefined};
type KnownProfiles = Pick<ProfileBook, 'chosen' | 'problem'> & {
	readonly profiles: Pick<ProfileBook['profiles'], 'get'>;
};

/**
 * Chooses the service: `--url` first, then `--profile`, then RENTTY_URL, RENTTY_PROFILE, the last
 * chosen profile, else practice.
 */
export function chooseTarget(
	options: Chosen,
	environment: Environment,
	book: KnownProfiles,
): Target {
	if (options.profile !== undefined && options.url !== undefined) {
		throw new UsageError('--profile and --url both name a service: give one of them.');
	}
	if (options.profile !== undefined) return named('--profile', options.profile, book);
	const service = chooseService(options, environment);
	if (service !== undefined) return {kind: 'given', service};
	const {RENTTY_PROFILE: wanted} = environment;
	if (wanted !== undefined && wanted !== '') return named('RENTTY_PROFILE', wanted, book);
	const chosen = book.chosen() ?? PRACTICE;
	const isKnown = book.profiles.get().some(({name}) => name === chosen);
	// Practice is free: it must not replace a profile that cannot be read, because the user may
	// want a paid service.
	if (isKnown || book.problem() !== undefined) return named('The last profile', chosen, book);
	return {kind: 'practice'};
}

function named(source: string, name: string, {profiles, problem}: KnownProfiles): Target {
	if (name === PRACTICE) return {kind: 'practice'};
	const profile = profiles.get().find(one => one.name === name);
	if (profile !== undefined) return {kind: 'profile', profile};
	const wrong = problem();
	if (wrong !== undefined) throw new UsageError(`${source} ${name} cannot be opened: ${wrong}`);
	const names = [...profiles.get().map(one => one.name), PRACTICE].join(', ');
	throw new UsageError(`${source} ${name}: there is no such profile. There are: ${names}.`);
}

/** A service to call, however it was chosen. */
export type Remote = {
	readonly url: string;
	readonly key: KeySource | {readonly kind: 'value'; readonly value: string};
	readonly mode: Mode;
	/** Name of the target in pending rents and in the journal. */
	readonly profile: string | undefined;
};

/** The service that a target is; undefined for the practice market. */
export function remoteOf(target: Target, read: (file: string) => string): Remote | undefined {
	switch (target.kind) {
		case 'practice':
			return undefined;
		case 'given': {
			const {url, key} = target.service;
			// Read the service named for this start at once: its key may be readable only once.
			const value = 'value' in key ? key.value : parseApiKey(key.file, read(key.file));
			return {url, key: {kind: 'value', value}, mode: 'read-write', profile: undefined};
		}
		case 'profile': {
			const {url, key, mode, name} = target.profile;
			return {url, key, mode, profile: name};
		}
	}
}

/** URL of a target; undefined for the practice market. */
export function targetUrlOf(target: Target): string | undefined {
	switch (target.kind) {
		case 'practice':
			return undefined;
		case 'given':
			return target.service.url;
		case 'profile':
			return target.profile.url;
	}
}

export function targetName(target: Target): string {
	switch (target.kind) {
		case 'practice':
			return PRACTICE;
		case 'given':
			return new URL(target.service.url).host;
		case 'profile':
			return target.profile.name;
	}
}

/** A remote service and the way to its key; undefined for the practice market. */
type RemoteService = {
	readonly url: string;
	readonly key: {readonly file: string} | {readonly value: string};
};

type Named = {readonly url: string | undefined; readonly keyFile: string | undefined};

/** Chosen service: the command line first, then the environment, else practice. */
export function chooseService(
	{url: chosen, keyFile}: Named,
	environment: Environment,
): RemoteService | undefined {
	if (chosen !== undefined && keyFile !== undefined) {
		return {url: readServiceUrl('--url', chosen), key: {file: keyFile}};
	}
	if (chosen !== undefined)
		throw new UsageError('--url needs --key-file with the key of that service.');
	if (keyFile !== undefined)
		throw new UsageError('--key-file needs --url with the service it is for.');
	const {RENTTY_URL: url, RENTTY_API_KEY: key} = environment;
	if (isEmpty(url) && isEmpty(key)) return undefined;
	if (isEmpty(url)) throw new UsageError('RENTTY_API_KEY is set, but RENTTY_URL is not.');
	if (isEmpty(key)) throw new UsageError('RENTTY_URL is set, but RENTTY_API_KEY is not.');
	return {url: readServiceUrl('RENTTY_URL', url), key: {value: parseApiKey('RENTTY_API_KEY', key)}};
}

/** An API key as it may be in a file: one line of printable characters. */
export function parseApiKey(source: string, text: string): string {
	const key = text.trim();
	if (/^[\u0021-\u007E]+$/.test(key)) return key;
	throw new UsageError(`${source} does not hold an API key: expected one line without blanks.`);
}

function isEmpty(value: string | undefined): value is undefined | '' {
	return value === undefined || value === '';
}

export function readServiceUrl(source: string, text: string): string {
	const problem = urlProblem(text);
	if (problem === undefined) return text;
	throw new UsageError(`${source} ${problem.replace(/^it /, '')}.`);
}
