/**
 * Usage of instances over time, on disk: lines that several programs append, a minute or more
 * apart. It needs no extra requests: it only uses polled lists, and samples of a page about GPUs.
 */
import {appendLine, readFileLines} from '../../client/files/line-file.ts';
import {fieldsOf, listOf, parseJson} from '../../contract/grammar/json.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {Fleet} from '../fleet/fleet.ts';
import {createStore, type Readable, type Store} from '../state/store.ts';
import type {Timers} from '../state/timers.ts';
import {type Valued} from './buckets.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

/** Figures of a machine in the order of a line: percent, degrees Celsius and GB. */
const figures = ['util', 'heat', 'memory', 'cpu', 'ram', 'disk'] as const;
/** Figures of a GPU: percent, GB, degrees Celsius, watts, and its total GB and watts. */
const gpuFigures = ['util', 'memory', 'heat', 'power', 'memoryAll', 'powerLimit'] as const;

type Figures<Name extends string> = Readonly<Partial<Record<Name, number>>>;
export type MachineUse = Figures<(typeof figures)[number]>;
export type GpuUse = Figures<(typeof gpuFigures)[number]>;

/** A sample at a moment, on this machine's clock: of the machine, or of each of its GPUs. */
export type UseSample = {
	readonly at: number;
	readonly machine?: MachineUse;
	readonly gpus?: readonly GpuUse[];
};

export type UseHistory = {
	/** Records usage from a list of instances, and their total cost an hour. */
	readonly noteList: (instances: readonly Instance[], at: number, burn?: BurnRates) => void;
	/** Records the GPUs of an instance, in the order of their numbers. */
	readonly noteGpus: (id: number, gpus: readonly GpuUse[], at: number) => void;
	/** Samples of an instance in the order of their times, including those before this start. */
	readonly follow: (
		id: number,
		now: number,
	) => {readonly samples: Readable<readonly UseSample[]>; readonly stop: () => void};
	/** Samples of all instances, including those before this start. */
	readonly followAll: (now: number) => {
		readonly samples: Readable<FleetUseHistory>;
		readonly stop: () => void;
	};
	readonly settle: () => Promise<void>;
};

/** Dollars an hour: at present, and at most. */
type BurnRates = {readonly now: number; readonly atMost: number};

export type FleetUseHistory = {
	/** Percent of the GPUs that was used, by instance, in the order of times. */
	readonly use: ReadonlyMap<number, readonly Valued[]>;
	readonly burn: ReadonlyArray<BurnRates & {readonly at: number}>;
	/** The last samples of each GPU of instances that have several, in the order of times. */
	readonly gpus: ReadonlyMap<number, readonly UseSample[]>;
};

/**
 * Write interval: a line a minute is enough to show a week, although lists come every few seconds.
 */
const EVERY_MS = 60_000;
/** Longest time that is shown. */
const KEPT_MS = 7 * DAY_MS;
/** Size limit, enough for four instances over a month; the rotated file holds as much again. */
const LONGEST_BYTES = 4 * 1024 * 1024;
/** Most instances in a line: a service that invents instances must not fill the disk in an hour. */
const MOST_INSTANCES = 256;
/** Most samples of one instance in memory. */
const MOST_SAMPLES = 20_000;
/** Samples of a day, if all instances are shown together. */
const MOST_OF_DAY = 1440;

/** @param file undefined to store nothing on disk */
export function openUseHistory(file: string | undefined, longest = LONGEST_BYTES): UseHistory {
	const followed = new Map<number, Set<Store<readonly UseSample[]>>>();
	const fleets = new Set<Store<FleetUseHistory>>();
	let written = Number.NEGATIVE_INFINITY;
	/** The last list, for pages that are opened after it. */
	let latest = new Map<number, UseSample>();
	let writing = Promise.resolve();

	function add(id: number, sample: UseSample): void {
		for (const store of followed.get(id) ?? []) {
			store.set([...store.get(), sample].slice(-MOST_SAMPLES));
		}
	}

	function write(line: unknown): void {
		if (file === undefined) return;
		// A line that cannot be written is remembered until the program ends.
		writing = writing
			.then(async () => appendLine(file, JSON.stringify(line), longest))
			.catch(() => undefined);
	}

	return {
		noteList(instances, at, burn) {
			const running = instances.filter(({actual_status: status}) => status === 'running');
			const all = running.map(instance => [instance.id, useOf(instance)] as const);
			latest = new Map(all.map(([id, machine]) => [id, {at, machine}]));
			for (const [id, look] of latest) add(id, look);
			// A stopped instance has no use, but still a cost.
			const isAny = all.length > 0 || (burn !== undefined && instances.length > 0);
			if (!isAny || Math.abs(at - written) < EVERY_MS) return;
			written = at;
			const use = all
				.slice(0, MOST_INSTANCES)
				.map(([id, machine]) => [id, ...figures.map(name => short(machine[name]))]);
			const line = {at, use, ...(burn !== undefined && {burn: [burn.now, burn.atMost].map(mills)})};
			for (const fleet of fleets) fleet.set(withLine(fleet.get(), line));
			write(line);
		},
		noteGpus(id, gpus, at) {
			add(id, {at, gpus});
			for (const fleet of fleets) fleet.set(withGpus(fleet.get(), id, {at, gpus}));
			write({at, gpus: [id, ...gpus.map(gpu => gpuFigures.map(name => short(gpu[name])))]});
		},
		follow(id, now) {
			const before = file === undefined ? [] : readSamples(file, id, now);
			const last = latest.get(id);
			const isNew = last !== undefined && last.at > (before.at(-1)?.at ?? 0);
			const samples = createStore<readonly UseSample[]>(isNew ? [...before, last] : before);
			const all = followed.getOrInsertComputed(id, () => new Set());
			all.add(samples);
			return {samples, stop: () => void all.delete(samples)};
		},
		followAll(now) {
			const samples = createStore(file === undefined ? noFleetSamples : readFleet(file, now));
			fleets.add(samples);
			return {samples, stop: () => void fleets.delete(samples)};
		},
		settle: async () => writing,
	};
}

const noFleetSamples: FleetUseHistory = {use: new Map(), burn: [], gpus: new Map()};

type UseOptions = {
	readonly fleet: Pick<Fleet, 'state' | 'noteKeptUse'>;
	readonly use: UseHistory;
	readonly timers: Timers;
};

/**
 * Records the usage in lists while a fleet is watched. After the first list, the fleet gets the
 * stored history.
 */
export function followUse({
	fleet: {state, noteKeptUse},
	use: history,
	timers: {now, after},
}: UseOptions): () => void {
	let readAt: number | undefined;
	function recall(): void {
		const {samples, stop} = history.followAll(now());
		stop();
		noteKeptUse(samples.get());
	}
	return state.subscribe(() => {
		const {rows, checkedAt, error, burn} = state.get();
		if (checkedAt === undefined || checkedAt === readAt || error !== undefined) return;
		// Draw the list first: a file must not delay it.
		if (readAt === undefined && rows.length > 0) after(0, recall);
		readAt = checkedAt;
		const listed = rows.filter(
			({observation: {missed}, isLastKnown}) => missed === 0 && !isLastKnown,
		);
		history.noteList(
			listed.map(({instance}) => instance),
			checkedAt,
			burn,
		);
	});
}

/** Usage of an instance; services send -1 for unknown values. */
function useOf(instance: Instance): MachineUse {
	const reported = {
		util: instance.gpu_util,
		heat: instance.gpu_temp,
		memory: instance.vmem_usage,
		cpu: instance.cpu_util,
		ram: instance.mem_usage,
		disk: instance.disk_usage,
	};
	return named(
		figures,
		figures.map(name => ((reported[name] ?? -1) < 0 ? undefined : reported[name])),
	);
}

function short(value: number | undefined): number | null {
	return value === undefined ? null : Math.round(value * 10) / 10;
}

/** Samples of an instance within the longest time before now, without unreadable lines. */
function readSamples(file: string, id: number, now: number): readonly UseSample[] {
	return linesIn(file)
		.filter(line => line.includes(`[${id},`))
		.flatMap(line => readSample(line, id))
		.filter(({at}) => at > now - KEPT_MS && at <= now)
		.toSorted((a, b) => a.at - b.at)
		.slice(-MOST_SAMPLES);
}

function mills(dollars: number): number {
	return Math.round(dollars * 1000) / 1000;
}

/** Time for which samples of each GPU of all instances are shown together. */
const GPUS_MS = 30 * 60_000;

function withGpus(before: FleetUseHistory, id: number, sample: UseSample): FleetUseHistory {
	const samples = [...(before.gpus.get(id) ?? []), sample].filter(
		({at}) => at > sample.at - GPUS_MS,
	);
	return {...before, gpus: new Map(before.gpus).set(id, samples)};
}

/** Samples of all instances within a day before now. */
function readFleet(file: string, now: number): FleetUseHistory {
	const use = new Map<number, Valued[]>();
	const gpus = new Map<number, UseSample[]>();
	const burn: Array<FleetUseHistory['burn'][number]> = [];
	for (const text of linesIn(file)) {
		const at = Number.parseInt(text.slice('{"at":'.length), 10);
		if (!(at > now - DAY_MS && at <= now)) continue;
		if (text.includes('"gpus":')) {
			if (at > now - GPUS_MS) noteGpuLine(gpus, text);
			continue;
		}
		const line = readFleetLine(fieldsOf(parseJson(text)));
		for (const [id, look] of line.use) use.getOrInsertComputed(id, () => []).push(look);
		burn.push(...line.burn);
	}
	return {use, burn, gpus};
}

function noteGpuLine(gpus: Map<number, UseSample[]>, text: string): void {
	const [id] = listOf(fieldsOf(parseJson(text))['gpus']);
	if (typeof id !== 'number') return;
	gpus.getOrInsertComputed(id, () => []).push(...readSample(text, id));
}

function withLine(
	before: FleetUseHistory,
	fields: Readonly<Record<string, unknown>>,
): FleetUseHistory {
	const line = readFleetLine(fields);
	const use = new Map(before.use);
	for (const [id, look] of line.use)
		use.set(id, [...(use.get(id) ?? []), look].slice(-MOST_OF_DAY));
	return {...before, use, burn: [...before.burn, ...line.burn].slice(-MOST_OF_DAY)};
}

/** Usage and cost in a line, without unreadable parts. */
function readFleetLine({at, use, burn}: Readonly<Record<string, unknown>>) {
	if (typeof at !== 'number') return {use: [], burn: []};
	const samples = listOf(use).flatMap((row): ReadonlyArray<readonly [id: number, look: Valued]> => {
		const [id, value] = listOf(row);
		if (typeof id !== 'number') return [];
		return [[id, {at, value: typeof value === 'number' ? value : undefined}]];
	});
	const [now, atMost] = listOf(burn);
	const isBurn = typeof now === 'number' && typeof atMost === 'number';
	return {use: samples, burn: isBurn ? [{at, now, atMost}] : []};
}

function linesIn(file: string): readonly string[] {
	try {
		return readFileLines(file);
	} catch {
		// Without the file, the history restarts.
		return [];
	}
}

function readSample(line: string, id: number): readonly UseSample[] {
	const {at, use, gpus} = fieldsOf(parseJson(line));
	if (typeof at !== 'number') return [];
	const [of, ...rows] = listOf(gpus);
	if (of === id) return [{at, gpus: rows.map(row => named(gpuFigures, listOf(row)))}];
	const machine = listOf(use).find(row => listOf(row)[0] === id);
	return machine === undefined ? [] : [{at, machine: named(figures, listOf(machine).slice(1))}];
}

function named<Name extends string>(
	names: readonly Name[],
	values: readonly unknown[],
): Figures<Name> {
	const known = names.flatMap((name, at) => {
		const value = values[at];
		return typeof value === 'number' && Number.isFinite(value) ? [[name, value] as const] : [];
	});
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the figures
	return Object.fromEntries(known) as Figures<Name>;
}
