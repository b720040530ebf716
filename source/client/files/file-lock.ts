/** Lets one process at a time change a file that several share. */
import {codeOf} from '../../contract/rules/thrown.ts';
import {randomUUID} from 'node:crypto';
import {lstatSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import process from 'node:process';
import {setTimeout} from 'node:timers/promises';
import {readPlainFile} from './files.ts';

const EVERY_MS = 15;
/**
 * Longest use of a lock: a change takes milliseconds, so a process that holds it for longer has
 * died or was stopped.
 */
const LONGEST_HOLD_MS = 10_000;
/** The longest wait for a lock, during which the screen is frozen. */
const PATIENCE_MS = 2000;

export async function withLock<Result>(file: string, act: () => Promise<Result>): Promise<Result> {
	const lock = lockOf(file);
	while (!lock.take()) await setTimeout(pauseMs());
	try {
		return await act();
	} finally {
		lock.leave();
	}
}

/**
 * Runs an action under the lock synchronously, for changes that take milliseconds.
 *
 * @throws Error with the code EBUSY if another process holds the lock for too long
 */
export function withLockNow<Result>(file: string, act: () => Result): Result {
	const lock = lockOf(file);
	const clock = new Int32Array(new SharedArrayBuffer(4));
	for (let waitedMs = 0; !lock.take();) {
		if (waitedMs > PATIENCE_MS) {
			throw Object.assign(new Error(`${file} is being changed elsewhere`), {code: 'EBUSY'});
		}
		const ms = pauseMs();
		Atomics.wait(clock, 0, 0, ms);
		waitedMs += ms;
	}
	try {
		return act();
	} finally {
		lock.leave();
	}
}

const pauseMs = () => EVERY_MS * (1 + Math.random());

/**
 * The lock is a symlink to its owner's name, which makes it atomic even if a process is killed or
 * the disk is full.
 */
function lockOf(file: string) {
	const lock = `${file}.lock`;
	const mine = `${process.pid} ${randomUUID()}`;
	return {
		take(): boolean {
			if (tryLink(mine, lock)) return true;
			breakStale(lock);
			return false;
		},
		leave(): void {
			// A lock held for too long may already have been taken over by another process.
			if (ownerOf(lock) === mine) rmSync(lock, {force: true});
		},
	};
}

function tryLink(text: string, lock: string): boolean {
	try {
		symlinkSync(text, lock);
		return true;
	} catch (error) {
		if (isCode(error, 'EEXIST')) return false;
		if (!isCode(error, 'EPERM')) throw error;
		// Without symlinks, fall back to an exclusive file; a process killed midway may leave it
		// without an owner.
		return tryFile(text, lock);
	}
}

function tryFile(text: string, lock: string): boolean {
	try {
		writeFileSync(lock, text, {flag: 'wx', mode: 0o600});
		return true;
	} catch (error) {
		if (isCode(error, 'EEXIST')) return false;
		throw error;
	}
}

function breakStale(lock: string): void {
	const owner = ownerOf(lock);
	if (owner === undefined || !isStale(lock, owner)) return;
	const broken = `${lock}.${randomUUID()}`;
	try {
		renameSync(lock, broken);
	} catch (error) {
		if (isCode(error, 'ENOENT')) return;
		throw error;
	}
	// Between the check and the rename, another process may have broken and taken the lock; it
	// keeps it.
	const moved = ownerOf(broken);
	if (moved !== undefined && moved !== owner) tryLink(moved, lock);
	rmSync(broken, {force: true});
}

function isStale(lock: string, owner: string): boolean {
	const pid = Number(owner.split(' ')[0]);
	if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) return true;
	const made = lstatSync(lock, {throwIfNoEntry: false});
	// A clock that was set back makes a lock of before one of a time to come.
	return made !== undefined && Math.abs(Date.now() - made.mtimeMs) > LONGEST_HOLD_MS;
}

/** True if a process with this id runs on this machine. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		// EPERM: the process exists, but belongs to another user.
		return isCode(error, 'EPERM');
	}
}

/** Owner named in a lock file; undefined without a lock. */
function ownerOf(lock: string): string | undefined {
	try {
		const isLink = lstatSync(lock).isSymbolicLink();
		return isLink ? readlinkSync(lock) : readPlainFile(lock);
	} catch (error) {
		if (isCode(error, 'ENOENT')) return undefined;
		throw error;
	}
}

export function isCode(error: unknown, code: string): boolean {
	return codeOf(error) === code;
}
