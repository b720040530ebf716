/** Service that rentty opens: a named one, a profile, or the practice market. */
import {chooseService, readKey, type RemoteService} from './given-service.ts';
import {UsageError} from '../text/usage-error.ts';
import type {ProfileBook} from './profile-file.ts';
import {PRACTICE, type KeySource, type Mode, type Profile} from './profile.ts';

export type Target =
	| {readonly kind: 'practice'}
	/** Named on the command line or in the environment. */
	| {readonly kind: 'given'; readonly service: RemoteService}
	| {readonly kind: 'profile'; readonly profile: Profile};

type Environment = Readonly<Record<string, string | undefined>>;
type Chosen = Parameters<typeof chooseService>[0] & {readonly profile: string | undefined};
type Known = Pick<ProfileBook, 'chosen' | 'problem'> & {
	readonly profiles: Pick<ProfileBook['profiles'], 'get'>;
};

/**
 * Chooses the service: `--url` first, then `--profile`, then RENTTY_URL, RENTTY_PROFILE, the profile
 * that was chosen last, else practice.
 */
export function chooseTarget(options: Chosen, environment: Environment, book: Known): Target {
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
	// Practice has nothing that costs: it must not take the place of a profile that cannot be read.
	if (isKnown || book.problem() !== undefined) return named('The last profile', chosen, book);
	return {kind: 'practice'};
}

function named(source: string, name: string, {profiles, problem}: Known): Target {
	if (name === PRACTICE) return {kind: 'practice'};
	const profile = profiles.get().find(one => one.name === name);
	if (profile !== undefined) return {kind: 'profile', profile};
	const wrong = problem();
	if (wrong !== undefined) throw new UsageError(`${source} ${name} cannot be opened: ${wrong}`);
	const names = [...profiles.get().map(one => one.name), PRACTICE].join(', ');
	throw new UsageError(`${source} ${name}: there is no such profile. There are: ${names}.`);
}

/** A service to be called, however it was chosen. */
export type Remote = {
	readonly url: string;
	readonly key: KeySource | {readonly kind: 'value'; readonly value: string};
	readonly mode: Mode;
	/** Its name in pending rents and in the journal. */
	readonly profile: string | undefined;
};

/** The service that a target is; undefined for the practice market. */
export function remoteOf(target: Target, read: (file: string) => string): Remote | undefined {
	switch (target.kind) {
		case 'practice':
			return undefined;
		case 'given': {
			const {url, key} = target.service;
			// The service named for this start is read at once: its key may be readable only once.
			const value = 'value' in key ? key.value : readKey(key.file, read(key.file));
			return {url, key: {kind: 'value', value}, mode: 'read-write', profile: undefined};
		}
		case 'profile': {
			const {url, key, mode, name} = target.profile;
			return {url, key, mode, profile: name};
		}
	}
}

/** URL of a target; undefined for the practice market. */
export function urlOf(target: Target): string | undefined {
	switch (target.kind) {
		case 'practice':
			return undefined;
		case 'given':
			return target.service.url;
		case 'profile':
			return target.profile.url;
	}
}

/** Name of a target on the screen and in files. */
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
