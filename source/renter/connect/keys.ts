/**
 * SSH keys: the public halves of this machine's keys, the ones registered with a service, and the
 * files that commands name with `-i`. No private key is ever opened.
 */
import {execFile} from 'node:child_process';
import {access, mkdir, readdir, readFile} from 'node:fs/promises';
import {dirname, join, basename} from 'node:path';
import {createHash} from 'node:crypto';
import {userInfo} from 'node:os';
import {parsePublicKey, PublicKeyError, type PublicKey} from '../../contract/rules/public-key.ts';
import type {Client} from '../../client/client.ts';
import {readPlainFile} from '../../client/files/files.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export type LocalKey = PublicKey & {
	/** The file with the public half; undefined for a key that only the agent has. */
	readonly file: string | undefined;
	readonly isInAgent: boolean;
};

/** A public key is one line. */
const MOST_BYTES = 16 * 1024;
const AGENT_MS = 3000;
const MAKE_MS = 10_000;

/** Finds the keys in `~/.ssh/*.pub` and in the agent; unreadable ones are skipped. */
export async function findLocalKeys(environment: Environment): Promise<readonly LocalKey[]> {
	const [files, agent] = await Promise.all([keysInFiles(environment), keysInAgent(environment)]);
	const loaded = new Set(agent.map(({blob}) => blob));
	const onlyLoaded = agent.filter(({blob}) => !files.some(([, key]) => key.blob === blob));
	return [
		...files.map(([file, key]): LocalKey => ({...key, file, isInAgent: loaded.has(key.blob)})),
		...onlyLoaded.map((key): LocalKey => ({...key, file: undefined, isInAgent: true})),
	];
}

/**
 * Keys that the agent holds, or whose private file, which is never read, is next to the public one.
 */
export async function findUsableKeys(environment: Environment): Promise<readonly LocalKey[]> {
	const keys = await findLocalKeys(environment);
	const usable = await Promise.all(
		keys.map(async key => key.isInAgent || (await isThere(privateFile(key)))),
	);
	return keys.filter((_, index) => usable[index]);
}

/** File for a new key: the usual name, else one of rentty's own. */
export async function newKeyFile({HOME: home}: Environment): Promise<string | undefined> {
	if (home === undefined || home === '') return undefined;
	for (const name of ['id_ed25519', 'rentty_ed25519']) {
		const file = join(home, '.ssh', name);
		// oxlint-disable-next-line no-await-in-loop -- the first that is free
		const isTaken = (await isThere(file)) || (await isThere(`${file}.pub`));
		if (!isTaken) return file;
	}
	return undefined;
}

/**
 * Makes a key without a passphrase, as ssh-keygen does. No file is overwritten.
 *
 * @returns its public half
 */
export async function makeSshKey(file: string): Promise<string> {
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'rentty', '-f', file];
	await new Promise<void>((resolve, reject) => {
		const child = execFile('ssh-keygen', args, {timeout: MAKE_MS}, (error, _, stderr) => {
			if (error === null) resolve();
			else reject(new Error(`no key was made: ${stderr.trim() || error.message}`));
		});
		// `ssh-keygen` asks before it overwrites a file; without an answer it writes nothing.
		child.stdin?.end();
	});
	return readFile(`${file}.pub`, 'utf8');
}

/** The file of a key's private half; empty for a key that only the agent has. */
export function privateFile({file = ''}: Pick<LocalKey, 'file'>): string {
	return file.slice(0, -'.pub'.length);
}

async function isThere(file: string): Promise<boolean> {
	return access(file).then(
		() => true,
		() => false,
	);
}

async function keysInFiles({HOME: home}: Environment) {
	if (home === undefined || home === '') return [];
	const folder = join(home, '.ssh');
	const names = await readdir(folder).catch(() => []);
	const files = names.filter(name => name.endsWith('.pub')).toSorted();
	return files.flatMap(name => {
		const file = join(folder, name);
		return read(readKeyFile(file)).map(key => [file, key] as const);
	});
}

/** Text of a public key's file; empty for what is no file, such as a pipe that nobody writes to. */
function readKeyFile(file: string): string {
	try {
		return readPlainFile(file).slice(0, MOST_BYTES);
	} catch {
		return '';
	}
}

async function keysInAgent(environment: Environment): Promise<readonly PublicKey[]> {
	const {SSH_AUTH_SOCK: socket} = environment;
	if (socket === undefined || socket === '') return [];
	const printed = await new Promise<string>(resolve => {
		const options = {env: environment, timeout: AGENT_MS};
		// -L prints public halves, and fails harmlessly without an agent or keys.
		execFile('ssh-add', ['-L'], options, (error, stdout) => resolve(error === null ? stdout : ''));
	});
	return printed.split('\n').flatMap(read);
}

function read(text: string): readonly PublicKey[] {
	try {
		return [parsePublicKey(text)];
	} catch (error) {
		if (error instanceof PublicKeyError) return [];
		throw error;
	}
}

/** A public key as services send it: some call its text `key`, others `public_key`. */
type RegisteredKey = {
	readonly public_key?: string | null | undefined;
	readonly key?: string | null | undefined;
};

/** The keys of this machine that registered ones belong to. */
export function amongRegistered(
	registered: readonly RegisteredKey[],
	local: readonly LocalKey[],
): readonly LocalKey[] {
	const blobs = new Set(registered.map(blobOf));
	return local.filter(({blob}) => blobs.has(blob));
}

/** The data of a registered key; undefined if it cannot be read. */
export function blobOf({public_key: text, key}: RegisteredKey): string | undefined {
	try {
		return parsePublicKey(text ?? key ?? '').blob;
	} catch (error) {
		if (error instanceof PublicKeyError) return undefined;
		throw error;
	}
}

type Kept = {readonly deleted_at?: string | number | null | undefined};

/**
 * True for a listed key that the account still has: only such a key is installed in new instances.
 */
export function isRegistered({deleted_at: deleted}: Kept): boolean {
	return deleted === undefined || deleted === null || deleted === '' || deleted === 0;
}

const types: Readonly<Record<string, string>> = {
	'ssh-ed25519': 'ed25519',
	'ecdsa-sha2-nistp256': 'ecdsa 256',
	'ecdsa-sha2-nistp384': 'ecdsa 384',
	'ecdsa-sha2-nistp521': 'ecdsa 521',
	'sk-ssh-ed25519@openssh.com': 'ed25519-sk',
	'sk-ecdsa-sha2-nistp256@openssh.com': 'ecdsa-sk',
};

/** Type of a key: ed25519, rsa 4096. Unknown types stay as they were sent. */
export function formatKeyType(type: string, blob: string): string {
	if (type !== 'ssh-rsa') return types[type] ?? type;
	const bits = rsaBits(Buffer.from(blob, 'base64'));
	return bits === undefined ? 'rsa' : `rsa ${bits}`;
}

/** The size of the modulus, which is the last of three parts that are each led by their length. */
function rsaBits(bytes: Buffer): number | undefined {
	let at = 0;
	for (let part = 0; part < 2; part++) {
		if (at + 4 > bytes.length) return undefined;
		at += 4 + bytes.readUInt32BE(at);
	}
	if (at + 4 > bytes.length) return undefined;
	const modulus = bytes.subarray(at + 4);
	return (modulus[0] === 0 ? modulus.length - 1 : modulus.length) * 8;
}

/** The fingerprint that ssh itself shows: `SHA256:…`. */
export function fingerprint(blob: string): string {
	const digest = createHash('sha256').update(Buffer.from(blob, 'base64')).digest('base64');
	return `SHA256:${digest.replace(/(?<!=)=+$/, '')}`;
}

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

/** Limit of offered keys: servers disconnect after six wrong ones, including those of the agent. */
const MOST_FILES = 4;

/**
 * The private key files to name, of those that belong to registered keys; none if OpenSSH finds a
 * key itself. With `-i` it tries no other file, so usual names are listed together with others.
 *
 * @param home The home in which OpenSSH looks for `~/.ssh`
 */
export function identityFiles(
	registered: readonly RegisteredKey[],
	local: readonly LocalKey[],
	home: string,
): readonly string[] {
	const mine = amongRegistered(registered, local).filter(isNameable);
	return mine.some(key => isOdd(key, home)) ? mine.map(privateFile).slice(0, MOST_FILES) : [];
}

/**
 * True if the name is safe in a config line: OpenSSH replaces `${NAME}`, and control characters end
 * a line.
 */
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

/**
 * Finds the private key files to name. Asks the service only if one of them has an unusual name.
 */
export async function findIdentityFiles(finding: Finding): Promise<readonly string[]> {
	const {environment, signal, home = homeOf(environment)} = finding;
	const local = await findUsableKeys(environment);
	if (!local.some(key => isNameable(key) && isOdd(key, home))) return [];
	try {
		return identityFiles(await askRegistered(finding), local, home);
	} catch {
		signal?.throwIfAborted();
		// The API key may lack this right: then OpenSSH tries the keys that it finds itself.
		return [];
	}
}

/** The keys authorised for the instance; if unknown, those of the account. */
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
		// The system has no such user.
		return home;
	}
}
