/** Lets one process at a time change a file that several share. */
import {codeOf} from '../contract/thrown.ts';
import {randomUUID} from 'node:crypto';
import {link, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import process from 'node:process';
import {setTimeout} from 'node:timers/promises';

const EVERY_MS = 15;
/** Changing a file takes milliseconds. Whoever holds it for longer has died, or has been stopped. */
const LONGEST_HOLD_MS = 10_000;

/** Does something while no other process does something with the same file. */
export async function withLock<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
	const lock = `${file}.lock`;
	const mine = `${process.pid} ${randomUUID()}`;
	while (!(await take(lock, mine))) {
		await breakStale(lock);
		await setTimeout(EVERY_MS * (1 + Math.random()));
	}
	try {
		return await act();
	} finally {
		// Who held it for too long may have lost it: it is somebody else's then.
		if ((await textOf(lock)) === mine) await rm(lock, {force: true});
	}
}

async function take(lock: string, mine: string): Promise<boolean> {
	try {
		await writeFile(lock, mine, {flag: 'wx', mode: 0o600});
		return true;
	} catch (error) {
		if (isCode(error, 'EEXIST')) return false;
		throw error;
	}
}

async function breakStale(lock: string): Promise<void> {
	const text = await textOf(lock);
	if (text === undefined || !(await isStale(lock, text))) return;
	const broken = `${lock}.${randomUUID()}`;
	try {
		await rename(lock, broken);
	} catch (error) {
		if (isCode(error, 'ENOENT')) return;
		throw error;
	}
	// Between looking and moving, another process may have broken it and taken it: it keeps it.
	if ((await textOf(broken)) !== text) await link(broken, lock).catch(() => undefined);
	await rm(broken, {force: true});
}

async function isStale(lock: string, text: string): Promise<boolean> {
	const owner = Number(text.split(' ')[0]);
	if (Number.isInteger(owner) && owner > 0 && !isAlive(owner)) return true;
	const made = await stat(lock).catch(() => undefined);
	return made !== undefined && Date.now() - made.mtimeMs > LONGEST_HOLD_MS;
}

/** Whether there is a process of that number on this machine. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// One of somebody else may not be asked, but is there.
		return isCode(error, 'EPERM');
	}
}

async function textOf(file: string): Promise<string | undefined> {
	try {
		return await readFile(file, 'utf8');
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

/** Whether the system refused something by that word. */
export function isCode(error: unknown, code: string): boolean {
	return codeOf(error) === code;
}
