/** What the processes of a sandbox use of the machine. */
import {availableParallelism, totalmem} from 'node:os';
import type {Usage} from '../../contract/host-work.ts';
import {rounded} from '../instance/usage.ts';
import type {Process} from '../machine/processes.ts';

const GB = 1e9;
const TICKS_PER_SECOND = 100;

/** What was measured at one moment. */
export type Measured = {
	readonly at: number;
	readonly members: readonly Pick<Process, 'pid' | 'startTime' | 'cpuTicks' | 'memoryBytes'>[];
};

/** What is said of a moment, given the one before. */
export function usageOf(now: Measured, before: Measured | undefined): Usage {
	const memory = now.members.reduce((sum, {memoryBytes}) => sum + memoryBytes, 0);
	return {
		...(before !== undefined && {cpu_util: cpuShare(now, before)}),
		mem_usage: rounded(memory / GB),
		mem_limit: rounded(totalmem() / GB),
	};
}

/** Percent of all cores. What has ended in between is not counted any more. */
function cpuShare(now: Measured, before: Measured): number {
	const earlier = new Map(before.members.map(one => [`${one.pid} ${one.startTime}`, one.cpuTicks]));
	const ticks = now.members.reduce(
		(sum, one) => sum + one.cpuTicks - (earlier.get(`${one.pid} ${one.startTime}`) ?? 0),
		0,
	);
	const possible = (now.at - before.at) * TICKS_PER_SECOND * availableParallelism();
	return possible <= 0 ? 0 : rounded(Math.min(100, (100 * ticks) / possible));
}
