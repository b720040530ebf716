/** Copies files into this host's instances and volumes as the market orders, and reports progress. */
import type {Client} from '../../client/client.ts';
import type {CopyWork} from '../../contract/nouns/copies.ts';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {createCopyNames} from './names.ts';
import {addressOf, sourceHere} from './source.ts';
import {createCopySpace, type CopySpace, copyTree, type CopyCount} from './tree.ts';
import {isRefused, persist, retryDelay, type RetryTools} from '../base/retry.ts';
import type {Runtime} from '../base/runtime.ts';
import {pause} from '../base/scheduler.ts';
import {ownFiles} from '../inside/own-files.ts';
import {createSemaphore, MOST_COPIES} from '../ssh/connection-limits.ts';
import type {makeCopyKey, RemoteFiles} from '../ssh/remote-files.ts';

type Copying = {
	readonly calls: Pick<Client['hosts'], 'reportCopy'>;
	readonly runtime: Pick<Runtime, 'files'>;
};

type Means = Copying & {readonly openNames: ReturnType<typeof createCopyNames>};

type CopyReport = {
	readonly message: string;
	readonly ended?: boolean;
	readonly failed?: boolean;
	/** `machine` for a failure of this machine, not of the source. */
	readonly fault?: 'machine';
	readonly publicKey?: string;
};

/** The most tries in a row that copy no byte. */
const MOST_TRIES = 20;

const GB = 1e9;

/** Interval of a copy's progress reports, in seconds. */
const REPORT_SECONDS = 2;

type RunningCopy = {
	copy: CopyWork;
	readonly stopping: AbortController;
	readonly space: CopySpace;
	/** Fulfils when it writes nothing any more. */
	ended: Promise<void>;
};

export type Copies = {
	/** Begins copies that are wanted, and changes running ones. */
	readonly want: (copies: readonly CopyWork[]) => void;
	/** Cancels copies that are no longer wanted, and fulfils when they have ended. */
	readonly cancel: (copies: readonly CopyWork[]) => Promise<void>;
	/** Cancels all other copies, and fulfils when they have ended. */
	readonly keepOnly: (copies: readonly CopyWork[]) => Promise<void>;
};

export function createCopies(copying: Copying, patience: RetryTools): Copies {
	const running = new Map<number, RunningCopy>();
	const slots = createSemaphore(MOST_COPIES);
	const means = {...copying, openNames: createCopyNames()};

	function start(copy: CopyWork): void {
		const stopping = new AbortController();
		const space = createCopySpace(spaceOf(copy));
		const held: RunningCopy = {copy, stopping, space, ended: Promise.resolve()};
		running.set(copy.id, held);
		held.ended = run(held);
	}

	async function run(held: RunningCopy): Promise<void> {
		const {copy, stopping} = held;
		const giveBack = slots.take();
		const signal = AbortSignal.any([patience.signal, stopping.signal]);
		const own = {...patience, signal};
		const report = async ({
			message,
			publicKey,
			ended = false,
			failed,
			fault,
		}: CopyReport): Promise<void> => {
			const body = {message: message.slice(0, 1024), ended, failed, fault, public_key: publicKey};
			await persist(async () => copying.calls.reportCopy(copy.id, body, {signal}), isRefused, own);
		};
		try {
			const reporting = {patience: own, report};
			const outcome = giveBack === undefined ? tooMany : await copyOne(means, held, reporting);
			await report({...outcome, ended: true});
		} catch (error) {
			// An aborted copy is no failure: it was cancelled, or continues when the agent is back.
			if (!signal.aborted) patience.log(`Copy ${copy.id}: ${messageOf(error)}.`);
		} finally {
			// A closing agent keeps the parts: the copy continues when the agent is back.
			if (!patience.signal.aborted) await clearParts(copying, held, patience);
			if (running.get(copy.id) === held) running.delete(copy.id);
			giveBack?.();
		}
	}

	async function cancelAll(ids: readonly number[]): Promise<void> {
		const cancelled = ids.flatMap(id => running.get(id) ?? []);
		for (const {copy, stopping} of cancelled) {
			stopping.abort();
			running.delete(copy.id);
		}
		await Promise.all(cancelled.map(async ({ended}) => ended));
	}

	return {
		want(copies) {
			for (const copy of copies) {
				const held = running.get(copy.id);
				if (copy.wanted === 'gone') continue;
				if (held === undefined) start(copy);
				// The order may name another SSH server.
				else held.copy = copy;
			}
		},
		async cancel(copies) {
			await cancelAll(copies.filter(({wanted}) => wanted === 'gone').map(({id}) => id));
		},
		async keepOnly(copies) {
			const wanted = new Set(copies.map(({id}) => id));
			await cancelAll([...running.keys()].filter(id => !wanted.has(id)));
		},
	};
}

function spaceOf({target}: CopyWork): number {
	return 'volume_id' in target ? target.size * GB : Infinity;
}

async function clearParts(
	{runtime: {files}}: Copying,
	{copy: {id, target}, space}: RunningCopy,
	{log}: RetryTools,
): Promise<void> {
	try {
		if (files !== undefined) await space.clear(ownFiles(await files.inside(target)));
	} catch (error) {
		log(`Copy ${id} leaves parts of files: ${messageOf(error)}.`);
	}
}

type Reporting = {
	readonly patience: RetryTools;
	readonly report: (body: CopyReport) => Promise<void>;
};

/** Copies until all files are complete or a failure is final, and returns the outcome. */
async function copyOne(means: Means, held: RunningCopy, reporting: Reporting): Promise<CopyReport> {
	const {patience, report} = reporting;
	const {scheduler, random, signal} = patience;
	const {makeCopyKey} = await import('../ssh/remote-files.ts');
	const key = makeCopyKey();
	if (held.copy.source === undefined) {
		await report({message: 'Copying: the source is being entered', publicKey: key.publicKey});
	}
	let last = -1;
	for (let tries = 1; ; tries++) {
		try {
			const copy = async () => attempt(means, held, {key, ...reporting});
			const order = means.runtime.files?.order;
			const {files, total} = await (order?.(held.copy.id, signal, copy) ?? copy());
			return {message: `Copy done: ${files} files, ${sizeOf(total)}.`};
		} catch (error) {
			signal.throwIfAborted();
			const {problem, done} = await troubleOf(error);
			if (problem !== undefined) return {...failure(problem), ...faultOf(error)};
			if (done > last) tries = 1;
			last = Math.max(last, done);
			if (tries >= MOST_TRIES) return failure('the source cannot be reached');
			await pause(scheduler, retryDelay(tries, random()), signal);
			signal.throwIfAborted();
		}
	}
}

function failure(problem: string): CopyReport {
	return {message: `Copy failed: ${problem}.`, failed: true};
}

const tooMany = {...failure('too many copies are made into this host'), fault: 'machine'} as const;

class NoCopies extends Error {
	override readonly name = 'NoCopies';
}

/** Errors of the machine that no copied file can cause, unlike a full disk. */
const ownTrouble: ReadonlySet<unknown> = new Set(['EIO', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM']);

function faultOf(error: unknown): Pick<CopyReport, 'fault'> {
	const cause = error instanceof Broken ? error.cause : error;
	const isOwn = cause instanceof NoCopies || ownTrouble.has(codeOf(cause));
	return isOwn ? {fault: 'machine'} : {};
}

/** Error of a try, with the bytes that it copied. */
class Broken extends Error {
	override readonly name = 'Broken';
	readonly done: number;

	constructor(cause: unknown, done: number) {
		super(messageOf(cause), {cause});
		this.done = done;
	}
}

type Attempt = Reporting & {readonly key: ReturnType<typeof makeCopyKey>};

async function attempt(
	{runtime: {files}, openNames}: Means,
	held: RunningCopy,
	{key, patience, report}: Attempt,
): Promise<CopyCount> {
	const {scheduler} = patience;
	const {target, source, path, source_path} = held.copy;
	if (files === undefined) throw new NoCopies('this host cannot copy');
	const to = ownFiles(await files.inside(target));
	const from =
		source === undefined
			? await enter(held, key, patience)
			: sourceHere(ownFiles(await files.inside(source)));
	const names = openNames();
	let counted = 0;
	let reportedAt = scheduler.now();
	try {
		return await copyTree(from, to, {
			source: source_path,
			target: path,
			mostBytes: spaceOf(held.copy),
			space: held.space,
			names,
			scheduler,
			report({done, total}) {
				patience.signal.throwIfAborted();
				counted = done;
				if (scheduler.now() - reportedAt < REPORT_SECONDS) return;
				reportedAt = scheduler.now();
				const percent = Math.floor((100 * done) / Math.max(1, total));
				const message = `Copying: ${percent}% (${sizeOf(done)} of ${sizeOf(total)})`;
				report({message}).catch(() => undefined);
			},
		});
	} catch (error) {
		throw new Broken(error, counted);
	} finally {
		from.close();
		names.giveBack();
	}
}

/** Time for the source's host to open its SSH listener, and the interval of checks for it. */
const LISTENER_SECONDS = 120;
const POLL_SECONDS = 0.2;

/**
 * Connects to the SSH listener that the source's host has opened for a key. Where another one
 * answers, as after a restart of that host's agent, the order may name the new one soon.
 */
async function enter(
	held: RunningCopy,
	{publicKey, privateKey}: Attempt['key'],
	{scheduler, signal}: RetryTools,
): Promise<RemoteFiles> {
	const {ConnectionBroken, openRemoteFiles, WrongHost} = await import('../ssh/remote-files.ts');
	const startedAt = scheduler.now();
	let wrong: {readonly error: Error; readonly hostKey: string} | undefined;
	for (;;) {
		const {door} = held.copy;
		if (door?.public_key === publicKey && door.host_key !== wrong?.hostKey) {
			const host = await addressOf(door);
			const {port, host_key: hostKey} = door;
			try {
				if (host === undefined) throw new ConnectionBroken();
				return await openRemoteFiles({host, port, hostKey, privateKey}, signal);
			} catch (error) {
				signal.throwIfAborted();
				if (!(error instanceof WrongHost)) throw new Broken(new ConnectionBroken(), -1);
				wrong = {error, hostKey};
			}
		}
		if (scheduler.now() - startedAt > LISTENER_SECONDS) {
			throw wrong?.error ?? new Error("the source's host opens no door for it");
		}
		await pause(scheduler, POLL_SECONDS, signal);
		signal.throwIfAborted();
	}
}

/** Reason of a final failure; undefined if only the connection broke. */
async function troubleOf(
	error: unknown,
): Promise<{readonly problem: string | undefined; readonly done: number}> {
	const {ConnectionBroken} = await import('../ssh/remote-files.ts');
	const cause = error instanceof Broken ? error.cause : error;
	const done = error instanceof Broken ? error.done : 0;
	const isCutOff =
		cause instanceof ConnectionBroken || /no response|not connected/i.test(messageOf(cause));
	return {problem: isCutOff ? undefined : describeError(cause), done};
}

/** Message of an error for the renter, without paths of this machine. */
function describeError(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk of the target is full';
	return messageOf(error).replace(/\.$/, '');
}

function sizeOf(bytes: number): string {
	return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
