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

type Opened = {readonly client: Client; readonly close: () => Promise<void>};

type Opening = {
	/** Undefined for the practice market. */
	readonly remote: Remote | undefined;
	readonly folders: Folders;
	readonly version: string;
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly onExchange?: ((ms: number) => void) | undefined;
	readonly onFailure?: ((error: unknown) => void) | undefined;
	/** Called with a sentence when a change cannot be written to the journal. */
	readonly onTrouble?: ((sentence: string) => void) | undefined;
	/**
	 * The command ends by itself: it joins a running practice market, or waits for the hosts of
	 * its own.
	 */
	readonly isBrief?: boolean;
	/** Called with the key once it is found, so that no output repeats it. */
	readonly onKey?: ((key: string) => void) | undefined;
};

/** @throws UsageError if there is no key */
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
		// The practice market sets no pace.
		paceScale: remote === undefined ? 0 : 1,
		pendingRentsFile: join(folders.state, 'wishes.json'),
		journalFile: join(folders.state, 'activity.jsonl'),
		onTrouble: printOnce(error => notKept(error, folders.state), onTrouble),
		// The practice market has another address and another key on each start.
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

/** Says each sentence once: every unwritable line has the same. */
function printOnce(words: (error: unknown) => string, say: Opening['onTrouble']) {
	const printed = new Set<string>();
	return (error: unknown) => {
		const sentence = words(error);
		if (!printed.has(sentence)) say?.(sentence);
		printed.add(sentence);
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

async function openPractice({folders, isBrief = false, onTrouble}: Opening) {
	const wanted = join(folders.data, 'practice');
	const open = isBrief ? await findOpen(wanted) : undefined;
	if (open !== undefined) return {...open, close: async () => {}};
	const {openPracticeMarket} = await import('../market/practice.ts');
	const {folder, trouble, close: leave} = openPracticeFolder(wanted);
	if (trouble !== undefined) onTrouble?.(trouble);
	const market = await openPracticeMarket(folder, replaceFileNow).catch((error: unknown) => {
		leave();
		const advice = 'Where that cannot be mended, rentty practice reset begins anew.';
		throw new Error(`${messageOf(error)}. ${advice}`, {cause: error});
	});
	const closing = new AbortController();
	const hosts = openHosts(market, folder, isBrief ? 0 : HOSTS_DELAY_MS, closing.signal);
	// A market without hosts can still be browsed, so their failure is ignored.
	hosts.catch(market.giveUpHosts);
	if (isBrief) await hosts.catch(() => undefined);
	const withdraw = publishUrl(folder, market.url);
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
	const {openPracticeHosts} = await import('./practice/hosts.ts');
	return openPracticeHosts(market, folder);
}

type Found = {readonly url: string; readonly key: string};

/** File of the process that has the practice market open: its instances live while that runs. */
const fileOf = (folder: string) => join(folder, 'open.json');

/** Publishes the practice market's address to other processes, until the returned function is called. */
function publishUrl(folder: string, url: string): () => void {
	const {pid} = process;
	try {
		// The first process that opened the market keeps its place while it runs.
		if (readUrl(folder) !== undefined) return () => {};
		replaceFileNow(fileOf(folder), JSON.stringify({pid, url}));
	} catch {
		// The file only helps commands, which open a market of their own without it.
		return () => {};
	}
	return () => rmSync(fileOf(folder), {force: true});
}

/** Long enough for a process of this machine. */
const PATIENCE_MS = 1000;

/** The market that is open, with the key of its user; undefined if there is none. */
export async function findOpen(folder: string): Promise<Found | undefined> {
	const url = readUrl(folder);
	if (url === undefined) return undefined;
	try {
		const key = readFileSync(join(folder, 'key'), 'utf8').trim();
		// The process may hang, or its id may be another's by now.
		await fetch(url, {signal: AbortSignal.timeout(PATIENCE_MS)});
		return {url, key};
	} catch {
		return undefined;
	}
}

/** URL in the file of a running practice market; undefined unless it is on this machine. */
function readUrl(folder: string): string | undefined {
	try {
		const json: unknown = JSON.parse(readFileSync(fileOf(folder), 'utf8'));
		if (!isRecord(json) || typeof json['pid'] !== 'number' || typeof json['url'] !== 'string') {
			return undefined;
		}
		process.kill(json['pid'], 0);
		const {protocol, hostname} = new URL(json['url']);
		return protocol === 'http:' && hostname === '127.0.0.1' ? json['url'] : undefined;
	} catch {
		// No file, or no running process.
		return undefined;
	}
}

type PracticeFolder = {
	readonly folder: string;
	/** Reason why the files last only as long as the market runs: a sentence. */
	readonly trouble: string | undefined;
	readonly close: () => void;
};

/** The wanted folder; where it is not writable, a temporary one that goes with the market. */
function openPracticeFolder(wanted: string): PracticeFolder {
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
			// The next folder may be writable.
		}
	}
	throw new Error(
		`The practice market has nowhere to be: ${wanted} cannot be written (${refused}), nor can ${tmpdir()}. XDG_DATA_HOME names another folder.`,
	);
}

/** Reason why a folder cannot be written to, in a few words; undefined if it can. */
function whyNot(folder: string): string | undefined {
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
		return undefined;
	} catch (error) {
		return fileTrouble(error);
	}
}
