/** Files that are replaced whole: a reader finds the old text or the new one, never a part of either. */
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
} from 'node:fs';
import {mkdir, open, rename, rm} from 'node:fs/promises';
import {dirname} from 'node:path';
import process from 'node:process';

export type Replacing = {
	/**
	 * The text is on the disk before the call ends, for what cannot be made again.
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

/** Puts a text in the place of a file, whose folder is made where there is none. A link stays a link. */
export async function replaceFile(
	file: string,
	text: string,
	{isDurable = false, mode = OWNER_ONLY}: Replacing = {},
): Promise<void> {
	await mkdir(dirname(file), {recursive: true, mode: OWNER_ONLY_FOLDER});
	const target = targetOf(file);
	const draft = draftOf(target);
	const handle = await open(draft, 'wx', mode);
	try {
		try {
			// The umask took its part of the mode.
			if (mode !== OWNER_ONLY) await handle.chmod(mode);
			await handle.writeFile(text);
			if (isDurable) await handle.sync();
		} finally {
			await handle.close();
		}
		await rename(draft, target);
	} catch (error) {
		// The first failure is the one to be told.
		await rm(draft, {force: true}).catch(() => undefined);
		throw error;
	}
	if (isDurable) syncFolder(dirname(target));
}

/** The same before anything else happens, for small files that the program reads again at once. */
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

/** Writes a file for its owner alone where there is none yet, and fails with EEXIST where there is. */
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
		// Half of it is worth nothing, and would keep the next attempt out.
		await rm(file, {force: true}).catch(() => undefined);
		throw error;
	}
	syncFolder(dirname(file));
}

/**
 * The file that is replaced: a link stays, and what it leads to is replaced.
 *
 * @throws Error where that is no file: a device would be gone for all programs
 */
function targetOf(file: string): string {
	if (lstatSync(file, {throwIfNoEntry: false})?.isSymbolicLink() !== true) return file;
	const target = realpathSync(file);
	if (!statSync(target).isFile()) throw new Error(`${target} is no file: remove ${file}`);
	return target;
}

/** Name beside a file that no other write uses, of this process or another. */
function draftOf(file: string): string {
	return `${file}.${process.pid}-${Math.random().toString(36).slice(2)}`;
}

/** Has the disk remember the new name. Some file systems cannot, and the file is there all the same. */
function syncFolder(folder: string): void {
	let handle: number | undefined;
	try {
		handle = openSync(folder, 'r');
		fsyncSync(handle);
	} catch {
		// Nothing is lost but the certainty after a power failure.
	} finally {
		if (handle !== undefined) closeSync(handle);
	}
}

/** Writes the text that it is given, once what is being written is there. */
export type FileWriter = (text: () => string) => Promise<void>;

/**
 * Replaces one file again and again, one write after the other. Of several texts that wait, the
 * newest alone is written, and all who wait learn what became of it. A failed write stops no later one.
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
