/** Opens the service that was chosen: a remote one with its key, or the practice market. */
import {accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {isRecord} from '../contract/grammar/json.ts';
import {replaceFileNow} from '../client/files/files.ts';
import type {Client} from '../client/client.ts';
import type {PracticeMarket} from '../market/practice.ts';
import {messageOf, fileTrouble} from '../contract/rules/thrown.ts';
import type {Folders} from '../renter/files/folders.ts';
import {findKey} from '../renter/profiles/find-key.ts';
import type {Remote} from '../renter/profiles/target.ts';

/** A service that can be called, and what must be closed when nobody calls it any more. */
export type Opened = {readonly client: Client; readonly close: () => Promise<void>};

export type Opening = {
	/** Undefined for the practice market. */
	readonly remote: Remote | undefined;
	readonly folders: Folders;
	readonly version: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onExchange?: ((ms: number) => void) | undefined;
	readonly onFailure?: ((error: unknown) => void) | undefined;
	/** Told in a sentence where a change cannot be written down. */
	readonly onTrouble?: ((sentence: string) => void) | undefined;
	/**
	 * The command ends by itself: it joins a running practice market, or waits for the hosts of
	 * its own.
	 */
	readonly isBrief?: boolean;
	/** Told the key once it is found, so that nothing that is written repeats it. */
	readonly onKey?: ((key: string) => void) | undefined;
};

/** @throws UsageError where there is no key */
export async function openService(opening: Opening): Promise<Opened> {
	const {remote, folders, version, environment, onExchange, onFailure, onTrouble} = opening;
	const [{openClient}, found] = await Promise.all([
		import('../client/client.ts'),
		remote === undefined ? openPractice(opening) : findRemote(remote, environment),
	]);
	const {url, key} = found;
	opening.onKey?.(key);
	const client = openClient({
		url,
		key,
		userAgent: `rentty/${version}`,
		onExchange,
		onFailure,
		isReadOnly: remote?.mode === 'read-only',
		// The practice market keeps no calls apart.
		paceScale: remote === undefined ? 0 : 1,
		pendingRentsFile: join(folders.state, 'wishes.json'),
		journalFile: join(folders.state, 'activity.jsonl'),
		onTrouble: sayOnce(error => notKept(error, folders.state), onTrouble),
		// It is at another address on each start, and has another key.
		...(remote === undefined && {service: 'practice', profile: 'practice'}),
		...(remote?.profile !== undefined && {profile: remote.profile}),
	});
	return {
		client,
		async close() {
			await client.close();
			await found.close();
		},
	};
}

/** Says each sentence once: every line that cannot be written has the same. */
function sayOnce(words: (error: unknown) => string, say: Opening['onTrouble']) {
	const said = new Set<string>();
	return (error: unknown) => {
		const sentence = words(error);
		if (!said.has(sentence)) say?.(sentence);
		said.add(sentence);
	};
}

/** Warning that the journal cannot be written although changes are made. */
function notKept(error: unknown, folder: string): string {
	return `What rentty changes cannot be written down in ${folder} (${fileTrouble(error)}): it is done, but Activity may not show it.`;
}

async function findRemote({url, key: source}: Remote, environment: Opening['environment']) {
	const key = source.kind === 'value' ? source.value : await findKey(source, environment);
	return {url, key, close: async () => {}};
}

/** The practice market, with the hosts behind its offers. */
async function openPractice({folders, isBrief = false, onTrouble}: Opening) {
	const wanted = join(folders.data, 'practice');
	const open = isBrief ? await findOpen(wanted) : undefined;
	if (open !== undefined) return {...open, close: async () => {}};
	const {openPracticeMarket} = await import('../market/practice.ts');
	const {folder, trouble, close: leave} = placePractice(wanted);
	if (trouble !== undefined) onTrouble?.(trouble);
	const market = await openPracticeMarket(folder, replaceFileNow).catch((error: unknown) => {
		leave();
		const advice = 'Where that cannot be mended, rentty practice reset begins anew.';
		throw new Error(`${messageOf(error)}. ${advice}`, {cause: error});
	});
	const closing = new AbortController();
	const hosts = openHosts(market, folder, isBrief ? 0 : HOSTS_DELAY_MS, closing.signal);
	// Nobody waits for them; a market that has none is still one to look at.
	hosts.catch(() => undefined);
	if (isBrief) await hosts.catch(() => undefined);
	const withdraw = tellOpen(folder, market.url);
	return {
		...market,
		async close() {
			withdraw();
			closing.abort();
			const opened = await hosts.catch(() => undefined);
			await opened?.close();
			await market.close();
			leave();
		},
	};
}

/** Delay of a console's hosts: its first list need not wait for them. */
const HOSTS_DELAY_MS = 500;

async function openHosts(
	market: PracticeMarket,
	folder: string,
	delayMs: number,
	end: AbortSignal,
) {
	await setTimeout(delayMs, undefined, {signal: end});
	const {openPracticeHosts} = await import('./practice-hosts.ts');
	return openPracticeHosts(market, folder);
}

type Found = {readonly url: string; readonly key: string};

/** File of the process that has the practice market open: what is rented there goes on while that runs. */
const fileOf = (folder: string) => join(folder, 'open.json');

/** Tells other processes where the practice market is, until what this returns is called. */
function tellOpen(folder: string, url: string): () => void {
	const {pid} = process;
	try {
		// Whoever opened it first keeps its place for as long as it runs.
		if (readPlace(folder) !== undefined) return () => {};
		replaceFileNow(fileOf(folder), JSON.stringify({pid, url}));
	} catch {
		// It is a help for commands, which open one of their own without it.
		return () => {};
	}
	return () => rmSync(fileOf(folder), {force: true});
}

/** Long enough for a process of this machine. */
const PATIENCE_MS = 1000;

/** The market that is open, with the key of its user; undefined where there is none. */
export async function findOpen(folder: string): Promise<Found | undefined> {
	const url = readPlace(folder);
	if (url === undefined) return undefined;
	try {
		const key = readFileSync(join(folder, 'key'), 'utf8').trim();
		// Its process may hang, or its number may be another's by now.
		await fetch(url, {signal: AbortSignal.timeout(PATIENCE_MS)});
		return {url, key};
	} catch {
		return undefined;
	}
}

/** URL in the file of a running practice market; undefined unless it is on this machine. */
function readPlace(folder: string): string | undefined {
	try {
		const json: unknown = JSON.parse(readFileSync(fileOf(folder), 'utf8'));
		if (!isRecord(json) || typeof json['pid'] !== 'number' || typeof json['url'] !== 'string') {
			return undefined;
		}
		process.kill(json['pid'], 0);
		const {protocol, hostname} = new URL(json['url']);
		return protocol === 'http:' && hostname === '127.0.0.1' ? json['url'] : undefined;
	} catch {
		// No file, or nobody who runs.
		return undefined;
	}
}

/** Folder of the practice market, and a function that removes temporary files. */
type PracticePlace = {
	readonly folder: string;
	/** Reason why the files last only as long as the market runs: a sentence. */
	readonly trouble: string | undefined;
	readonly close: () => void;
};

/** The folder that is wanted; where nothing can be written there, one that goes with the market. */
function placePractice(wanted: string): PracticePlace {
	const refused = whyNot(wanted);
	if (refused === undefined) return {folder: wanted, trouble: undefined, close: () => {}};
	for (const parent of [tmpdir(), '/dev/shm']) {
		try {
			const folder = mkdtempSync(join(parent, 'rentty-practice-'));
			return {
				folder,
				trouble: `The practice market is forgotten when this ends: ${wanted} cannot be written (${refused}).`,
				close: () => rmSync(folder, {recursive: true, force: true}),
			};
		} catch {
			// There may be room in the next one.
		}
	}
	throw new Error(
		`The practice market has nowhere to be: ${wanted} cannot be written (${refused}), nor can ${tmpdir()}. XDG_DATA_HOME names another folder.`,
	);
}

/** Reason why a folder cannot be written to, in a few words; undefined where it can. */
function whyNot(folder: string): string | undefined {
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		return fileTrouble(error);
	}
}
