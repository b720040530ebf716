/** Profiles in the console: the open one, and calls to open, test and keep others. */
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Client} from '../../client/client.ts';
import type {Destination} from './router.ts';
import {createStore, type Readable, type Store} from '../../renter/state/store.ts';
import {checkConnection, type ProfileCheck} from '../../renter/profiles/check.ts';
import {
	createExchangeLog,
	clockSkewSeconds,
	type ExchangeLog,
} from '../../renter/profiles/exchanges.ts';
import type {ProfileBook} from '../../renter/profiles/profile-file.ts';
import type {Profile} from '../../renter/profiles/profile.ts';
import {targetName, type Target} from '../../renter/profiles/target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type ProfileSwitcher = {
	readonly target: Target;
	readonly book: ProfileBook;
	/** Folder of the practice market, its instances included; undefined if it is not known. */
	readonly practiceFolder: string | undefined;
	/** The end of the key in use, once it is known. */
	readonly keyEnd: Readable<string | undefined>;
	/** Takes note of the key in use: of its end, and no more. */
	readonly foundKey: (key: string) => void;
	/** The profile in use has another key since: it counts once the profile is opened anew. */
	readonly isRenewed: Store<boolean>;
	readonly exchanges: ExchangeLog;
	/** Problem of the files that record changes; undefined if there is none. */
	readonly trouble: Store<string | undefined>;
	/** Results of the last tests, by the names of profiles. */
	readonly checks: Store<ReadonlyMap<string, ProfileCheck | string>>;
	/** Tests a profile and notes the result; a sentence where the test could not begin. */
	readonly test: (profile: Profile) => Promise<ProfileCheck | string>;
	/** Asks three harmless questions with a key that is not kept yet. */
	readonly tryKey: (profile: Profile, key: string) => Promise<ProfileCheck | string>;
	/** Opens the console anew on another service, as at the start. */
	readonly open: (target: Target, start?: Destination) => void;
};

type ProfileSwitcherOptions = {
	readonly target: Target;
	readonly book: ProfileBook;
	readonly practiceFolder?: string | undefined;
	readonly environment: Environment;
	/** Opens a client for a test. */
	readonly connect: (url: string, key: string) => Promise<Client>;
	readonly open: (target: Target, start: Destination | undefined) => void;
	/** Milliseconds since 1970. */
	readonly now: () => number;
};

export function createProfileSwitcher(options: ProfileSwitcherOptions): ProfileSwitcher {
	const {target, book, practiceFolder, environment, connect, open, now} = options;
	const checks = createStore<ReadonlyMap<string, ProfileCheck | string>>(new Map());
	const keyEnd = createStore<string | undefined>(undefined);
	const note = (name: string, check: ProfileCheck | string) => {
		checks.set(new Map(checks.get()).set(name, check));
		return check;
	};

	async function tryKey({url}: Profile, key: string): Promise<ProfileCheck | string> {
		let client: Client | undefined;
		try {
			client = await connect(url, key);
			const check = await checkConnection(client, now);
			return {...check, ahead: await compareClocks(url, now)};
		} catch (error) {
			return messageOf(error);
		} finally {
			await client?.close();
		}
	}

	return {
		target,
		book,
		practiceFolder,
		keyEnd,
		foundKey: key => keyEnd.set(endOf(key)),
		isRenewed: createStore(false),
		exchanges: createExchangeLog(now),
		trouble: createStore<string | undefined>(undefined),
		checks,
		tryKey,
		async test(profile) {
			let key: string;
			try {
				const {findKey} = await import('../../renter/profiles/find-key.ts');
				key = await findKey(profile.key, environment);
			} catch (error) {
				return note(profile.name, messageOf(error));
			}
			return note(profile.name, await tryKey(profile, key));
		},
		open(next, start) {
			book.choose(targetName(next));
			open(asInFile(book, next), start);
		},
	};
}

/** A profile as it is in the file by now: another window may have made it read-only. */
function asInFile(book: ProfileBook, target: Target): Target {
	if (target.kind !== 'profile') return target;
	book.reread();
	const profile = book.profiles.get().find(({name}) => name === target.profile.name);
	return profile === undefined ? target : {kind: 'profile', profile};
}

/** Longest wait for the difference of the clocks. */
const CLOCK_MS = 3000;

async function compareClocks(url: string, now: () => number): Promise<number | undefined> {
	try {
		return await clockSkewSeconds(url, now, AbortSignal.timeout(CLOCK_MS));
	} catch {
		// The difference stays unknown, and is shown so: a proxy may be in between.
		return undefined;
	}
}

/** Reason why nothing may be changed at present; undefined if it may. */
export function readOnlyReason(target: Target): string | undefined {
	const isReadOnly = target.kind === 'profile' && target.profile.mode === 'read-only';
	return isReadOnly ? 'this profile is read-only; 6 opens Profiles' : undefined;
}

/** The end of a key, by which people recognise it; nothing of a short key. */
function endOf(key: string): string {
	return key.length < 12 ? '' : key.slice(-4);
}

export function noProfileSwitcher(now: () => number): ProfileSwitcher {
	const book: ProfileBook = {
		profiles: createStore<readonly Profile[]>([]),
		problem: () => undefined,
		save: refuse,
		keepSettings: refuse,
		reread: () => {},
		remove: refuse,
		keepKey: refuse,
		isOwnKey: () => false,
		chosen: () => undefined,
		choose: () => {},
	};
	const target: Target = {kind: 'practice'};
	return createProfileSwitcher({target, book, environment: {}, connect: refuse, open: refuse, now});
}

function refuse(): never {
	throw new Error('Profiles are not kept here.');
}
