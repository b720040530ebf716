/** The GPUs of a machine, which instances get by their UUIDs or unique ids. */
import {readFile, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {replaceFile} from '../../client/files/files.ts';
import {readCsv, measureNvidia, type GpuLoad, runTool, type RunTool} from './nvidia.ts';
import type {Detected} from './detect.ts';
import {uniqueIds, measureAmd} from './rocm.ts';
import {CannotStart} from '../base/retry.ts';
import type {JudgeGpus} from './gpu-judging.ts';

export type MachineGpus = {
	readonly kind: GpuKind;
	/** Permanent identifiers of the GPUs, by the market's indexes; empty for GPUs without any. */
	readonly names: readonly string[];
	readonly list: ListGpus;
	/** Called with the indexes that accept no new instance, whenever they change. */
	readonly onUnfit: (unfit: UnfitGpus) => Promise<void>;
	/** @default no health checks */
	readonly judge?: JudgeGpus;
	/**
	 * Driver's device names by minor number.
	 * @default namesByMinor
	 */
	readonly minors?: () => Promise<ReadonlyMap<number, string>>;
};

/** Indexes without a GPU, and indexes with a sick GPU. */
export type UnfitGpus = {readonly lost: readonly number[]; readonly sick: readonly number[]};

export const noGpus: MachineGpus = {
	kind: 'none',
	names: [],
	list: async () => new Map(),
	onUnfit: async () => undefined,
};

export type GpuKind = 'nvidia' | 'amd' | 'none';

/** Device files shared by all NVIDIA GPUs; the last one is for MIG instances. */
const nvidiaCommon = [
	'/dev/nvidiactl',
	'/dev/nvidia-uvm',
	'/dev/nvidia-uvm-tools',
	'/dev/nvidia-modeset',
	'/dev/nvidia-caps',
];

const FIRST_RENDER_NODE = 128;

/** Device files of some GPUs, by their numbers, which show those GPUs alone. */
export function devicesOf(kind: GpuKind, gpuIds: readonly number[]): readonly string[] {
	if (gpuIds.length === 0 || kind === 'none') return [];
	if (kind === 'nvidia') return [...nvidiaCommon, ...gpuIds.map(id => `/dev/nvidia${id}`)];
	return ['/dev/kfd', ...gpuIds.map(id => `/dev/dri/renderD${FIRST_RENDER_NODE + id}`)];
}

/** Permanent identifiers of the present GPUs, by the tool's numbers. */
export type PresentGpus = ReadonlyMap<number, string>;

type ListGpus = () => Promise<PresentGpus>;

export function listing(kind: GpuKind, run: RunTool = runTool): ListGpus {
	if (kind === 'none') return async () => new Map();
	return async () => (kind === 'nvidia' ? listNvidia(run) : uniqueIds(run));
}

async function listNvidia(run: RunTool): Promise<PresentGpus> {
	const output = await run('nvidia-smi', ['--query-gpu=index,uuid', '--format=csv']);
	const named = readCsv(output ?? '').map(
		row => [Number(row.get('index')), row.get('uuid') ?? ''] as const,
	);
	return new Map(named.filter(([, name]) => name.startsWith('GPU-')));
}

/**
 * Permanent identifiers of all GPUs that the machine ever offered, by the market's indexes; none
 * for GPUs without any.
 */
export async function keepGpuNames(
	file: string,
	{facts}: Pick<Detected, 'facts'>,
	present: PresentGpus,
): Promise<readonly string[]> {
	const known = await readNames(file);
	const inOrder = [...present].toSorted(([one], [other]) => one - other).map(([, name]) => name);
	const offered = inOrder.slice(0, facts.num_gpus);
	const names = [...known, ...offered.filter(name => !known.includes(name))];
	if (names.length === known.length) return names;
	await replaceFile(file, JSON.stringify(names));
	return names;
}

/** @throws SyntaxError for an unreadable file: the market's indexes must not change. */
async function readNames(file: string): Promise<readonly string[]> {
	const text = await readFile(file, 'utf8').catch(() => '[]');
	const names: unknown = JSON.parse(text);
	return Array.isArray(names) ? names.filter(name => typeof name === 'string') : [];
}

export function withMarketGpuIndexes(
	found: Detected,
	present: PresentGpus,
	names: readonly string[],
	sick: readonly number[] = [],
): Detected {
	const marketIndexOf = (number: number) => names.indexOf(present.get(number) ?? '');
	const lost = indexesOfLostGpus(names, present);
	const busy = found.busyGpus.map(marketIndexOf).filter(index => index >= 0);
	return {
		...found,
		facts: {...found.facts, num_gpus: names.length},
		busyGpus: [...new Set([...busy, ...lost, ...sick])],
		lostGpus: lost,
		gpuNames: names.filter((_, index) => !lost.includes(index)),
	};
}

export function indexesOfLostGpus(
	names: readonly string[],
	present: PresentGpus,
): readonly number[] {
	const there = new Set(present.values());
	return names.flatMap((name, index) => (there.has(name) ? [] : [index]));
}

export function loadsByGpuIndex<Load>(
	loads: ReadonlyMap<number, Load>,
	present: PresentGpus,
	names: readonly string[],
): ReadonlyMap<number, Load> {
	if (names.length === 0) return loads;
	const indexed = [...loads].map(([number, load]) => {
		return [names.indexOf(present.get(number) ?? ''), load] as const;
	});
	return new Map(indexed.filter(([index]) => index >= 0));
}

/**
 * The present numbers of GPUs, by the market's indexes.
 *
 * @throws CannotStart if one of them is not on the machine.
 */
export async function numbersOf(
	{kind, names, list}: MachineGpus,
	indexes: readonly number[],
): Promise<readonly number[]> {
	if (indexes.length === 0) return [];
	if (kind === 'none') throw new CannotStart('The GPUs of the machine are gone');
	const present = await list();
	if (present.size === 0 && names.length > 0) throw new Error('its GPUs do not answer');
	const numbers = new Map([...present].map(([number, name]) => [name, number]));
	return indexes.map(index => {
		const name = names[index];
		// GPUs without permanent identifiers have their tool numbers as indexes.
		if (name === undefined) return index;
		const number = numbers.get(name);
		if (number === undefined) throw new CannotStart(lostSentence(name));
		return number;
	});
}

export function lostSentence(name: string): string {
	return `Its GPU ${name} is gone from the machine. It was stopped, and its files are kept.`;
}

const NOT_THERE = 'It does not have the GPUs that it has rented';

/**
 * Compares the GPUs visible in an instance with the rented ones.
 *
 * @param inside The location in words, such as "the container".
 * @throws CannotStart if rented GPUs are missing, or there are others.
 */
export function compareGpus(rented: readonly string[], present: readonly string[], inside: string) {
	const missing = rented.find(name => !present.includes(name));
	if (missing !== undefined) {
		throw new CannotStart(`${NOT_THERE}: ${missing} is not in ${inside}. It costs nothing.`);
	}
	if (present.some(name => !rented.includes(name))) {
		throw new CannotStart(
			'It was given a GPU that it has not rented, and was stopped. It costs nothing.',
		);
	}
}

/** Error for an image in which no program reports GPUs. */
export function noGpuReportedError(inside: string): CannotStart {
	return new CannotStart(`${NOT_THERE}: nothing in ${inside} tells of GPUs. It costs nothing.`);
}

export const NVIDIA_MAJOR = 195;

const DRIVER = '/proc/driver/nvidia/gpus';

/** GPUs by the minor numbers of their devices; none if NVIDIA's driver does not name them. */
export async function namesByMinor(): Promise<ReadonlyMap<number, string>> {
	const folders = await readdir(DRIVER).catch(() => []);
	const texts = await Promise.all(
		folders.map(async name => readFile(join(DRIVER, name, 'information'), 'utf8').catch(() => '')),
	);
	return new Map(
		texts.flatMap(text => {
			const name = /^GPU UUID:\s*(GPU-[\w-]+)/m.exec(text)?.[1];
			const minor = /^Device Minor:\s*(\d+)/m.exec(text)?.[1];
			return name === undefined || minor === undefined ? [] : [[Number(minor), name] as const];
		}),
	);
}

/** Measures the load of each GPU, by its number, without GPUs that do not respond. */
export type MeasureGpus = () => Promise<ReadonlyMap<number, GpuLoad>>;

export function measuring(kind: GpuKind): MeasureGpus {
	if (kind === 'none') return async () => new Map();
	return async () => (kind === 'nvidia' ? measureNvidia(runTool) : measureAmd(runTool));
}
