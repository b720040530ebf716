/** Finds the practice market that another process has open: what is rented there goes on while that runs. */
import {accessSync, constants, mkdirSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {fileTrouble} from '../contract/rules/file-trouble.ts';
import {isRecord} from '../contract/grammar/json.ts';
import {replaceFileNow} from '../client/files/files.ts';

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
export type PracticePlace = {
	readonly folder: string;
	/** Reason why the files last only as long as the market runs: a sentence. */
	readonly trouble: string | undefined;
	readonly close: () => void;
};

/** The folder that is wanted; where nothing can be written there, one that goes with the market. */
export function placePractice(wanted: string): PracticePlace {
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
