/** Files of the program's own folders: something else in their place is refused, and never waited for. */
import {
	constants,
	closeSync,
	fstatSync,
	openSync,
	readFileSync,
	statSync,
	type Stats,
} from 'node:fs';
import {open, type FileHandle} from 'node:fs/promises';
import process from 'node:process';

/** None of them grows to this, and more does not fit into memory. */
const MOST_BYTES = 64 * 2 ** 20;

/** Windows has no such flag, which counts as 0 there. */
const {O_RDONLY, O_NONBLOCK} = constants;

/** Text of a file. @throws Error where there is none, or where it is a folder, a pipe or too large */
export function readPlainFile(file: string): string {
	const handle = openSync(file, O_RDONLY | O_NONBLOCK);
	try {
		refuseOdd(file, fstatSync(handle));
		return readFileSync(handle, 'utf8');
	} finally {
		closeSync(handle);
	}
}

/** Opens a file to add to it. @throws Error where it is a folder, a pipe or too large */
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

/** The reason why others can put files into a folder, and what to do about it; undefined if they cannot. */
export function sharedFolderProblem(folder: string): string | undefined {
	const about = statSync(folder, {throwIfNoEntry: false});
	const user = process.getuid?.();
	if (about === undefined || user === undefined) return undefined;
	if (about.uid !== user && about.uid !== 0) return `${folder} belongs to another user`;
	return (about.mode & 0o022) === 0 ? undefined : `others can write to ${folder}: chmod 700 it`;
}
