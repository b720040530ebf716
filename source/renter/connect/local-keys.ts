/** The SSH keys of this machine: their public halves. No private key is ever opened. */
import {execFile} from 'node:child_process';
import {access, mkdir, readdir, readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {parsePublicKey, PublicKeyError, type PublicKey} from '../../contract/rules/public-key.ts';

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

/** Finds the keys in `~/.ssh/*.pub` and in the agent; what cannot be read is as good as not there. */
export async function findLocalKeys(environment: Environment): Promise<readonly LocalKey[]> {
	const [files, agent] = await Promise.all([keysInFiles(environment), keysInAgent(environment)]);
	const loaded = new Set(agent.map(({blob}) => blob));
	const onlyLoaded = agent.filter(({blob}) => !files.some(([, key]) => key.blob === blob));
	return [
		...files.map(([file, key]): LocalKey => ({...key, file, isInAgent: loaded.has(key.blob)})),
		...onlyLoaded.map((key): LocalKey => ({...key, file: undefined, isInAgent: true})),
	];
}

/** Those that the agent holds, and those whose private half lies beside the public one. It is never read. */
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
 * Makes a key without a passphrase, as ssh-keygen does. No file is written over.
 *
 * @returns its public half
 */
export async function makeKey(file: string): Promise<string> {
	await mkdir(dirname(file), {recursive: true, mode: 0o700});
	const args = ['-q', '-t', 'ed25519', '-N', '', '-C', 'rentty', '-f', file];
	await new Promise<void>((resolve, reject) => {
		const child = execFile('ssh-keygen', args, {timeout: MAKE_MS}, (error, _, said) => {
			if (error === null) resolve();
			else reject(new Error(`no key was made: ${said.trim() || error.message}`));
		});
		// A file that came meanwhile makes it ask; without an answer it writes nothing.
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
	const keys = await Promise.all(
		files.map(async name => {
			const text = await readFile(join(folder, name), 'utf8').catch(() => '');
			return read(text.slice(0, MOST_BYTES)).map(key => [join(folder, name), key] as const);
		}),
	);
	return keys.flat();
}

async function keysInAgent(environment: Environment): Promise<readonly PublicKey[]> {
	const {SSH_AUTH_SOCK: socket} = environment;
	if (socket === undefined || socket === '') return [];
	const printed = await new Promise<string>(resolve => {
		const options = {env: environment, timeout: AGENT_MS};
		// -L prints public halves; where there is no agent, or it is empty, nothing is missed.
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
