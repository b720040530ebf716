/** Usage of an instance on a machine, whatever runs it. */
import type {Usage} from '../../contract/nouns/host-work.ts';
import type {GpuLoad} from '../machine/nvidia.ts';

const GB = 1e9;

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

/** Disk usage against the rented size. */
export function diskUsage(bytes: number | undefined, diskRented = 0): Usage {
	if (bytes === undefined) return {};
	const used = bytes / GB;
	const share = diskRented > 0 ? {disk_util: rounded(Math.min(1, used / diskRented))} : {};
	return {disk_usage: rounded(used), ...share};
}

function known(values: ReadonlyArray<number | undefined>): readonly number[] {
	return values.filter(value => value !== undefined);
}

function sumOf(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

/** To thousandths. */
export function rounded(value: number): number {
	return Math.round(value * 1000) / 1000;
}

/** Below this, programs that write files fail. */
const FULL_BYTES = 64 * 1024 * 1024;

/** Problem of the disk, for whoever rents; undefined where there is none. */
export function diskTrouble(
	freeBytes: number,
	{diskBytes, diskRented}: {readonly diskBytes: number | undefined; readonly diskRented: number},
): string | undefined {
	if (freeBytes < FULL_BYTES) {
		const megabytes = Math.floor(freeBytes / 1e6);
		return `The machine's disk is full: ${megabytes} MB are free. Remove files, or what writes them fails.`;
	}
	const used = (diskBytes ?? 0) / GB;
	if (diskRented <= 0 || used <= diskRented) return undefined;
	return `It uses ${used.toFixed(1)} GB of the ${diskRented} GB of disk that were rented.`;
}
