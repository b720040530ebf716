/**
 * Files of the program's own folders, replaced atomically: a reader sees the old text or the new
 * one, never a mix. A folder or a pipe in their place is refused, without waiting for it.
 */
import {
	closeSync,
	fchmodSync,
	fsyncSync,
	lstatSync,
	mkdirSync,
	openSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
	constants,
	fstatSync,
	readFileSync,
	type Stats,
} from 'node:fs';
import {mkdir, open, rename, rm, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import process from 'node:process';
import {codeOf} from '../../contract/rules/thrown.ts';

export type Replacing = {
	/**
	 * Syncs the text to disk before the call ends, for texts that cannot be recreated.
	 *
	 * @default false
	 */
	readonly isDurable?: boolean;
	/**
	 * Permissions of the new file.
	 *
	 * @default 0o600
	 */
	readonly mode?: number;
};

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Replaces a file's text, creating its folder if needed. A symlink stays a symlink. */
export async function replaceFile(
	file: string,
	text: string | Uint8Array,
	{isDurable = false, mode = OWNER_ONLY}: Replacing = {},
): Promise<void> {
	await mkdir(dirname(file), {recursive: true, mode: OWNER_ONLY_FOLDER});
	const target = targetOf(file);
	const draft = draftOf(target);
	const handle = await open(draft, 'wx', mode);
	try {
		try {
			// The umask may have cleared mode bits.
			if (mode !== OWNER_ONLY) await handle.chmod(mode);
			await handle.writeFile(text);
			if (isDurable) await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(draft, target);
	} catch (error) {
		// The first failure is the one to throw.
		await rm(draft, {force: true}).catch(() => undefined);
		throw error;
	}
	if (isDurable) syncFolder(dirname(target));
}

/** Replaces a file synchronously, for small files that the program reads again at once. */
export function replaceFileNow(
	file: string,
	text: string,
	{isDurable = false, mode = OWNER_ONLY}: Replacing = {},
): void {
	mkdirSync(dirname(file), {recursive: true, mode: OWNER_ONLY_FOLDER});
	const target = targetOf(file);
	const draft = draftOf(target);
	const handle = openSync(draft, 'wx', mode);
	try {
		try {
			if (mode !== OWNER_ONLY) fchmodSync(handle, mode);
			writeFileSync(handle, text);
			if (isDurable) fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		renameSync(draft, target);
	} catch (error) {
		rmSync(draft, {force: true});
		throw error;
	}
	if (isDurable) syncFolder(dirname(target));
}

/** Creates a file that only its owner can read, and fails with EEXIST if it exists. */
export async function createFile(file: string, text: string): Promise<void> {
	await mkdir(dirname(file), {recursive: true, mode: OWNER_ONLY_FOLDER});
	const handle = await open(file, 'wx', OWNER_ONLY);
	try {
		try {
			await handle.writeFile(text);
			await handle.sync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		// A partial file would block the next attempt.
		await rm(file, {force: true}).catch(() => undefined);
		throw error;
	}
	syncFolder(dirname(file));
}

/**
 * The file to replace: a symlink stays, and its target is replaced.
 *
 * @throws Error if that is no file: a device would be lost for all programs
 */
function targetOf(file: string): string {
	if (lstatSync(file, {throwIfNoEntry: false})?.isSymbolicLink() !== true) return file;
	const target = realpathSync(file);
	if (!statSync(target).isFile()) throw new Error(`${target} is no file: remove ${file}`);
	return target;
}

/** Name beside a file that no other write uses. */
function draftOf(file: string): string {
	return `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
}

/**
 * Syncs the folder, so that the new name is durable. File systems that cannot do this still have
 * the file.
 */
function syncFolder(folder: string): void {
	let handle: number | undefined;
	try {
		handle = openSync(folder, 'r');
		fsyncSync(handle);
	} catch {
		// The file is written; only a power failure could still undo it.
	} finally {
		if (handle !== undefined) closeSync(handle);
	}
}

export type FileWriter = (text: () => string) => Promise<void>;

/**
 * Replaces one file repeatedly, one write after the other. Of several queued texts only the newest
 * is written, and all their callers get its outcome. A failed write does not affect later ones.
 */
export function openFileWriter(
	file: string,
	replace: (file: string, text: string) => Promise<void> = replaceFile,
): FileWriter {
	let last: Promise<void> = Promise.resolve();
	let waiting: {text: () => string; readonly written: Promise<void>} | undefined;
	return async text => {
		if (waiting !== undefined) {
			waiting.text = text;
			return waiting.written;
		}
		const written = last.then(async () => {
			const newest = waiting?.text ?? text;
			waiting = undefined;
			return replace(file, newest());
		});
		waiting = {text, written};
		last = written.catch(() => undefined);
		return written;
	};
}

/** Size limit far above any file of the program, and below the memory. */
const MOST_BYTES = 64 * 2 ** 20;

/** On Windows O_NONBLOCK is undefined, which counts as 0. */
const {O_RDONLY, O_NONBLOCK} = constants;

/** Text of a file. @throws Error if it is missing, a folder, a pipe or too large */
export function readPlainFile(file: string): string {
	const handle = openSync(file, O_RDONLY | O_NONBLOCK);
	try {
		refuseOdd(file, fstatSync(handle));
		return readFileSync(handle, 'utf8');
	} finally {
		closeSync(handle);
	}
}

/** Opens a file for appending. @throws Error if it is a folder, a pipe or too large */
export async function openToAppend(file: string, mode: number): Promise<FileHandle> {
	const {O_RDWR, O_APPEND, O_CREAT} = constants;
	const handle = await open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, mode);
	try {
		refuseOdd(file, await handle.stat());
		return handle;
	} catch (error) {
		await handle.close();
		throw error;
	}
}

function refuseOdd(file: string, about: Stats): void {
	if (!about.isFile()) throw new Error(`${file} is no file: remove it`);
	if (about.size > MOST_BYTES) throw new Error(`${file} is larger than rentty makes it: remove it`);
}

/**
 * The reason why other users can write a file, or put files into a folder, with the remedy; undefined if
 * they cannot.
 */
export function sharedProblem(path: string): string | undefined {
	const about = statSync(path, {throwIfNoEntry: false});
	const user = process.getuid?.();
	if (about === undefined || user === undefined) return undefined;
	if (about.uid !== user && about.uid !== 0) return `${path} belongs to another user`;
	const own = about.isDirectory() ? 700 : 600;
	return (about.mode & 0o022) === 0 ? undefined : `others can write to ${path}: chmod ${own} it`;
}

export function readIfThere(file: string): string | undefined {
	try {
		return readPlainFile(file);
	} catch (error) {
		if (codeOf(error) === 'ENOENT') return undefined;
		throw error;
	}
}
