/** Opens the service that was chosen: a remote one with its key, or the practice market. */
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {Client} from '../client/client.ts';
import type {PracticeMarket} from '../market/practice.ts';
import {fileTrouble} from '../contract/rules/file-trouble.ts';
import {messageOf} from '../contract/rules/thrown.ts';
import type {Folders} from '../renter/files/folders.ts';
import {findKey} from '../renter/profiles/find-key.ts';
import type {Remote} from '../renter/profiles/target.ts';
import {replaceFileNow} from '../client/files/files.ts';
import {findOpen, placePractice, tellOpen} from './open-practice.ts';

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
