import {spawn, spawnSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {expect} from 'vitest';
import {openPracticeWorld} from '../commands/practice-world.ts';
import {openPty} from '../console/pty.ts';

const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

/** A renter with a home and a key in an agent, who enters instances with OpenSSH from the console. */
export async function openEntrance() {
	const world = await openPracticeWorld();
	const {user} = world;
	const socket = join(user.folder, 'agent');
	const agent = spawn('ssh-agent', ['-D', '-a', socket], {stdio: 'ignore'});
	const home = (...names: readonly string[]) => join(user.folder, 'home', ...names);
	mkdirSync(home());
	const env = {
		HOME: home(),
		XDG_DATA_HOME: home('data'),
		XDG_CONFIG_HOME: home('config'),
		XDG_STATE_HOME: home('state'),
		XDG_CACHE_HOME: home('cache'),
		RENTTY_URL: world.url,
		RENTTY_API_KEY: world.key,
		SSH_AUTH_SOCK: socket,
		TMUX: '',
	};

	/** Puts a new key into the agent, and its public half into the account. */
	async function registerKey(): Promise<void> {
		const made = user.makeKey('laptop');
		const add = () =>
			spawnSync('ssh-add', ['-q', made.file], {env: {...process.env, ...env}}).status;
		await expect.poll(add).toBe(0);
		await world.client.sshKeys.create(made.publicKey);
	}

	return {
		...world,
		env,
		home,
		rentty,
		/** What the market is called in the file of host keys. */
		service: new URL(world.url).host.replace(':', '-'),
		registerKey,
		/** The console, with the list of instances. */
		async openInstances() {
			const terminal = openPty(rentty, [], {env});
			await terminal.sees(/1 of [\d,]+/);
			terminal.type('2');
			await terminal.sees('  Instances');
			return terminal;
		},
		async [Symbol.asyncDispose]() {
			agent.kill();
			await world[Symbol.asyncDispose]();
		},
	};
}
