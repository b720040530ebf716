/** Waits until an instance runs, and reports its state meanwhile. */
import {createConnection} from 'node:net';
import type {Client} from '../../client/client.ts';
import type {StartWatchResult} from '../../client/rentals/watch-instance.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {sshRoutes, type SshRoute} from '../../contract/nouns/ssh-command.ts';
import {pollUntil} from '../../renter/state/polling.ts';
import type {Context} from '../base/command.ts';
import {exitCodes, type ExitCode} from '../base/failure.ts';
import {MINUTE_MS} from '../../contract/rules/durations.ts';

type Booted = {
	readonly outcome:
		| 'running'
		| 'never runs'
		| 'gone'
		| 'stuck'
		| 'running, no ssh'
		| 'not as ordered';
	readonly exitCode: ExitCode;
	readonly message: string | undefined;
	readonly instance: Instance | undefined;
};

type Waiting = Pick<Context, 'settings' | 'output' | 'signal'>;

const EVERY_MS = 3000;

/**
 * Polls for as long as a boot may take by the settings.
 *
 * @param isEnough gets each record that is seen, and is true at the last one needed
 */
export async function watchBoot(
	{settings: {limits}, output, signal}: Waiting,
	client: Client,
	id: number,
	isEnough?: (instance: Instance) => Promise<boolean>,
): Promise<Booted> {
	const timeout = limits.bootMinutes * MINUTE_MS;
	const watchedStates = client.instances.watch(id, {signal, timeout, interval: EVERY_MS});
	let printed = '';
	let last: StartWatchResult | undefined;
	for await (const watched of watchedStates) {
		last = watched;
		const text = describe(watched);
		// Only changes get a line, not polls.
		if (text !== printed) output.say(`rentty: ${id} ${text}`);
		printed = text;
		const instance = 'instance' in watched ? watched.instance : undefined;
		if (instance !== undefined && (await isEnough?.(instance)) === true) {
			return {...unlike, instance};
		}
	}
	return bootedAs(last, limits.bootMinutes);
}

const unlike = {
	outcome: 'not as ordered',
	exitCode: exitCodes.notAsOrdered,
	message: undefined,
} as const;

function describe(watched: StartWatchResult): string {
	switch (watched.kind) {
		case 'waiting': {
			const message = watched.instance?.status_msg?.trim() ?? '';
			return [watched.state ?? 'provisioning', message].join(' ').trim();
		}
		case 'unseen':
			return 'cannot be seen at present; its start goes on';
		case 'running':
		case 'never runs':
		case 'gone':
		case 'timed out':
			return watched.kind;
	}
}

function bootedAs(watched: StartWatchResult | undefined, bootMinutes: number): Booted {
	switch (watched?.kind) {
		case 'running': {
			const {instance} = watched;
			return {outcome: 'running', exitCode: exitCodes.fine, message: undefined, instance};
		}
		case 'never runs': {
			const {instance, state} = watched;
			const message = `it is ${state}, and will not run by itself`;
			return {outcome: 'never runs', exitCode: exitCodes.timedOut, message, instance};
		}
		case 'gone': {
			const message = 'it is not there any more';
			return {outcome: 'gone', exitCode: exitCodes.notFound, message, instance: undefined};
		}
		case 'waiting':
		case 'unseen':
		case 'timed out':
		case undefined: {
			const message = `it does not run after ${bootMinutes} minutes`;
			return {outcome: 'stuck', exitCode: exitCodes.timedOut, message, instance: undefined};
		}
	}
}

const SSH_EVERY_MS = 1000;

/** Waits until SSH answers, for as long as the settings allow; true at once for an instance without SSH. */
export async function waitForSsh(
	{settings: {limits}, signal}: Pick<Context, 'settings' | 'signal'>,
	instance: Instance,
): Promise<boolean> {
	const routes = sshRoutes(instance);
	if (routes.length === 0 || instance.image_runtype === 'args') return true;
	const until = Date.now() + limits.noSshMinutes * MINUTE_MS;
	return pollUntil({
		everyMs: SSH_EVERY_MS,
		signal,
		async ask() {
			const answers = await Promise.all(routes.map(async route => speaksSsh(route, signal)));
			if (answers.includes(true)) return true;
			return Date.now() >= until ? false : undefined;
		},
	});
}

const PATIENCE_MS = 3000;

/** True if the address greets as an SSH server does. */
async function speaksSsh({host, port}: SshRoute, signal: AbortSignal): Promise<boolean> {
	return new Promise(resolve => {
		const socket = createConnection({host, port, signal});
		const end = (answer: boolean) => {
			socket.destroy();
			resolve(answer);
		};
		socket.setTimeout(PATIENCE_MS, () => end(false));
		socket.once('data', (greeting: Buffer) => end(greeting.subarray(0, 4).toString() === 'SSH-'));
		socket.once('error', () => end(false));
		socket.once('close', () => end(false));
	});
}
