/** A folder belongs to one agent at a time. */
import {link, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {isRunning, readProcess} from '../machine/processes.ts';
import {parseName} from './record.ts';

/** Another agent has the folder. */
export class FolderInUse extends Error {
	override readonly name = 'FolderInUse';
}

const NAME = 'agent.lock';

/**
 * Takes a folder, which is made where it is not there, and answers how it is let go of.
 *
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
	await mkdir(folder, {recursive: true, mode: 0o700});
	const file = join(folder, NAME);
	const own = await readProcess(process.pid);
	const text = JSON.stringify({pid: process.pid, startTime: own?.startTime ?? 0});
	if (!(await isMade(file, text))) {
		if (await isInUse(folder)) throw new FolderInUse(`another rentty works in ${folder}`);
		// Whoever had it was killed.
		await rm(file, {force: true});
		const isOwn = (await isMade(file, text)) && (await stays(file, text));
		if (!isOwn) throw new FolderInUse(`another rentty works in ${folder}`);
	}
	return async () => rm(file, {force: true});
}

/** True if an agent holds the folder. */
export async function isInUse(folder: string): Promise<boolean> {
	try {
		const owner = parseName(JSON.parse(await readFile(join(folder, NAME), 'utf8')));
		if (owner === undefined) return false;
		return owner.startTime === 0 ? isAlive(owner.pid) : await isRunning(owner);
	} catch {
		return false;
	}
}

/**
 * True if a process runs. Where the system does not tell its start time, its id is all there is.
 */
function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const SETTLING_MS = 100;

/** Another one may have found it left behind in the same moment, and removed it once more. */
async function stays(file: string, text: string): Promise<boolean> {
	await sleep(SETTLING_MS);
	return (await readFile(file, 'utf8').catch(() => '')) === text;
}

/** Makes a file with its text in it at once, unless it is there. */
async function isMade(file: string, text: string): Promise<boolean> {
	const written = `${file}.${process.pid}`;
	await writeFile(written, text, {mode: 0o600});
	try {
		await link(written, file);
		return true;
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
		throw error;
	} finally {
		await rm(written, {force: true});
	}
}
