/** Folders with all that is in them: how much that is, and their removal. */
import {execFile} from 'node:child_process';
import {chmod, lstat, readdir, rm, statfs} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);

/** Removes a folder, also where somebody has forbidden that to its owner. */
export async function removeTree(path: string): Promise<void> {
	const remove = async () => rm(path, {recursive: true, force: true});
	try {
		await remove();
	} catch {
		await openUp(path);
		await remove();
	}
}

/** Lets the owner of folders change them. Links are left alone. */
async function openUp(path: string): Promise<void> {
	if (!(await lstat(path)).isDirectory()) return;
	await chmod(path, 0o700);
	for (const name of await readdir(path)) await openUp(join(path, name));
}

/** Looking at very many files must not keep the disk busy for long. */
const LONGEST_LOOK_MS = 5000;

/** The bytes on disk of some folders; undefined where counting them takes too long. */
export async function sizeOf(paths: readonly string[]): Promise<number | undefined> {
	try {
		const {stdout} = await run('du', ['-skxc', ...paths], {timeout: LONGEST_LOOK_MS});
		return totalOf(stdout);
	} catch (error) {
		// What goes away meanwhile is complained of, and all else counted.
		const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
		return totalOf(said);
	}
}

function totalOf(said: string): number | undefined {
	const total = /^(\d+)\ttotal$/m.exec(said)?.[1];
	return total === undefined ? undefined : Number(total) * 1024;
}

/** The bytes that can still be written where a folder is. */
export async function freeBytes(path: string): Promise<number> {
	const {bavail, bsize} = await statfs(path);
	return bavail * bsize;
}
