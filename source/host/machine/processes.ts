import {readdir, readFile} from 'node:fs/promises';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {codeOf} from '../../contract/rules/thrown.ts';

export type Process = {
	readonly pid: number;
	readonly parent: number;
	readonly name: string;
	/** Ticks since the machine's boot. Pid and start time together identify a process for good. */
	readonly startTime: number;
	/** CPU time in hundredths of a second. */
	readonly cpuTicks: number;
	readonly memoryBytes: number;
	/** Environment as `NAME=value`; empty if it may not be read. */
	readonly environment: readonly string[];
};

/** Permanent identity of a process, although its pid may be reused. */
export type ProcessName = Pick<Process, 'pid' | 'startTime'>;

const PAGE_BYTES = 4096;

/** The running processes, without zombies. */
export async function listProcesses(): Promise<readonly Process[]> {
	const names = await readdir('/proc');
	const pids = names.filter(name => /^\d+$/.test(name)).map(Number);
	const found = await Promise.all(pids.map(readProcess));
	return found.filter(one => one !== undefined);
}

/** Most reads, a millisecond apart, of a process that shows neither arguments nor environment. */
const MOST_READS = 50;

/**
 * A process by its pid; undefined if missing. A process that executes a new program shows no
 * environment until that begins, and is read again: otherwise it would belong to no family, and
 * survive.
 */
async function readProcess(pid: number): Promise<Process | undefined> {
	try {
		for (let reads = 1; ; reads += 1) {
			const found = parseStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
			if (found === undefined) return undefined;
			const {isOfKernel, ...about} = found;
			const environment = isOfKernel ? [] : await environmentOf(pid);
			if (environment !== undefined || reads === MOST_READS) {
				return {...about, environment: environment ?? []};
			}
			await sleep(1);
		}
	} catch {
		return undefined;
	}
}

/** The permanent identity of a process, with the start time 0 if missing. */
export async function processName(pid: number | undefined = 0): Promise<ProcessName> {
	return {pid, startTime: (await readProcess(pid))?.startTime ?? 0};
}

export async function isProcessRunning({pid, startTime}: ProcessName): Promise<boolean> {
	return (await readProcess(pid))?.startTime === startTime;
}

/** The id that Linux gives to each boot of the machine. */
export async function machineStart(): Promise<string> {
	return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
}

/** Reads a line of `/proc/PID/stat`; undefined for a zombie. */
function parseStat(
	line: string,
): (Omit<Process, 'environment'> & {readonly isOfKernel: boolean}) | undefined {
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
		isOfKernel: (field(9) & OF_KERNEL) !== 0,
	};
}

/** Number of the parent's field in the manual, the first one after the state. */
const FIRST_FIELD = 4;

/** Flag of a thread of the kernel, which has no environment. */
const OF_KERNEL = 0x0020_0000;

/** Environment of a process; undefined between two programs. @throws Error for one that has ended */
async function environmentOf(pid: number): Promise<readonly string[] | undefined> {
	try {
		const read = async (name: string) => readFile(`/proc/${pid}/${name}`, 'latin1');
		const text = await read('environ');
		if (text !== '') return text.split('\0');
		if ((await read('cmdline')) === '') return undefined;
		// The process had no environment, or executed its program between the two reads.
		return (await read('environ')).split('\0');
	} catch (error) {
		// The process belongs to another user.
		if (codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM') return [];
		throw error;
	}
}

/** Processes that were started with a variable, and their descendants. */
export function familyOf(
	all: readonly Process[],
	{mark, root}: {readonly mark: string; readonly root?: ProcessName | undefined},
): readonly Process[] {
	const children = Map.groupBy(all, one => one.parent);
	const family = new Map<number, Process>();
	function take(one: Process): void {
		// The agent itself and init are never part of a family.
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
