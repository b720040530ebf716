import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import process from 'node:process';
import {endProcessesOf} from '../../run/left-behind.ts';

const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

export type HostProcessOptions = {
	readonly url: string;
	readonly keyFile: string;
	readonly folder: string;
	readonly runtime: 'process' | 'sandbox' | 'container';
	/**
	 * Whether those who rent are trusted.
	 *
	 * @default true
	 */
	readonly isTrusted?: boolean;
	/** A folder of programs that are found before all others, such as a tool that makes GPUs up. */
	readonly programs?: string;
	/** Socket of a container engine, whose own images may be rented. */
	readonly engine?: string;
	/** @default that of the checkout */
	readonly program?: string;
};

/** The built `rentty host` as a process of its own, once its machine is offered. */
export async function startHost({
	url,
	keyFile,
	folder,
	runtime,
	isTrusted = true,
	programs,
	engine,
	program = rentty,
}: HostProcessOptions) {
	const trust = isTrusted ? ['--trusted'] : [];
	const local = engine === undefined ? [] : ['--local-images'];
	const socket = engine === undefined ? {} : {DOCKER_HOST: `unix://${engine}`};
	const where = ['--market', url, '--key-file', keyFile, '--folder', folder];
	const child = spawn(
		program,
		['host', ...where, '--runtime', runtime, ...trust, ...local, '--name', 'rig'],
		{
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...process.env,
				...socket,
				HOME: folder,
				PATH: [programs, process.env['PATH']].join(':'),
			},
		},
	);
	let said = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
	const exited = once(child, 'exit');
	while (!/offers machine \d+/.test(said)) {
		if (child.exitCode !== null) throw new Error(`the host ended: ${said}`);
		await Promise.race([once(child.stdout, 'data'), exited]);
	}
	return {
		pid: child.pid ?? 0,
		said: () => said,
		/** Its exit code, when it ends by itself. */
		ended: exited.then(() => child.exitCode),
		async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
			child.kill(signal);
			await exited;
			return child.exitCode;
		},
		async [Symbol.asyncDispose]() {
			child.kill('SIGKILL');
			await exited;
			endProcessesOf(folder);
		},
	};
}
