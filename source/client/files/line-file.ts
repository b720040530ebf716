/** Line files to which several processes append at once, with rotation. */
import {mkdir, rename, stat, type FileHandle} from 'node:fs/promises';
import {dirname} from 'node:path';
import {isCode, withLock} from './file-lock.ts';
import {openToAppend, readIfThere} from './files.ts';

/** Appends a line. A file that exceeds the size is rotated first, replacing the previous one. */
export async function appendLine(file: string, text: string, longestBytes: number): Promise<void> {
	const size = await sizeOf(file);
	if (size >= longestBytes) await rotate(file, longestBytes);
	if (size === 0) await mkdir(dirname(file), {recursive: true, mode: 0o700});
	const handle = await openToAppend(file, 0o600);
	try {
		// One write per line, so that lines of several processes do not mix.
		await handle.writeFile(`${(await isWhole(handle)) ? '' : '\n'}${text}\n`);
	} finally {
		await handle.close();
	}
}

/** Lines of a file, the rotated ones first. A line may be cut off. */
export function readFileLines(file: string): readonly string[] {
	return [`${file}.1`, file]
		.map(one => readIfThere(one) ?? '')
		.join('')
		.split('\n');
}

/**
 * True if a file ends with a complete line: a full disk or a killed process may have cut the last
 * one.
 */
async function isWhole(handle: FileHandle): Promise<boolean> {
	const {size} = await handle.stat();
	if (size === 0) return true;
	const {buffer} = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
	return buffer.toString() === '\n';
}

async function rotate(file: string, longestBytes: number): Promise<void> {
	await withLock(file, async () => {
		// Another process may have rotated the file meanwhile.
		if ((await sizeOf(file)) >= longestBytes) await rename(file, `${file}.1`);
	});
}

async function sizeOf(file: string): Promise<number> {
	try {
		return (await stat(file)).size;
	} catch (error) {
		if (isCode(error, 'ENOENT')) return 0;
		throw error;
	}
}
