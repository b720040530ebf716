import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {gpuName} from '../../contract/rules/gpu-names.ts';

/** Runs a tool of the machine; undefined for one that is missing, fails or never ends. */
export type RunTool = (file: string, args: readonly string[]) => Promise<string | undefined>;

const execute = promisify(execFile);

export const runTool: RunTool = async (file, args) => {
	try {
		const {stdout} = await execute(file, [...args], {timeout: LONGEST_MS, maxBuffer: MOST_BYTES});
		return stdout;
	} catch {
		return undefined;
	}
};

/** Facts of a GPU, undefined if the tool does not report them. */
export type DetectedGpu = {
	readonly name: string;
	readonly arch: 'nvidia' | 'amd';
	readonly memoryMb: number | undefined;
	readonly maxPower: number | undefined;
	/** 890 for 8.9. */
	readonly computeCapability: number | undefined;
	readonly pciGeneration: number | undefined;
	readonly lanes: number | undefined;
	readonly hasDisplay: boolean | undefined;
	readonly isBusy: boolean;
};

export type Gpus = {
	readonly gpus: readonly DetectedGpu[];
	readonly driver: string | undefined;
	/** The newest CUDA version that the driver supports. */
	readonly cuda: number | undefined;
};

export type GpuLoad = {
	readonly util: number | undefined;
	readonly temperature: number | undefined;
	readonly memoryMb: number | undefined;
};

/** Fields that old drivers also know: the tool prints nothing if a field is unknown. */
const OLD_FIELDS = [
	'index',
	'name',
	'memory.total',
	'power.max_limit',
	'pcie.link.gen.max',
	'pcie.link.width.max',
	'display_active',
	'driver_version',
	'memory.used',
	'utilization.gpu',
] as const;

const FIELDS = [...OLD_FIELDS, 'compute_cap'] as const;

/** GPUs of the machine; none without a working `nvidia-smi`. */
export async function detectNvidia(run: RunTool): Promise<Gpus> {
	const ask = async (fields: readonly string[]) =>
		run('nvidia-smi', [`--query-gpu=${fields.join(',')}`, '--format=csv']);
	const [table, overview] = await Promise.all([ask(FIELDS), run('nvidia-smi', [])]);
	// A tool that fails to print even its overview does not work.
	const known = table ?? (overview === undefined ? undefined : await ask(OLD_FIELDS));
	const {gpus, driver} = parseGpus(known ?? '');
	return {gpus, driver, cuda: gpus.length === 0 ? undefined : parseCuda(overview ?? '')};
}

/**
 * Reads the output of `nvidia-smi --query-gpu=… --format=csv`: a line of field names, then one per
 * GPU.
 */
export function parseGpus(text: string): Pick<Gpus, 'gpus' | 'driver'> {
	const rows = readCsv(text).filter(row => /^\d+$/.test(row.get('index') ?? ''));
	const sorted = rows.toSorted(
		(one, other) => Number(one.get('index')) - Number(other.get('index')),
	);
	const driver = sorted.map(row => wordIn(row, 'driver_version')).find(word => word !== undefined);
	// GPUs are known by their index, which is uncertain after a GPU without a name.
	const lost = sorted.findIndex(row => wordIn(row, 'name') === undefined);
	return {gpus: sorted.slice(0, lost < 0 ? undefined : lost).map(gpuOf), driver};
}

function gpuOf(row: ReadonlyMap<string, string>): DetectedGpu {
	const capability = numberIn(row, 'compute_cap');
	const display = wordIn(row, 'display_active');
	return {
		name: gpuName(row.get('name') ?? ''),
		arch: 'nvidia',
		memoryMb: numberIn(row, 'memory.total'),
		maxPower: numberIn(row, 'power.max_limit'),
		computeCapability: capability === undefined ? undefined : Math.round(capability * 100),
		pciGeneration: numberIn(row, 'pcie.link.gen.max'),
		lanes: numberIn(row, 'pcie.link.width.max'),
		hasDisplay: display === undefined ? undefined : display === 'Enabled',
		isBusy: (numberIn(row, 'utilization.gpu') ?? 0) > BUSY_PERCENT,
	};
}

/** Load from which a GPU counts as in use. */
const BUSY_PERCENT = 20;

/** CUDA version in the header of the tool's overview. */
export function parseCuda(text: string): number | undefined {
	const found = /CUDA (?:UMD )?Version:\s*(\d+\.\d+)/.exec(text)?.[1];
	return found === undefined ? undefined : Number(found);
}

const LOADS = ['index', 'utilization.gpu', 'temperature.gpu', 'memory.used'] as const;

export async function measureNvidia(run: RunTool): Promise<ReadonlyMap<number, GpuLoad>> {
	const text = await run('nvidia-smi', [`--query-gpu=${LOADS.join(',')}`, '--format=csv']);
	const rows = readCsv(text ?? '');
	return new Map(
		rows.map(row => [
			Number(row.get('index')),
			{
				util: numberIn(row, 'utilization.gpu'),
				temperature: numberIn(row, 'temperature.gpu'),
				memoryMb: numberIn(row, 'memory.used'),
			},
		]),
	);
}

/** `81559 MiB`, `700.00 W`, `35 %`; undefined for `[N/A]` and the like. */
function numberIn(row: ReadonlyMap<string, string>, field: string): number | undefined {
	const found = /^-?\d+(?:\.\d+)?/.exec(row.get(field) ?? '')?.[0];
	return found === undefined ? undefined : Number(found);
}

function wordIn(row: ReadonlyMap<string, string>, field: string): string | undefined {
	const word = row.get(field) ?? '';
	return word === '' || word.startsWith('[') ? undefined : word;
}

/**
 * Reads CSV whose first line has the names. A name may include a unit, as in `memory.total [MiB]`.
 * Lines with too few values are left out.
 */
export function readCsv(text: string): ReadonlyArray<ReadonlyMap<string, string>> {
	const [header = '', ...lines] = text.split('\n');
	const names = valuesOf(header).map(name => name.replace(/(?<!\s)\s*\[[^[\]]*\]$/, ''));
	return lines
		.map(valuesOf)
		.filter(values => values.length === names.length && names.length > 1)
		.map(values => new Map(values.map((value, index) => [names[index] ?? '', value])));
}

function valuesOf(line: string): readonly string[] {
	return line.split(',').map(value => value.trim());
}

const LONGEST_MS = 10_000;

const MOST_BYTES = 4 * 1024 * 1024;
