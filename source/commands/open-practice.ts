/** Finds the practice market that another process has open: what is rented there goes on while that runs. */
import {readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {isRecord} from '../contract/json.ts';
import {replaceFileNow} from '../renter/files.ts';

type Found = {readonly url: string; readonly key: string};

const fileOf = (folder: string) => join(folder, 'open.json');

/** Tells others where it is, until what this returns is called. */
export function tellOpen(folder: string, url: string): () => void {
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

/** Where a process that runs says that it is; on this machine, whatever the file says. */
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
