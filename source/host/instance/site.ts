/** Files that a host keeps of an instance: their paths, and the logs among them. */
import {existsSync} from 'node:fs';
import {readdir, appendFile, open, rename, stat, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {removeTree} from '../machine/trees.ts';
import type {Task} from '../../contract/nouns/host-work.ts';

export type Site = {
	/** All of it lies in here. */
	readonly own: string;
	readonly record: string;
	/** Log of its program, where no engine keeps one. */
	readonly log: string;
	/** Host's notes about it. */
	readonly hostLog: string;
};

export function siteOf(folder: string, instanceId: number): Site {
	return siteIn(join(folder, 'instances', String(instanceId)));
}

/** Paths where all of it lies in one folder. */
export function siteIn(own: string): Site {
	const file = (name: string) => join(own, name);
	return {own, record: file('instance.json'), log: file('out.log'), hostLog: file('host.log')};
}

/** The instances of which there is something in a folder. */
export async function instancesIn(folder: string): Promise<readonly number[]> {
	const names = await readdir(join(folder, 'instances')).catch(() => []);
	// Any id that an order can have: what is not found here runs on for ever.
	return names.filter(name => /^\d+$/.test(name) && Number.isSafeInteger(Number(name))).map(Number);
}

/**
 * Removes the files of an instance.
 *
 * @param keepsRecord Whether the record stays, with the API key of the instance.
 */
export async function removeFiles({own, record}: Site, keepsRecord: boolean): Promise<void> {
	if (!keepsRecord) {
		await removeTree(own);
		if (existsSync(own)) throw new Error(`${own} is still there`);
		return;
	}
	for (const file of await filesIn(own)) if (file !== record) await removeTree(file);
}

/** True if only the record of an instance is left. */
export async function hasRecordAlone({own, record}: Site): Promise<boolean> {
	return (await filesIn(own)).every(file => file === record);
}

async function filesIn(folder: string): Promise<readonly string[]> {
	const names = await readdir(folder).catch(() => []);
	return names.map(name => join(folder, name));
}

/** As many lines as are shown when nobody says how many. */
export const USUAL_TAIL = 1000;

/** The most of a file that is looked through for lines, and that is kept of one that is too long. */
const LOOKED_THROUGH = 4 * 1024 * 1024;
const LONGEST = 16 * 1024 * 1024;

/** Notes a line with its time. A disk that is full keeps nobody from doing what is noted. */
export async function note({hostLog}: Pick<Site, 'hostLog'>, text: string): Promise<void> {
	const line = `${new Date().toISOString()} ${text}\n`;
	await appendFile(hostLog, line, {mode: 0o600}).catch(() => undefined);
}

/** The lines of a log that are asked for. */
export async function readLog(file: string, task: Task): Promise<string> {
	return linesOf((await readEnd(`${file}.1`)) + (await readEnd(file)), task);
}

/** Of a text, the lines that are asked for. */
export function linesOf(text: string, {filter = '', tail = USUAL_TAIL}: Task): string {
	const lines = text.split('\n');
	if (lines.at(-1) === '') lines.pop();
	const fitting = lines.filter(line => line.includes(filter));
	// A tail of nothing is nothing, where slice would give all.
	const last = tail <= 0 ? [] : fitting.slice(-tail);
	return last.map(line => `${line}\n`).join('');
}

/** Keeps the logs of an instance from growing without end. */
export async function shortenLogs({log, hostLog}: Site): Promise<void> {
	for (const file of [log, hostLog]) await shorten(file).catch(() => undefined);
}

/** Keeps the end of a log that has become too long. It goes on being written to meanwhile. */
async function shorten(file: string, longest = LONGEST): Promise<void> {
	const size = await stat(file).then(
		({size: bytes}) => bytes,
		() => 0,
	);
	if (size <= longest) return;
	try {
		await writeFile(`${file}.new`, await readEnd(file, Math.min(LOOKED_THROUGH, longest)));
		await rename(`${file}.new`, `${file}.1`);
	} finally {
		// Whoever writes to it does so at its end, wherever that is.
		await truncate(file, 0);
	}
}

/** The last bytes of a file, from the beginning of a line on. */
async function readEnd(file: string, most = LOOKED_THROUGH): Promise<string> {
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
