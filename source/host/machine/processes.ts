/** The processes of this machine, as Linux tells of them. */
import {readdir, readFile} from 'node:fs/promises';
import process from 'node:process';

export type Process = {
	readonly pid: number;
	readonly parent: number;
	readonly name: string;
	/** In ticks since the machine started: with its number it names one process for good. */
	readonly startTime: number;
	/** Hundredths of a second that it has computed. */
	readonly cpuTicks: number;
	readonly memoryBytes: number;
	/** `NAME=value` of what it was started with, where that may be read. */
	readonly environment: readonly string[];
};

/** One process, whatever gets its number later. */
export type ProcessName = Pick<Process, 'pid' | 'startTime'>;

const PAGE_BYTES = 4096;

/** All that run. What has ended and was not yet taken notice of is none. */
export async function listProcesses(): Promise<readonly Process[]> {
	const names = await readdir('/proc');
	const pids = names.filter(name => /^\d+$/.test(name)).map(Number);
	const found = await Promise.all(pids.map(readProcess));
	return found.filter(one => one !== undefined);
}

/** One process; undefined where there is none. */
export async function readProcess(pid: number): Promise<Process | undefined> {
	try {
		const found = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
		return found === undefined ? undefined : {...found, environment: await environmentOf(pid)};
	} catch {
		return undefined;
	}
}

/** The lasting name of a process, with the start time 0 where there is none. */
export async function processName(pid: number | undefined = 0): Promise<ProcessName> {
	return {pid, startTime: (await readProcess(pid))?.startTime ?? 0};
}

/** True if a process still runs. */
export async function isRunning({pid, startTime}: ProcessName): Promise<boolean> {
	return (await readProcess(pid))?.startTime === startTime;
}

/** The id that Linux gives to each boot of the machine. */
export async function machineStart(): Promise<string> {
	return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** Reads a line of `/proc/PID/stat`; undefined for what has ended. */
function parseStat(line: string): Omit<Process, 'environment'> | undefined {
	// The name may have brackets and blanks in it.
	const end = line.lastIndexOf(')');
	const begin = line.indexOf('(');
	const [state = '', ...fields] = line.slice(end + 2).split(' ');
	const field = (number: number) => Number(fields[number - FIRST_FIELD]);
	if (begin < 0 || end < begin || state === 'Z' || state === 'X') return undefined;
	return {
		pid: Number(line.slice(0, begin)),
		name: line.slice(begin + 1, end),
		parent: field(4),
		cpuTicks: field(14) + field(15),
		startTime: field(22),
		memoryBytes: field(24) * PAGE_BYTES,
	};
}

/** The manual counts the fields from 1; the parent is the first behind the state. */
const FIRST_FIELD = 4;

async function environmentOf(pid: number): Promise<readonly string[]> {
	try {
		return (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0');
	} catch {
		// Somebody else's.
		return [];
	}
}

/** Family of processes: all that were started with a variable, and their descendants. */
export function familyOf(
	all: readonly Process[],
	{mark, root}: {readonly mark: string; readonly root?: ProcessName | undefined},
): readonly Process[] {
	const children = Map.groupBy(all, one => one.parent);
	const family = new Map<number, Process>();
	function take(one: Process): void {
		// This program, or what has started it, is never meant.
		if (family.has(one.pid) || one.pid === process.pid || one.pid <= 1) return;
		family.set(one.pid, one);
		for (const child of children.get(one.pid) ?? []) take(child);
	}
	for (const one of all) {
		const isRoot = one.pid === root?.pid && one.startTime === root.startTime;
		if (isRoot || one.environment.includes(mark)) take(one);
	}
	return [...family.values()];
}
