/** Ends all processes of an instance: first by SIGTERM, then by SIGKILL. */
import {setTimeout as sleep} from 'node:timers/promises';
import process from 'node:process';
import {availableParallelism, totalmem} from 'node:os';
import {membersOfGroups, removeGroups} from './control-groups.ts';
import {familyOf, listProcesses, type Process, type ProcessName} from '../machine/processes.ts';
import type {InstanceUsage} from '../../contract/nouns/host-work.ts';
import {roundToThousandths} from '../instance/rounds.ts';
import {closeDisk, instanceDiskOf} from './folders.ts';
import {readRecord} from '../instance/record.ts';
import {listInstanceIds, siteOf} from '../instance/site.ts';
import {closeVolumes} from './volumes.ts';

export type Family = {
	/** Label of the processes: an environment variable as `NAME=value`. */
	readonly mark: string;
	readonly root?: ProcessName | undefined;
	/** Control groups of these processes alone. */
	readonly groups?: readonly string[];
};

const POLL_MS = 25;

const KILL_MS = 5000;

const holders = new Set(['bwrap']);

/** @throws Error if processes survive SIGKILL. */
export async function endFamily(family: Family, graceMs: number): Promise<void> {
	if (graceMs > 0 && (await endWhenAsked(family, graceMs))) return;
	// Repeat, because a process may fork before it is killed.
	for (let ms = 0; ms < KILL_MS; ms += POLL_MS) {
		const rest = await membersOf(family);
		if (rest.length === 0) return;
		signalAll(rest, 'SIGKILL');
		await sleep(POLL_MS);
	}
	throw new Error('some of its processes do not end');
}

export async function membersOf(family: Family): Promise<readonly Process[]> {
	const [all, grouped] = await Promise.all([listProcesses(), membersOfGroups(family.groups ?? [])]);
	const found = new Set(familyOf(all, family));
	return all.filter(one => found.has(one) || grouped.includes(one.pid));
}

/** Sends SIGTERM once to each process, also to those that appear meanwhile. */
async function endWhenAsked(family: Family, withinMs: number): Promise<boolean> {
	const asked = new Set<number>();
	const deadline = performance.now() + withinMs;
	while (performance.now() < deadline) {
		const members = await membersOf(family);
		if (members.length === 0) return true;
		signalAll(
			members.filter(one => isToBeAsked(one, family) && !asked.has(one.pid)),
			'SIGTERM',
		);
		for (const {pid} of members) asked.add(pid);
		await sleep(POLL_MS);
	}
	return false;
}

/** False for a sandbox's own processes, whose end would kill the others at once. */
function isToBeAsked({pid, name}: Process, {root}: Family): boolean {
	return !holders.has(name) && pid !== root?.pid;
}

function signalAll(all: readonly Process[], signal: NodeJS.Signals): void {
	for (const {pid} of all) {
		try {
			process.kill(pid, signal);
		} catch {
			// The process has ended meanwhile.
		}
	}
}

const GB = 1e9;
const TICKS_PER_SECOND = 100;

type Measured = {
	readonly at: number;
	readonly members: readonly Pick<Process, 'pid' | 'startTime' | 'cpuTicks' | 'memoryBytes'>[];
};

export function usageBetween(now: Measured, before: Measured | undefined): InstanceUsage {
	const memory = now.members.reduce((sum, {memoryBytes}) => sum + memoryBytes, 0);
	return {
		...(before !== undefined && {cpu_util: cpuShare(now, before)}),
		mem_usage: roundToThousandths(memory / GB),
		mem_limit: roundToThousandths(totalmem() / GB),
	};
}

/** Percent of all cores, without processes that ended in between. */
function cpuShare(now: Measured, before: Measured): number {
	const earlier = new Map(before.members.map(one => [`${one.pid} ${one.startTime}`, one.cpuTicks]));
	const ticks = now.members.reduce(
		(sum, one) => sum + one.cpuTicks - (earlier.get(`${one.pid} ${one.startTime}`) ?? 0),
		0,
	);
	const possible = (now.at - before.at) * TICKS_PER_SECOND * availableParallelism();
	return possible <= 0 ? 0 : roundToThousandths(Math.min(100, (100 * ticks) / possible));
}

/** Ends processes of instances whose agent is gone. The caller must hold the folder's lock. */
export async function endLeftovers(folder: string): Promise<void> {
	for (const id of await listInstanceIds(folder)) {
		const site = siteOf(folder, id);
		const record = await readRecord(site.record);
		if (record !== undefined) {
			await endFamily(record, 0);
			await removeGroups(record.groups);
		}
		await closeDisk(instanceDiskOf(site));
	}
	await closeVolumes(folder);
}
