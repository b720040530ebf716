/** Finding what a run of tests has left on the machine: processes and temporary files. */
import {readdirSync, readFileSync, readlinkSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {ofTheRun, RUN_VARIABLE} from './place.ts';

type Left = {readonly pid: number; readonly command: string};

/** Processes that a run started and that still run, wherever their parents went. */
export function processesOf(folder: string): readonly Left[] {
	return numbersIn('/proc').flatMap(pid =>
		!isRunner(pid) && belongsTo(pid, folder) ? [{pid, command: commandOf(pid)}] : [],
	);
}

/** Whether it is this process, or one of those that run files for it. */
function isRunner(pid: number): boolean {
	const [, parent] = /\) \S (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
	return pid === process.pid || Number(parent) === process.pid;
}

/** Tells by its environment, or in a sandbox that has another one, by what it was told or has open. */
function belongsTo(pid: number, folder: string): boolean {
	const at = (name: string) => join('/proc', String(pid), name);
	const told = `${read(at('environ'))}\0${read(at('cmdline'))}`;
	if (told.includes(`${RUN_VARIABLE}=${folder}\0`) || told.includes(`${folder}/`)) return true;
	const open = ['cwd', 'root', 'exe', ...numbersIn(at('fd')).map(fd => `fd/${fd}`)];
	return open.some(name => linkOf(at(name)).startsWith(`${folder}/`));
}

function commandOf(pid: number): string {
	return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim().slice(0, 200);
}

/** Whatever of a process, or of the whole machine, cannot be read is not there. */
function read(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}

function linkOf(path: string): string {
	try {
		return readlinkSync(path);
	} catch {
		return '';
	}
}

function numbersIn(path: string): readonly number[] {
	try {
		return readdirSync(path)
			.filter(name => /^\d+$/.test(name))
			.map(Number);
	} catch {
		return [];
	}
}

/** Ends what a folder's owner started and left to go on, as instances do when their agent is killed. */
export function endProcessesOf(folder: string): void {
	for (const {pid} of processesOf(folder)) kill(pid);
}

/** Processes that were told to end may take so long, on the busiest machine. */
const ENDING_MS = 60_000;

/** Takes away what a run left, and says what that was. */
export async function clearAfter(folder: string): Promise<readonly string[]> {
	// Node puts what it compiled for a program without a home there.
	const kept: readonly string[] = [...Object.values(ofTheRun), 'node-compile-cache'];
	const limit = performance.now() + ENDING_MS;
	while (processesOf(folder).length > 0 && performance.now() < limit) await sleep(50);
	const processes = processesOf(folder);
	endProcessesOf(folder);
	const files = readdirSync(folder)
		.filter(name => !kept.includes(name))
		.map(name => [name, ...contentOf(join(folder, name))].join(' '));
	rmSync(folder, {recursive: true, force: true});
	return [
		...processes.map(({pid, command}) => `process ${pid} still runs: ${command}`),
		...files.map(name => `${name} still is in the temporary folder`),
	];
}

/** Names of what lies in a folder, which tell whose it is. */
function contentOf(path: string): readonly string[] {
	try {
		return readdirSync(path, {recursive: true, encoding: 'utf8'}).slice(0, 8);
	} catch {
		return [];
	}
}

function kill(pid: number): void {
	try {
		process.kill(pid, 'SIGKILL');
	} catch {
		// It has ended by itself.
	}
}
