/** Size and removal of whole folders. */
import {execFile} from 'node:child_process';
import {chmod, lstat, readdir, rm, statfs} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);

/** Removes a folder, also one whose owner may not change it. */
export async function removeTree(path: string): Promise<void> {
	const remove = async () => rm(path, {recursive: true, force: true});
	try {
		await remove();
	} catch {
		await openUp(path);
		await remove();
	}
}

/** Makes folders writable for their owner, without following links. */
async function openUp(path: string): Promise<void> {
	if (!(await lstat(path)).isDirectory()) return;
	await chmod(path, 0o700);
	for (const name of await readdir(path)) await openUp(join(path, name));
}

/** Time limit of counting: very many files would keep the disk busy. */
const COUNT_TIMEOUT_MS = 5000;

/** The bytes on disk of some folders; undefined if counting takes too long. */
export async function sizeOf(paths: readonly string[]): Promise<number | undefined> {
	try {
		const {stdout} = await run('du', ['-skxc', ...paths], {timeout: COUNT_TIMEOUT_MS});
		return totalOf(stdout);
	} catch (error) {
		// `du` fails when files vanish; its total still counts.
		const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : '';
		return totalOf(output);
	}
}

function totalOf(output: string): number | undefined {
	const total = /^(\d+)\ttotal$/m.exec(output)?.[1];
	return total === undefined ? undefined : Number(total) * 1024;
}

export async function freeBytes(path: string): Promise<number> {
	const {bavail, bsize} = await statfs(path);
	return bavail * bsize;
}

/** Free share of a folder's file system, from 0 to 1. */
export async function freeShare(path: string): Promise<number> {
	const {bavail, blocks} = await statfs(path);
	return bavail / blocks;
}
