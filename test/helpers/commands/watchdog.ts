import {spawn} from 'node:child_process';
import {existsSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {endlessLease, type Lease} from '../../../source/renter/words/lease.ts';
import {composeOnstart, watchdogScript} from '../../../source/renter/leases/watchdog.ts';
import {openFaultProxy} from '../services/fault-proxy.ts';
import type {Fault} from '../services/faults.ts';
import {LOOK_SECONDS, openHandMachine, programNamed, type CountsOf} from '../host/hand-machine.ts';
import {contractOf, openRentable} from '../market/rentable.ts';

/** The shells in which an onstart may run. */
export const shells = [
	{shell: 'dash', words: ['dash']},
	{shell: 'bash', words: ['bash']},
	{shell: 'busybox ash', words: ['busybox', 'ash']},
].flatMap(({shell, words: [name = '', ...words]}) => {
	const file = programNamed(name);
	return file === undefined ? [] : [{shell, command: [file, ...words]}];
});

/** The programs that can call the service. */
export const callers = ['curl', 'wget', 'python3'].filter(name => programNamed(name) !== undefined);

export const NOW = 1_764_000_000;

/** A lease that ends so many seconds after its watchdog begins. */
export const lasts = (seconds: number, rest: Partial<Lease> = {}): Lease => ({
	...endlessLease,
	endsAt: NOW + seconds,
	...rest,
});

export type Watched = Awaited<ReturnType<typeof openWatched>>;

export type Wanted = {
	readonly lease?: Partial<Lease>;
	readonly command?: readonly string[];
	readonly installed?: readonly string[];
	readonly onstart?: string;
	readonly before?: string;
	readonly counts?: CountsOf;
	/** What happens to its first calls that change nothing. */
	readonly faults?: readonly Fault[];
};

/** An instance whose onstart runs in a shell of this machine, with uptime and load by hand. */
export async function openWatched(wanted: Wanted = {}) {
	const market = await openRentable();
	const machine = openHandMachine(wanted.installed ?? ['curl'], wanted.counts);
	const proxy = await openFaultProxy(market.url);
	for (const fault of wanted.faults ?? []) proxy.next({method: 'GET'}, fault);
	const composed = composedOf(wanted, proxy.url, machine.root);
	const reply = await market.rent({image: 'x', onstart: composed.onstart});
	const [id, key] = [contractOf(reply.body), keyIn(reply.body)];
	const runs = startOnstart(wanted, composed.onstart, {...machine, id, key});
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const own = (name: string) => join(machine.home, '.rentty', name);
	const current = async () => (await client.instances.show(id))?.cur_state ?? 'gone';
	const seen = () => `${read(own('s'))}${runs.isAlive() ? '' : 'it is gone'}\n${read(own('o'))}`;
	const tell = (terms: string): void => {
		// It reads the file as soon as it is there.
		writeFileSync(own('n.'), terms);
		renameSync(own('n.'), own('n'));
	};
	await expect.poll(() => read(own('s')), slowly).not.toBe('');

	return {
		...market,
		...machine,
		id,
		key,
		client,
		composed,
		...runs,
		file: (name: string) => read(join(machine.home, name)),
		/** Lets uptime pass, and waits until the watchdog has seen it. */
		async passes(seconds: number): Promise<void> {
			const uptime = machine.tick(seconds);
			await expect.poll(seen, slowly).toContain(`p=${uptime}`);
		},
		/** What it called. */
		requests: proxy.requests,
		/** True if it has marked that the service answered. */
		hasReached: () => existsSync(own('r')),
		/** Puts a file where the watchdog learns of changes. */
		tell,
		/** What the market says of its GPUs, or that it is gone. */
		current,
		async becomes(state: string): Promise<void> {
			await expect.poll(current, slowly).toBe(state);
		},
		/** Lets it idle, a minute after the other as the watchdog sees them, until it has ended so. */
		async idlesTo(state: string): Promise<void> {
			await expect
				.poll(async () => {
					if (read(own('s')).includes(`p=${machine.tick(0)} `)) machine.tick(60);
					return current();
				}, slowly)
				.toBe(state);
		},
		async [Symbol.asyncDispose]() {
			// What is sourced may end it.
			tell(': > ended; exit\n');
			await expect.poll(() => existsSync(own('ended')), slowly).toBe(true);
			runs.kill();
			await client.close();
			await proxy.close();
			await market[Symbol.asyncDispose]();
			machine.remove();
		},
	};
}

const slowly = {timeout: 50_000};

function composedOf({lease = {}, onstart = ''}: Wanted, url: string, root: string) {
	const all = {...endlessLease, ...lease};
	const watchdog = watchdogScript({lease: all, url, now: NOW, everySeconds: LOOK_SECONDS, root});
	const composed = watchdog && composeOnstart({watchdog, onstart});
	if (!composed) throw new Error('there is no watchdog');
	return composed;
}

type Place = {
	readonly id: number;
	readonly key: string;
	readonly home: string;
	readonly bin: string;
};

function startOnstart({command = ['/bin/sh'], before}: Wanted, onstart: string, place: Place) {
	const children = new Set<ReturnType<typeof spawn>>();
	let log = '';
	const start = (): void => {
		const [file = '', ...args] = command;
		const child = spawn(file, [...args, '-c', onstart], {
			cwd: place.home,
			env: {
				PATH: place.bin,
				HOME: place.home,
				CONTAINER_API_KEY: place.key,
				CONTAINER_ID: String(place.id),
				...(before !== undefined && {RENTTY_BEFORE: before}),
			},
			stdio: ['ignore', 'pipe', 'pipe'],
			// Leads a group, which ends whole: shells leave what they started.
			detached: true,
		});
		for (const stream of [child.stdout, child.stderr]) {
			stream.on('data', (text: Buffer) => (log += text.toString()));
		}
		children.add(child);
	};
	start();
	return {
		/** Starts it once more, as a restart of the instance does. */
		start,
		log: () => log,
		isRunning: () => [...children].some(({exitCode}) => exitCode === null),
		/** True while anything of it runs. */
		isAlive: () => [...children].some(child => signalGroup(child, 0)),
		kill: () => children.forEach(child => signalGroup(child, 'SIGKILL')),
	};
}

/** Sends a signal to all that a child leads; false where nothing of it is there. */
function signalGroup({pid}: ReturnType<typeof spawn>, signal: NodeJS.Signals | 0): boolean {
	try {
		return pid !== undefined && process.kill(-pid, signal);
	} catch {
		return false;
	}
}

function read(file: string): string {
	return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function keyIn(body: unknown): string {
	const isKnown = typeof body === 'object' && body !== null && 'instance_api_key' in body;
	return isKnown ? String(body.instance_api_key) : '';
}
