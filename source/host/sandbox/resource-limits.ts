import {availableParallelism, totalmem} from 'node:os';
import process from 'node:process';
import type {Work} from '../../contract/nouns/host-work.ts';

export type Shared = {
	readonly gpus: number;
	readonly processors: number;
	readonly memoryBytes: number;
};

export type ResourceBounds = {
	/** Memory without swap. */
	readonly memoryBytes: number;
	/** Limit of processors, with a fraction. */
	readonly processors: number;
	/** Limit of processes and threads. */
	readonly processes: number;
	/** Limit of files in `/dev/shm`, as part of the memory. */
	readonly sharedMemoryBytes: number;
};

/** Memory reserved for this machine: a part, up to a gigabyte. */
const KEPT_PART = 1 / 16;
const KEPT_BYTES = 1024 ** 3;

const PROCESSES_PER_PROCESSOR = 512;
const PAGE_BYTES = 4096;

export function sharedMachine(gpus: number): Shared {
	const limit = process.constrainedMemory();
	const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
	const memoryBytes = memory - Math.min(KEPT_BYTES, memory * KEPT_PART);
	return {gpus, processors: availableParallelism(), memoryBytes};
}

/** Limits in proportion to the rented GPUs; a machine without GPUs is rented as a whole. */
export function resourceLimits(
	machine: Shared,
	{gpu_ids: gpuIds = []}: Pick<Work, 'gpu_ids'>,
): ResourceBounds {
	const share = machine.gpus === 0 ? 1 : Math.min(1, gpuIds.length / machine.gpus);
	const processors = Math.max(0.1, machine.processors * share);
	const memoryBytes = wholePages(machine.memoryBytes * share);
	return {
		memoryBytes,
		processors,
		processes: PROCESSES_PER_PROCESSOR * Math.ceil(processors),
		sharedMemoryBytes: wholePages(memoryBytes / 2),
	};
}

function wholePages(bytes: number): number {
	return Math.max(1, Math.floor(bytes / PAGE_BYTES)) * PAGE_BYTES;
}
