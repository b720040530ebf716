/** Does the copies into this host's instances that the market asks for, and tells how far they are. */
import type {Client} from '../client/client.ts';
import type {CopyWork} from '../contract/copies.ts';
import {messageOf} from '../contract/thrown.ts';
import {copyTree, type CopyCount} from './copy-tree.ts';
import {isRefused, persist, retryDelay, type Patience} from './retry.ts';
import type {Runtime} from './runtime.ts';
import {pause} from './scheduler.ts';
import {ownFiles} from './ssh/own-files.ts';

type Copying = {
	readonly calls: Pick<Client['hosts'], 'reportCopy'>;
	readonly runtime: Pick<Runtime, 'files'>;
};

type Told = {
	readonly message: string;
	readonly ended?: boolean;
	readonly publicKey?: string;
};

/** Tries that follow one another without a byte between them. */
const MOST_TRIES = 20;

/** Seconds between two words about one copy. */
const TELLING_SECONDS = 2;

export type Copies = {readonly want: (copies: readonly CopyWork[]) => void};

export function createCopies(copying: Copying, patience: Patience): Copies {
	const running = new Map<number, AbortController>();

	async function begin(copy: CopyWork): Promise<void> {
		const stopping = new AbortController();
		running.set(copy.id, stopping);
		const signal = AbortSignal.any([patience.signal, stopping.signal]);
		const own = {...patience, signal};
		const tell = async ({message, ended = false, publicKey}: Told): Promise<void> => {
			const told = {message: message.slice(0, 1024), ended, public_key: publicKey};
			await persist(async () => copying.calls.reportCopy(copy.id, told, {signal}), isRefused, own);
		};
		try {
			await tell({message: await copyOne(copying, copy, {patience: own, tell}), ended: true});
		} catch (error) {
			// It was cancelled, or the host leaves and goes on when it is back.
			if (!signal.aborted) patience.log(`Copy ${copy.id}: ${messageOf(error)}.`);
		} finally {
			running.delete(copy.id);
		}
	}

	return {
		want(copies) {
			for (const copy of copies) {
				if (copy.wanted === 'gone') running.get(copy.id)?.abort();
				else if (!running.has(copy.id)) void begin(copy);
			}
		},
	};
}

type Telling = {readonly patience: Patience; readonly tell: (told: Told) => Promise<void>};

/** Copies until it is done or can never be, and answers what came of it. */
async function copyOne(copying: Copying, copy: CopyWork, telling: Telling): Promise<string> {
	const {patience, tell} = telling;
	const {scheduler, random, signal} = patience;
	const {makeCopyKey} = await import('./ssh/remote-files.ts');
	const {privateKey, publicKey} = makeCopyKey();
	await tell({message: 'Copying: the source is being entered', publicKey});
	let last = -1;
	for (let tries = 1; ; tries++) {
		try {
			const {files, total} = await attempt(copying, copy, {privateKey, ...telling});
			return `Copy done: ${files} files, ${sizeOf(total)}.`;
		} catch (error) {
			signal.throwIfAborted();
			const {problem, done} = await troubleOf(error);
			if (problem !== undefined) return `Copy failed: ${problem}.`;
			if (done > last) tries = 1;
			last = Math.max(last, done);
			if (tries >= MOST_TRIES) return 'Copy failed: the source cannot be reached.';
			await pause(scheduler, retryDelay(tries, random()), signal);
			signal.throwIfAborted();
		}
	}
}

/** A try that ended, and how far it came. */
class Broken extends Error {
	override readonly name = 'Broken';
	readonly done: number;

	constructor(cause: unknown, done: number) {
		super(messageOf(cause), {cause});
		this.done = done;
	}
}

async function attempt(
	{runtime}: Copying,
	{instance_id: id, path, source_path: source, routes}: CopyWork,
	{privateKey, patience: {scheduler, signal}, tell}: Telling & {readonly privateKey: string},
): Promise<CopyCount> {
	if (runtime.files === undefined) throw new Error('this host cannot copy');
	const to = ownFiles(await runtime.files.inside({instance_id: id}));
	const from = await openFirst(routes, privateKey, signal);
	let counted = 0;
	let toldAt = scheduler.now();
	try {
		return await copyTree(from, to, {
			source,
			target: path,
			tell({done, total}) {
				counted = done;
				if (scheduler.now() - toldAt < TELLING_SECONDS) return;
				toldAt = scheduler.now();
				const percent = Math.floor((100 * done) / Math.max(1, total));
				const message = `Copying: ${percent}% (${sizeOf(done)} of ${sizeOf(total)})`;
				tell({message}).catch(() => undefined);
			},
		});
	} catch (error) {
		throw new Broken(error, counted);
	} finally {
		from.close();
	}
}

async function openFirst(routes: CopyWork['routes'], privateKey: string, signal: AbortSignal) {
	const {LineBroken, openRemoteFiles} = await import('./ssh/remote-files.ts');
	for (const route of routes) {
		try {
			return await openRemoteFiles(route, privateKey, signal);
		} catch {
			signal.throwIfAborted();
		}
	}
	throw new Broken(new LineBroken(), 0);
}

/** Trouble that no other try would end; undefined where the line alone was broken. */
async function troubleOf(
	error: unknown,
): Promise<{readonly problem: string | undefined; readonly done: number}> {
	const {LineBroken} = await import('./ssh/remote-files.ts');
	const cause = error instanceof Broken ? error.cause : error;
	const done = error instanceof Broken ? error.done : 0;
	const isLine = cause instanceof LineBroken || /no response|not connected/i.test(messageOf(cause));
	return {problem: isLine ? undefined : messageOf(cause).replace(/\.$/, ''), done};
}

function sizeOf(bytes: number): string {
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
