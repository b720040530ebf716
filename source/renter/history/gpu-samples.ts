/** Each GPU of an instance, by `nvidia-smi` inside of it. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {RunInside} from '../leases/inside.ts';
import type {GpuUse} from './use-history.ts';

/** Interval of samples of an instance's GPUs. */
export const GPU_SAMPLE_MS = 60_000;

const PATIENCE_MS = 20_000;
/** Most GPUs of a machine: an instance that reports more is lying. */
const MOST_GPUS = 16;
const MB_PER_GB = 1024;

const fields = [
	['index', 0, MOST_GPUS - 1],
	['utilization.gpu', 0, 100],
	['memory.used', 0, 1e8],
	['temperature.gpu', 0, 200],
	['power.draw', 0, 1e4],
	['memory.total', 1, 1e8],
	['power.limit', 1, 1e4],
] as const;

const script = `PATH="\${HOME:-/root}/.local/bin:$PATH"
nvidia-smi --query-gpu=${fields.map(([name]) => name).join(',')} --format=csv,noheader,nounits
`;

/** Usage of each GPU in the order of their numbers; undefined if the instance cannot be entered. */
export async function readGpuUse(
	run: RunInside,
	instance: Instance,
): Promise<readonly GpuUse[] | undefined> {
	const output = await run(instance, script, PATIENCE_MS);
	const gpus = readGpus(output ?? '');
	return gpus.length === 0 ? undefined : gpus;
}

/** GPUs as the tool lists them. Skips lines in another form, and impossible numbers. */
export function readGpus(text: string): readonly GpuUse[] {
	const rows = text
		.split('\n')
		.slice(0, MOST_GPUS * 2)
		.map(readRow)
		.filter(row => row !== undefined);
	const byIndex = new Map(rows);
	// A GPU that reports nothing keeps its index.
	const count = Math.max(-1, ...byIndex.keys()) + 1;
	return Array.from({length: count}, (_, at) => byIndex.get(at) ?? {});
}

function readRow(line: string): readonly [index: number, use: GpuUse] | undefined {
	const values = line.split(',').map(value => value.trim());
	if (values.length !== fields.length) return undefined;
	const [index, util, memory, heat, power, memoryAll, powerLimit] = fields.map(
		([, least, most], at) => figureIn(values[at] ?? '', least, most),
	);
	if (index === undefined || !Number.isInteger(index)) return undefined;
	const use = {
		util,
		memory: memory === undefined ? undefined : memory / MB_PER_GB,
		heat,
		power,
		memoryAll: memoryAll === undefined ? undefined : memoryAll / MB_PER_GB,
		powerLimit,
	};
	return [
		index,
		Object.fromEntries(Object.entries(use).filter(([, value]) => value !== undefined)),
	];
}

/** `84`, `684.12`; undefined for `[N/A]` and for impossible values. */
function figureIn(text: string, least: number, most: number): number | undefined {
	if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return undefined;
	const value = Number(text);
	return value >= least && value <= most ? value : undefined;
}
