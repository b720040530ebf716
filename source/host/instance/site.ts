/** Paths of an instance's files on a host, and its logs. */
import {existsSync} from 'node:fs';
import {
	readdir,
	appendFile,
	lstat,
	open,
	rename,
	stat,
	truncate,
	writeFile,
} from 'node:fs/promises';
import {join} from 'node:path';
import {removeTree} from '../machine/trees.ts';
import type {HostTask} from '../../contract/nouns/host-work.ts';

export type Site = {
	readonly own: string;
	readonly record: string;
	/** Log of its program, if no engine keeps one. */
	readonly log: string;
	readonly hostLog: string;
};

export function siteOf(folder: string, instanceId: number): Site {
	return siteIn(join(folder, 'instances', String(instanceId)));
}

export function siteIn(own: string): Site {
	const file = (name: string) => join(own, name);
	return {own, record: file('instance.json'), log: file('out.log'), hostLog: file('host.log')};
}

export async function listInstanceIds(folder: string): Promise<readonly number[]> {
	const all = join(folder, 'instances');
	await refuseFile(all);
	return idsIn(await readdir(all).catch(() => []));
}

/** Refuses a file in place of a folder: its instances are unknown, and must not count as ended. */
export async function refuseFile(folder: string): Promise<void> {
	const about = await lstat(folder).catch(() => undefined);
	if (about === undefined || about.isDirectory()) return;
	throw new Error(`${folder} is no folder, so that nobody knows what runs there: put it back`);
}

/** Names that are ids of orders: an instance that is not found again would run for ever. */
export function idsIn(names: readonly string[]): readonly number[] {
	return names.filter(name => /^\d+$/.test(name) && Number.isSafeInteger(Number(name))).map(Number);
}

/**
 * Removes the files of an instance.
 *
 * @param keepsRecord True to keep the record, with the API key of the instance.
 */
export async function removeFiles({own, record}: Site, keepsRecord: boolean): Promise<void> {
	if (!keepsRecord) {
		await removeTree(own);
		if (existsSync(own)) throw new Error(`${own} is still there`);
		return;
	}
	for (const file of await filesIn(own)) if (file !== record) await removeTree(file);
}

export async function hasRecordAlone({own, record}: Site): Promise<boolean> {
	return (await filesIn(own)).every(file => file === record);
}

async function filesIn(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.map(name => join(folder, name));
}

/** Default number of lines of a log. */
export const USUAL_TAIL = 1000;

/** Bytes at the end of a log that are searched, and that are kept of a log that is too long. */
const MOST_SEARCHED_BYTES = 4 * 1024 * 1024;
const LONGEST = 16 * 1024 * 1024;

/**
 * Writes a line with its time to the log. Errors are ignored: a full disk must not stop the host.
 */
export async function note({hostLog}: Pick<Site, 'hostLog'>, text: string): Promise<void> {
	const line = `${new Date().toISOString()} ${text}\n`;
	await appendFile(hostLog, line, {mode: 0o600}).catch(() => undefined);
}

export async function readLog(file: string, task: HostTask): Promise<string> {
	return selectLogLines((await readEnd(`${file}.1`)) + (await readEnd(file)), task);
}

export function selectLogLines(text: string, {filter = '', tail = USUAL_TAIL}: HostTask): string {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	const fitting = lines.filter(line => line.includes(filter));
	// `slice(-0)` would return all lines.
	const last = tail <= 0 ? [] : fitting.slice(-tail);
	return last.map(line => `${line}\n`).join('');
}

/** Keeps the logs of an instance from growing without end. */
export async function shortenLogs({log, hostLog}: Site): Promise<void> {
	for (const file of [log, hostLog]) await shorten(file).catch(() => undefined);
}

/** Keeps the end of a log that is too long, while programs go on writing to it. */
async function shorten(file: string, longest = LONGEST): Promise<void> {
	const size = await stat(file).then(
		({size: bytes}) => bytes,
		() => 0,
	);
	if (size <= longest) return;
	try {
		await writeFile(`${file}.new`, await readEnd(file, Math.min(MOST_SEARCHED_BYTES, longest)));
		await rename(`${file}.new`, `${file}.1`);
	} finally {
		// Safe to truncate, because writers append.
		await truncate(file, 0);
	}
}

/** The last bytes of a file, from the start of a line. */
async function readEnd(file: string, most = MOST_SEARCHED_BYTES): Promise<string> {
	try {
		await using handle = await open(file, 'r');
		const {size} = await handle.stat();
		const length = Math.min(size, most);
		const buffer = Buffer.alloc(length);
		const {bytesRead} = await handle.read(buffer, 0, length, size - length);
		const text = buffer.subarray(0, bytesRead).toString('utf8');
		return size > length ? text.slice(text.indexOf('\n') + 1) : text;
	} catch {
		return '';
	}
}
