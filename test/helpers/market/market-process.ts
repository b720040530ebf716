import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import process from 'node:process';
import {openClient} from '../../../source/client/client.ts';
import {isPostgres} from '../../../source/market/database/postgres/address.ts';
import {ofTheRun, placeOfRun} from '../../run/place.ts';
import {placeOf} from './postgres.ts';

const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

/** The built `rentty market` at a file, or on a PostgreSQL, as a process of its own, once it says where it listens. */
export async function startMarket(file: string, ...args: readonly string[]) {
	return startMarketOf(rentty, file, ...args);
}

/** The same by another program than that of the checkout. */
export async function startMarketOf(program: string, file: string, ...args: readonly string[]) {
	const place = await placeOf(file);
	const child = spawn(program, ['market', '--data', place, '--port', '0', '--pace', '0', ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: {
			...process.env,
			HOME: isPostgres(file) ? join(placeOfRun(), ofTheRun.home) : join(file, '..'),
		},
	});
	let out = '';
	let log = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
	child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
	const exited = once(child, 'exit');
	const said = async (pattern: RegExp): Promise<string> => {
		for (;;) {
			const found = pattern.exec(out)?.[1];
			if (found !== undefined) return found;
			if (child.exitCode !== null) throw new Error(`the market ended: ${out}${log}`);
			await Promise.race([once(child.stdout, 'data'), exited]);
		}
	};
	return {
		url: await said(/listens on (\S+)\n/),
		/** The key that it shows the first time. */
		key: async () => said(/API key, shown this once: (\S+)\n/),
		pid: child.pid ?? 0,
		out: () => out,
		log: () => log,
		/** Asks it to end, and answers its exit code. */
		async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
			child.kill(signal);
			await exited;
			return child.exitCode;
		},
		async [Symbol.asyncDispose]() {
			if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
			await exited;
		},
	};
}

/** A client of a service, that ends with the test. */
export function clientOf(url: string, key: string) {
	const client = openClient({url, key, timeoutMs: 60_000, paceScale: 0, repeats: 0});
	return {...client, [Symbol.asyncDispose]: async () => client.close()};
}
