import {
	bucketsIn,
	indexOf,
	windowAt,
	bucketStartOf,
	type Bucket,
	type Window,
} from '../../../../renter/history/buckets.ts';
import type {GpuUse, MachineUse, UseSample} from '../../../../renter/history/use-history.ts';
import {median} from '../../../../renter/fleet/fleet-state.ts';
import {createStore, once} from '../../../../renter/state/store.ts';
import {keptByStackEntry} from '../../../services/router.ts';
import type {Instance} from '../../../../contract/nouns/instance-record.ts';
import {HOUR_MS, MINUTE_MS} from '../../../../contract/rules/durations.ts';

export const usageSpans = [
	{name: '10m', ms: 10 * MINUTE_MS},
	{name: '1h', ms: HOUR_MS},
	{name: '6h', ms: 6 * HOUR_MS},
	{name: '24h', ms: 24 * HOUR_MS},
	{name: '3d', ms: 72 * HOUR_MS},
	{name: '7d', ms: 168 * HOUR_MS},
] as const;

export const metrics = ['util', 'memory', 'heat', 'power'] as const;
export type Metric = (typeof metrics)[number];

export type UsageState = {
	/** Index of the span. */
	readonly span: number;
	readonly metric: Metric;
	/** The moment that the cursor reads; undefined if it follows the present. */
	readonly at: number | undefined;
	readonly zoomed: number | undefined;
	readonly isTable: boolean;
	readonly top: number;
};

export const usageAt = keptByStackEntry(() =>
	createStore<UsageState>({
		span: 1,
		metric: 'util',
		at: undefined,
		zoomed: undefined,
		isTable: false,
		top: 0,
	}),
);

/** Values of a row in the buckets of a window, and the last one. */
export type Track = {
	readonly name: string;
	readonly buckets: ReadonlyArray<Bucket | undefined>;
	readonly now: number | undefined;
	/** The value of a full bar. */
	readonly full: number;
	/** Something is wrong with it, in words. */
	readonly trouble: string | undefined;
};

/** From here on, GPUs slow down. */
export const HOT = 83;
const FULL_HEAT = 100;
const MB_PER_GB = 1024;
/** Percent points below the others, and for how long, that make a GPU slow. */
const BEHIND = 20;
const BEHIND_MS = 5 * MINUTE_MS;

export type UsageReadings = {
	readonly instance: Instance;
	readonly samples: readonly UseSample[];
	readonly now: number;
};

/** The same object for as long as it shows the same window, so that results for it are computed once. */
const sameWindow = once((step: number, first: number, count: number, offsetMs: number): Window => ({
	step,
	first,
	count,
	offsetMs,
}));

/** The window of a span, by the hours of this machine's clock. */
export function windowOf({span}: Pick<UsageState, 'span'>, now: number, count: number): Window {
	const offsetMs = -new Date(now).getTimezoneOffset() * MINUTE_MS;
	const {step, first} = windowAt(now, (usageSpans[span] ?? usageSpans[1]).ms, {count, offsetMs});
	return sameWindow(step, first, count, offsetMs);
}

/** The value that fills a bar: of the GPU's own, else of what the service says that it has. */
export function fullOf(metric: Metric, gpu: GpuUse, instance: Instance): number {
	switch (metric) {
		case 'util':
			return 100;
		case 'heat':
			return FULL_HEAT;
		case 'memory':
			return gpu.memoryAll ?? Math.max(1, (instance.gpu_ram ?? 0) / MB_PER_GB);
		case 'power':
			return gpu.powerLimit ?? 1000;
	}
}

/** The last reading of each GPU; empty if there is none. */
export function lastGpus(samples: readonly UseSample[]): readonly GpuUse[] {
	return samples.findLast(({gpus}) => gpus !== undefined)?.gpus ?? [];
}

/** Curves of one GPU are shown: it is the only one, or the chosen one. */
export function isSingle(
	{zoomed}: Pick<UsageState, 'zoomed'>,
	{samples, instance}: Pick<UsageReadings, 'samples' | 'instance'>,
): boolean {
	return zoomed !== undefined || Math.max(instance.num_gpus ?? 1, lastGpus(samples).length) <= 1;
}

/** Figures of each GPU; of all as one where the list alone says something. */
export const gpuTracks = once(tracksOf);

function tracksOf(
	samples: readonly UseSample[],
	instance: Instance,
	metric: Metric,
	window: Window,
): readonly Track[] {
	const last = lastGpus(samples);
	const behind = slowGpus(samples, last.length);
	return last.map((gpu, index) => {
		const valued = samples.flatMap(({at, gpus}) =>
			gpus === undefined ? [] : [{at, value: gpus[index]?.[metric]}],
		);
		return {
			name: `gpu${index}`,
			buckets: bucketsIn(window, valued),
			now: gpu[metric],
			full: fullOf(metric, gpu, instance),
			trouble: isHot(gpu) ? `gpu${index} ${gpu.heat} C` : slowText(behind.get(index), index),
		};
	});
}

type MachineFigure = keyof MachineUse;

export function machineTrack(
	{samples}: Pick<UsageReadings, 'samples'>,
	window: Window,
	{
		figure,
		name,
		full,
	}: {readonly figure: MachineFigure; readonly name: string; readonly full: number},
): Track {
	const own = samples.filter(({machine}) => machine !== undefined);
	const buckets = bucketsIn(
		window,
		own.map(({at, machine}) => ({at, value: machine?.[figure]})),
	);
	return {name, buckets, now: own.at(-1)?.machine?.[figure], full, trouble: undefined};
}

export const isHot = ({heat = 0}: GpuUse) => heat >= HOT;

function slowText(slow: SlowGpu | undefined, index: number): string | undefined {
	return slow && `gpu${index} is slower than the others for ${slow.minutes} min`;
}

/** Percent of a GPU and of the middle of the others, and for how long it has been far below them. */
type SlowGpu = {readonly own: number; readonly others: number; readonly minutes: number};

export function slowGpus(
	samples: readonly UseSample[],
	count: number,
): ReadonlyMap<number, SlowGpu> {
	const own = samples.filter(({gpus}) => gpus?.length === count);
	const last = own.at(-1)?.at ?? 0;
	const slow = Array.from({length: count < 3 ? 0 : count}, (_, index) => index).flatMap(index => {
		const fast = own.findLastIndex(({gpus = []}) => !isBehind(gpus, index));
		const since = own[fast + 1]?.at ?? last;
		if (last - since < BEHIND_MS) return [];
		const {own: util = 0, others = 0} = besideOthers(own.at(-1)?.gpus ?? [], index);
		const minutes = Math.round((last - since) / MINUTE_MS);
		return [[index, {own: util, others, minutes}] as const];
	});
	return new Map(slow);
}

function isBehind(gpus: readonly GpuUse[], index: number): boolean {
	const {own, others} = besideOthers(gpus, index);
	return others !== undefined && own !== undefined && own <= others - BEHIND;
}

function besideOthers(gpus: readonly GpuUse[], index: number) {
	const others = gpus.flatMap(({util}, at) => (at === index || util === undefined ? [] : [util]));
	return {own: gpus[index]?.util, others: median(others)};
}

/** Index of the bucket that the cursor is in; undefined if it is in none of the window. */
export function bucketAtCursor(window: Window, at: number | undefined): number | undefined {
	if (at === undefined) return undefined;
	const index = indexOf(window, at);
	return index >= 0 && index < window.count ? index : undefined;
}

/** The moment that the cursor reads after a step from bucket to bucket. */
export function stepped(window: Window, at: number | undefined, step: number, now: number): number {
	const present = indexOf(window, now);
	const from = bucketAtCursor(window, at) ?? present;
	return bucketStartOf(window, Math.max(0, Math.min(from + step, present)));
}
