/** Private key files that OpenSSH does not try by itself, and that commands name with `-i`. */
import {userInfo} from 'node:os';
import {basename, dirname, join} from 'node:path';
import type {Client} from '../../client/client.ts';
import {
	findUsableKeys,
	privateFile,
	type LocalKey,
	amongRegistered,
	isRegistered,
	type RegisteredKey,
} from './keys.ts';

/** Names that OpenSSH tries in the user's own `~/.ssh`. */
const usualNames: ReadonlySet<string> = new Set([
	'id_rsa',
	'id_ecdsa',
	'id_ecdsa_sk',
	'id_ed25519',
	'id_ed25519_sk',
	'id_xmss',
	'id_dsa',
]);

/** Servers end a connection after six keys that do not fit, those of the agent among them. */
const MOST_FILES = 4;

/**
 * The private keys to name of those that belong to registered ones; none where OpenSSH finds a way in
 * by itself. With `-i` it tries no other file, so that usual names are named beside odd ones.
 *
 * @param home whose `~/.ssh` OpenSSH looks into
 */
export function identityFiles(
	registered: readonly RegisteredKey[],
	local: readonly LocalKey[],
	home: string,
): readonly string[] {
	const mine = amongRegistered(registered, local).filter(isNameable);
	return mine.some(key => isOdd(key, home)) ? mine.map(privateFile).slice(0, MOST_FILES) : [];
}

/** OpenSSH replaces `${NAME}` in the name of a file, and a line ends at its control characters. */
function isNameable({file, isInAgent}: LocalKey): boolean {
	return !isInAgent && file !== undefined && !/\$\{|\p{Cc}/u.test(file);
}

function isOdd(key: LocalKey, home: string): boolean {
	const file = privateFile(key);
	return dirname(file) !== join(home, '.ssh') || !usualNames.has(basename(file));
}

type Finding = {
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly client: () => Promise<Pick<Client, 'instances' | 'sshKeys'>>;
	/** The instance to enter; undefined for any that is rented. */
	readonly id?: number | undefined;
	readonly signal?: AbortSignal | undefined;
	/** @default the home that the system has for the user, which is where OpenSSH looks */
	readonly home?: string;
};

/** Finds the private key files to name. The service is asked only where one here has an odd name. */
export async function findIdentityFiles(finding: Finding): Promise<readonly string[]> {
	const {environment, signal, home = homeOf(environment)} = finding;
	const local = await findUsableKeys(environment);
	if (!local.some(key => isNameable(key) && isOdd(key, home))) return [];
	try {
		return identityFiles(await askRegistered(finding), local, home);
	} catch {
		signal?.throwIfAborted();
		// A key of the API need not be allowed to know them: OpenSSH tries what it finds by itself.
		return [];
	}
}

/** The keys that may enter the instance, and where they are not known, those of the account. */
async function askRegistered({client, id, signal}: Finding): Promise<readonly RegisteredKey[]> {
	const {instances, sshKeys} = await client();
	const attached =
		id === undefined ? undefined : await instances.sshKeys(id, {signal}).catch(() => undefined);
	if (attached !== undefined && attached.keys.length > 0) return attached.keys;
	return (await sshKeys.list({signal})).keys.filter(isRegistered);
}

function homeOf({HOME: home = ''}: Finding['environment']): string {
	try {
		return userInfo().homedir;
	} catch {
		// The system does not know the user.
		return home;
	}
}
