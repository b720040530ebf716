/** Least speed of a card of each known model, for GPU proofs. */
import {gpus, type SeedGpu} from '../seed/gpus.ts';
import {cardForm, smallForm, type ProofShape} from './proof-rules.ts';

export type GpuModel = {
	readonly name: string;
	/** Bytes of memory that its card reports. */
	readonly memory: number;
	/**
	 * Least int8 operations, in units of 10¹² a second; for a card without int8 units, the
	 * equivalent float32 operations.
	 */
	readonly tops: number;
	/** Least terabytes of memory read in a second. */
	readonly terabytes: number;
	/**
	 * Source of speeds: calculated from the maker's figures, or measured on a real card. Deadlines
	 * count only for measured models; for the others speed is shown, and memory and right answers
	 * decide.
	 */
	readonly from: 'calculated' | 'measured';
	/** Branches of NVIDIA's driver for Linux that support it, and versions of CUDA. */
	readonly drivers?: Range;
	readonly cuda?: Range;
	readonly form?: ProofShape;
};

type Range = readonly [least: number, most: number];

/**
 * By compute capability: int8 operations for each operation in single precision, by the maker's
 * figures, and the first and last branch of the driver and version of CUDA. 1 if int8 has no units
 * of its own, or PyTorch does not use them.
 */
const generations: ReadonlyMap<number, readonly [factor: number, drivers: Range, cuda: Range]> =
	new Map([
		[600, [1, [375, 580], [8, 13]]],
		[610, [1, [367, 580], [8, 13]]],
		[700, [1, [384, 580], [9, 13]]],
		[750, [16, [410, Infinity], [10, Infinity]]],
		[800, [32, [450, Infinity], [11, Infinity]]],
		[860, [8, [455, Infinity], [11.1, Infinity]]],
		[890, [8, [520, Infinity], [11.8, Infinity]]],
		[900, [29.5, [520, Infinity], [11.8, Infinity]]],
		[1000, [60, [570, Infinity], [12.8, Infinity]]],
		[1200, [8, [570, Infinity], [12.8, Infinity]]],
	]);

const MB = 1 << 20;

/**
 * Shares of the maker's figures that a card reaches at least: 56 and 74 % are expected, less 40 %
 * for the slowest.
 */
const SHARE_OF_PRODUCTS = 0.4;
const SHARE_OF_BANDWIDTH = 0.53;

function modelOf({name, vramMb, memoryGbs, tflops, computeCap}: SeedGpu): GpuModel {
	const [factor, drivers, cuda] = generations.get(computeCap ?? 0) ?? [1];
	// The GTX models of Turing have no int8 units.
	const products = tflops * (name.startsWith('GTX') ? 1 : factor);
	return {
		name,
		memory: vramMb * MB,
		tops: products * SHARE_OF_PRODUCTS,
		terabytes: (memoryGbs / 1000) * SHARE_OF_BANDWIDTH,
		from: 'calculated',
		...(drivers !== undefined && {drivers}),
		...(cuda !== undefined && {cuda}),
	};
}

const known: ReadonlyMap<string, GpuModel> = new Map(gpus.map(gpu => [gpu.name, modelOf(gpu)]));

/** A machine's claims about its cards. */
export type ClaimedGpu = {
	readonly gpu_name: string;
	/** Memory of a card in MB. */
	readonly gpu_ram: number | null;
	readonly driver_version: string | null;
	readonly cuda_max_good: number | null;
};

export const claimedColumns = ['gpu_name', 'gpu_ram', 'driver_version', 'cuda_max_good'] as const;

/**
 * Model of a card by its name; for an unknown one, the memory that its machine claims, and no
 * speed.
 */
export function modelFor(
	{gpu_name: name, gpu_ram: ram}: ClaimedGpu,
	others: readonly GpuModel[] = [],
): GpuModel | undefined {
	const found = others.find(model => model.name === name) ?? known.get(name);
	if (found !== undefined || ram === null || ram <= 0) return found;
	return {name: '', memory: ram * MB, tops: 0, terabytes: 0, from: 'calculated'};
}

/** Memory that stays occupied on a card, by its driver and the answering program. */
const KEPT = 1e9;
const SMALL = 2e9;

/** Least memory that must answer: 5 % less than the model's, and less the occupied memory. */
export function leastMemory({memory}: GpuModel): number {
	return 0.95 * memory - (memory > SMALL ? KEPT : 0);
}

export function formOf({form, memory}: GpuModel): ProofShape {
	return form ?? (memory > SMALL ? cardForm : smallForm);
}

/** First branch whose Linux drivers have versions of three numbers; those for Windows have two. */
const THREE_NUMBERS = 530;

/** Contradiction in a machine's claims about its cards; undefined if they may be true. */
export function contradictionIn(said: ClaimedGpu, model: GpuModel): string | undefined {
	const {gpu_ram: ram, cuda_max_good: cuda} = said;
	const {name, memory, cuda: versions} = model;
	if (name !== '' && ram !== null && Math.abs(ram * MB - memory) > 0.05 * memory) {
		return `it says ${ram} MB of memory a card, and the ${name} has ${Math.round(memory / MB)}`;
	}
	if (versions !== undefined && cuda !== null && isOutside(cuda, versions)) {
		return `it says CUDA ${cuda}, and the ${name} has ${inWords(versions)}`;
	}
	return wrongDriver(said, model);
}

function wrongDriver(
	{driver_version: driver}: ClaimedGpu,
	{name, drivers}: GpuModel,
): string | undefined {
	if (drivers === undefined || driver === null) return undefined;
	const [branch = Number.NaN, ...rest] = driver.split('.').map(Number);
	if (branch >= THREE_NUMBERS && rest.length === 1) {
		return `it says driver ${driver}, which is one for Windows: those for Linux have three numbers`;
	}
	return isOutside(branch, drivers)
		? `it says driver ${driver}, and the ${name} has ${inWords(drivers)}`
		: undefined;
}

function isOutside(value: number, [least, most]: Range): boolean {
	return value < least || value >= most + 1;
}

function inWords([least, most]: Range): string {
	return most === Infinity ? `${least} or later` : `${least} to ${most}`;
}
