/** Loads of this machine's GPUs. */
import type {GpuKind} from './devices.ts';
import {measureNvidia, type GpuLoad} from './nvidia.ts';
import {measureAmd} from './rocm.ts';
import {runTool} from './run-tool.ts';

/** Of each GPU, by its number; nothing of those that cannot be asked. */
export type MeasureGpus = () => Promise<ReadonlyMap<number, GpuLoad>>;

export function measuring(kind: GpuKind): MeasureGpus {
	if (kind === 'none') return async () => new Map();
	return async () => (kind === 'nvidia' ? measureNvidia(runTool) : measureAmd(runTool));
}
