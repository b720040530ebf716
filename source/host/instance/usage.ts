/** What an instance uses of the machine, as it is measured. */
import {availableParallelism, totalmem} from 'node:os';
import type {Usage} from '../../contract/host-work.ts';
import type {GpuLoad} from '../machine/nvidia.ts';
import type {Process} from '../machine/processes.ts';

const GB = 1e9;
const TICKS_PER_SECOND = 100;

/** What was measured at one moment. */
export type Measured = {
	readonly at: number;
	readonly members: readonly Pick<Process, 'pid' | 'startTime' | 'cpuTicks' | 'memoryBytes'>[];
	readonly gpus: readonly GpuLoad[];
	/** Of its folders, where that is known. */
	readonly diskBytes: number | undefined;
	/** In GB, what it has rented of the disk. */
	readonly diskRented: number;
};

/** What is said of a moment, given the one before. */
export function usageOf(now: Measured, before: Measured | undefined): Usage {
	const memory = now.members.reduce((sum, {memoryBytes}) => sum + memoryBytes, 0);
	return {
		...(before !== undefined && {cpu_util: cpuShare(now, before)}),
		mem_usage: rounded(memory / GB),
		mem_limit: rounded(totalmem() / GB),
		...gpuUsage(now.gpus),
		...diskUsage(now),
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

/** Of the GPUs that it has. What cannot be asked is left out. */
export function gpuUsage(gpus: readonly GpuLoad[]): Usage {
	const used = known(gpus.map(gpu => gpu.util));
	const temperatures = known(gpus.map(gpu => gpu.temperature));
	const memory = known(gpus.map(gpu => gpu.memoryMb));
	return {
		...(used.length > 0 && {gpu_util: rounded(sumOf(used) / used.length)}),
		...(temperatures.length > 0 && {gpu_temp: Math.max(...temperatures)}),
		...(memory.length > 0 && {vmem_usage: rounded((sumOf(memory) * 1024 * 1024) / GB)}),
	};
}

function diskUsage({diskBytes, diskRented}: Measured): Usage {
	if (diskBytes === undefined) return {};
	const used = diskBytes / GB;
	const share = diskRented > 0 ? Math.min(1, used / diskRented) : 0;
	return {disk_usage: rounded(used), disk_util: rounded(share)};
}

function known(values: ReadonlyArray<number | undefined>): readonly number[] {
	return values.filter(value => value !== undefined);
}

function sumOf(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}

/** Below this, programs that write files fail. */
const FULL_BYTES = 64 * 1024 * 1024;

/** What is wrong with the disk, for whoever rents; undefined where nothing is. */
export function diskTrouble(
	freeBytes: number,
	{diskBytes, diskRented}: Pick<Measured, 'diskBytes' | 'diskRented'>,
): string | undefined {
	if (freeBytes < FULL_BYTES) {
		const megabytes = Math.floor(freeBytes / 1e6);
		return `The machine's disk is full: ${megabytes} MB are free. Remove files, or what writes them fails.`;
	}
	const used = (diskBytes ?? 0) / GB;
	if (diskRented <= 0 || used <= diskRented) return undefined;
	return `It uses ${used.toFixed(1)} GB of the ${diskRented} GB of disk that were rented.`;
}
