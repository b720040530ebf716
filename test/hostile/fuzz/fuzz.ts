/** Sends hostile requests to a market of its own, and tells what they did to it and to somebody beside them. */
import {permissions as all} from '../../../source/contract/grammar/permissions.ts';
import {fork, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {Agent, request} from 'node:http';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {contract} from '../../../source/contract/index.ts';
import {openFolder} from '../../helpers/folder.ts';
import {attackOf, type Attack} from './attacks.ts';

export type FuzzReport = {
	readonly requests: number;
	/** How often each status was answered; 0 where the connection was ended instead. */
	readonly statuses: Readonly<Record<number, number>>;
	/** Those that were answered with 500: their numbers make them again. */
	readonly failures: readonly string[];
	readonly log: readonly string[];
	/** Milliseconds for which others waited, in order. */
	readonly waits: readonly number[];
	/** What others were answered beside 200. */
	readonly refused: readonly number[];
	readonly longestDelayMs: number;
	/** How much of that the market computed: the rest is the machine's, which others share. */
	readonly longestComputedMs: number;
};

export type FuzzOptions = {
	readonly requests: number;
	readonly seed: number;
	readonly atOnce?: number;
};

type Opened = {readonly url: string; readonly key: string; readonly hostKey: string};
type Ended = Pick<FuzzReport, 'longestDelayMs' | 'longestComputedMs' | 'log'>;

export async function fuzz({requests, seed, atOnce = 8}: FuzzOptions): Promise<FuzzReport> {
	using folder = openFolder();
	const child = fork(join(import.meta.dirname, 'market-child.ts'), [folder.path], {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	try {
		const opened = await told<Opened>(child);
		const innocent = new Worker(join(import.meta.dirname, 'innocent.ts'), {workerData: opened});
		const {statuses, failures} = await attack(opened, {requests, seed, atOnce});
		innocent.postMessage('done', []);
		const {waits, others} = await heard(innocent);
		child.send('end');
		const ended = await told<Ended>(child);
		const sorted = waits.toSorted((a, b) => a - b);
		return {requests, statuses, failures, waits: sorted, refused: others, ...ended};
	} finally {
		if (child.exitCode === null) child.kill('SIGKILL');
	}
}

type Heard = {readonly waits: readonly number[]; readonly others: readonly number[]};

async function heard(innocent: Worker): Promise<Heard> {
	const messages: readonly unknown[] = await once(innocent, 'message');
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- innocent.ts sends it
	return messages[0] as Heard;
}

async function told<Message>(child: ChildProcess): Promise<Message> {
	const ended = once(child, 'exit').then(() => {
		throw new Error('the market ended');
	});
	const messages: readonly unknown[] = await Promise.race([once(child, 'message'), ended]);
	ended.catch(() => undefined);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- market-child.ts sends it
	return messages[0] as Message;
}

async function attack(
	{url, key, hostKey}: Opened,
	{requests, seed, atOnce}: Required<FuzzOptions>,
) {
	const agent = new Agent({keepAlive: true, maxSockets: atOnce});
	const keys = await openKeys(url, key, hostKey);
	const statuses: Record<number, number> = {};
	const failures: string[] = [];
	let next = 0;
	const work = async () => {
		while (next < requests) {
			const number = next++;
			const made = attackOf(seed, number, keys.current(number));
			const status = await send(url, made, agent);
			statuses[status] = (statuses[status] ?? 0) + 1;
			if (status >= 500)
				failures.push(
					`number ${number} of seed ${seed}: ${made.method} ${made.path.slice(0, 200)} ${made.body?.slice(0, 300)}`,
				);
			if (status === 401) await keys.renew(number);
		}
	};
	await Promise.all(Array.from({length: atOnce}, work));
	agent.destroy();
	return {statuses, failures};
}

/** Every permission there is, and yet no key that could delete the one that makes others. */
const permissions = Object.fromEntries(
	all.filter(name => !name.startsWith('team_')).map(name => [name, true]),
);

/** A key of a renter and one of a host, which are made anew where an attack has ended them. */
async function openKeys(url: string, ...makers: readonly string[]) {
	const made: string[] = [];
	const make = async (which: number) => {
		const headers = {authorization: `Bearer ${makers[which]}`, 'content-type': 'application/json'};
		const body = JSON.stringify({name: 'fuzz', permissions});
		const reply = await fetch(`${url}/api/v0/auth/apikeys/`, {method: 'POST', headers, body});
		made[which] = contract.apiKeys.create.replies[200].parse(await reply.json()).key;
	};
	for (const which of makers.keys()) await make(which);
	const isUsed = async (which: number) => {
		const headers = {authorization: `Bearer ${made[which]}`};
		return (await fetch(`${url}/api/v0/secrets/`, {headers})).status === 200;
	};
	return {
		current: (number: number) => made[number % makers.length] ?? '',
		async renew(number: number) {
			const which = number % makers.length;
			if (!(await isUsed(which))) await make(which);
		},
	};
}

/** The longest that an answer may take before it is let go of: a host's long poll waits for work. */
const PATIENCE_MS = 5000;

async function send(
	url: string,
	{method, path, headers, body}: Attack,
	agent: Agent,
): Promise<number> {
	const {promise, resolve} = Promise.withResolvers<number>();
	try {
		const {hostname, port} = new URL(url);
		const call = request({hostname, port, method, path, headers, agent}, reply => {
			reply.resume();
			reply.once('close', () => resolve(reply.statusCode ?? 0));
		});
		call.once('error', () => resolve(0));
		call.setTimeout(PATIENCE_MS, () => call.destroy());
		call.end(body);
	} catch {
		// What Node does not send at all, nobody can.
		resolve(0);
	}
	return promise;
}
