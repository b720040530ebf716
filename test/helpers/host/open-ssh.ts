/** OpenSSH's own programs, as a user has them. */
import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect} from 'vitest';
import {skipWithout} from '../missing.ts';
import {removeFolder} from '../remove-folder.ts';

/** Why there is no testing with it; undefined where it is installed. */
export const noOpenSsh = skipWithout('ssh', '-V');

export const noRsync = skipWithout('rsync');

type Environment = Readonly<Record<string, string>>;

/** A user of OpenSSH with keys of their own, in a folder that goes with the test. */
export function openSshUser() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-ssh-'));
	const settings = [
		'IdentitiesOnly=yes',
		'IdentityAgent=none',
		'StrictHostKeyChecking=accept-new',
		'LogLevel=ERROR',
		'BatchMode=yes',
		`UserKnownHostsFile=${join(folder, 'known_hosts')}`,
	];
	const options = ['-F', 'none', ...settings.flatMap(setting => ['-o', setting])];

	/** Makes a key; its public half is one line. */
	function makeKey(name: string, type = 'ed25519') {
		const file = join(folder, name);
		spawnSync('ssh-keygen', ['-q', '-t', type, '-N', '', '-C', name, '-f', file]);
		return {file, publicKey: readFileSync(`${file}.pub`, 'utf8').trim()};
	}

	async function run(
		program: string,
		args: readonly string[],
		{input, env = {}}: {readonly input?: Uint8Array | undefined; readonly env?: Environment} = {},
	) {
		const child = spawn(program, args, {
			cwd: folder,
			stdio: ['pipe', 'pipe', 'pipe'],
			env: {...process.env, ...env},
		});
		child.stdin.on('error', () => undefined).end(input);
		const ended = new Promise<number | null>(resolve => child.on('close', resolve));
		const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
		return {out, complaint, code: await ended};
	}

	return {
		folder,
		options,
		makeKey,
		run,
		/** Runs a command in an instance. */
		async ssh(port: number, key: string, command: readonly string[], input?: Uint8Array) {
			const where = ['-i', key, '-p', String(port), 'root@127.0.0.1', ...command];
			return run('ssh', [...options, ...where], {input});
		},
		[Symbol.dispose]: () => removeFolder(folder),
	};
}

/** An agent of a user, which has one key. */
export async function openSshAgent({folder, makeKey, run}: ReturnType<typeof openSshUser>) {
	const socket = join(folder, 'agent');
	const program = spawn('ssh-agent', ['-D', '-a', socket], {stdio: 'ignore'});
	await expect.poll(() => existsSync(socket)).toBe(true);
	const {file} = makeKey('of the laptop');
	await run('ssh-add', [file], {env: {SSH_AUTH_SOCK: socket}});
	return {socket, [Symbol.dispose]: () => void program.kill()};
}
