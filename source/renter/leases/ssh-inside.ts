/** Runs scripts inside of instances with OpenSSH. A script is never an argument. */
import {spawn} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {sshRoutes} from '../../contract/nouns/ssh-command.ts';
import {answeringRoute} from '../connect/answering-route.ts';
import {findIdentityFiles} from '../connect/keys.ts';
import {execTarget, type ExecTarget} from '../connect/exec.ts';
import {knownHostsOf} from '../connect/ssh-config.ts';
import type {RunInside} from './inside.ts';
import type {Folders} from '../files/folders.ts';

type Entering = {
	readonly folders: Pick<Folders, 'state'>;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	readonly client: Client;
	/** Name of the service in its host names. */
	readonly name: string;
};

export function openInside(entering: Entering): RunInside {
	const {signal} = entering;
	let identities: Promise<readonly string[]> | undefined;
	return async (instance, script, limitMs) => {
		identities ??= identitiesOf(entering);
		const {command} = await targetFor(entering, instance, await identities);
		if ('problem' in command) return undefined;
		return runScript(command, script, AbortSignal.any([signal, AbortSignal.timeout(limitMs)]));
	};
}

async function identitiesOf({environment, client, signal}: Entering): Promise<readonly string[]> {
	return findIdentityFiles({environment, client: async () => client, signal});
}

/** SSH target of an instance that is entered without prompts, or the reason why it cannot be. */
async function targetFor(
	{folders, name}: Entering,
	instance: Instance,
	identities: readonly string[],
): Promise<ExecTarget> {
	mkdirSync(folders.state, {recursive: true, mode: 0o700});
	const known = knownHostsOf(join(folders.state, 'known_hosts'), name);
	const isRunning = instance.actual_status === 'running';
	const routes = isRunning ? sshRoutes(instance) : [];
	const route = await answeringRoute(routes, {folder: folders.state});
	return execTarget(instance, route ?? sshRoutes(instance)[0], {known, identities});
}

/** Commands that enter instances without prompts, for `exec`. */
export async function execTargetsOf(
	entering: Entering,
	instances: readonly Instance[],
): Promise<readonly ExecTarget[]> {
	const identities = await identitiesOf(entering);
	return Promise.all(instances.map(async one => targetFor(entering, one, identities)));
}

/** Most output of a script: ours write less, even for sixteen GPUs. */
const LONGEST_OUTPUT = 262_144;

async function runScript(
	{program, args}: {readonly program: string; readonly args: readonly string[]},
	script: string,
	signal: AbortSignal,
): Promise<string | undefined> {
	return new Promise(resolve => {
		const child = spawn(program, [...args, 'sh'], {
			stdio: ['pipe', 'pipe', 'ignore'],
			signal,
		});
		let out = '';
		child.stdout.on('data', (text: Buffer) => {
			if (out.length < LONGEST_OUTPUT) out += text.toString();
		});
		child.on('error', () => resolve(undefined));
		child.on('close', code => resolve(code === 0 ? out : undefined));
		child.stdin.on('error', () => undefined);
		child.stdin.end(script);
	});
}
