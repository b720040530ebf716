/**
 * Runs of instances, stored on disk for a month: consoles and guards append the steps that they
 * read to one file, and a run outlives its instance there.
 */
import {appendLine, readFileLines} from '../../client/files/line-file.ts';
import {fieldsOf, listOf, parseJson} from '../../contract/grammar/json.ts';
import type {RunReading} from './run-reading.ts';
import type {TrainingStep} from './training-log.ts';
import {DAY_MS} from '../../contract/rules/durations.ts';

export type KeptRun = {
	/** Number of its instance. */
	readonly id: number;
	readonly label: string;
	/** Moment of the last step that was read, in milliseconds since 1970. */
	readonly at: number;
	readonly of: number | undefined;
	readonly steps: readonly TrainingStep[];
};

export type RunBook = {
	/** Records the steps that are new since the last read. Never fails. */
	readonly note: (id: number, label: string, reading: RunReading, at: number) => Promise<void>;
	/** The runs of the last month, the latest first. */
	readonly runs: (now: number) => readonly KeptRun[];
};

const KEPT_MS = 30 * DAY_MS;
/** Size limit, some hundred thousand steps; the rotated file holds as many again. */
const LONGEST_BYTES = 4 * 1024 * 1024;
/** Most points of a run, as in memory. */
const MOST_STEPS = 4096;
/** Steps in a line: a line is one write. */
const MOST_IN_LINE = 500;
const LONGEST_LABEL = 100;

/** @param file undefined to store nothing on disk */
export function openRunBook(file: string | undefined, longest = LONGEST_BYTES): RunBook {
	/** The last step of each run in the file, as far as known here. */
	let noted: Map<number, number> | undefined;
	return {
		async note(id, label, {training}, at) {
			const {steps, of} = training;
			if (file === undefined) return;
			noted ??= new Map(readRuns(file, at).map(run => [run.id, run.steps.at(-1)?.step ?? -1]));
			const before = noted.get(id) ?? -1;
			const last = steps.at(-1)?.step ?? -1;
			if (last === before) return;
			noted.set(id, last);
			const isBack = last < before;
			const fresh = isBack ? steps : steps.filter(({step}) => step > before);
			const name = {at, run: id, label: label.slice(0, LONGEST_LABEL), of};
			for (const line of linesOf(fresh, isBack)) {
				const text = JSON.stringify({...name, ...line});
				// oxlint-disable-next-line no-await-in-loop -- lines in their order
				await appendLine(file, text, longest).catch(() => undefined);
			}
		},
		runs: now => (file === undefined ? [] : readRuns(file, now)),
	};
}

/** Steps in parts; if a run went back, the steps recorded from there on belong to another run. */
function linesOf(steps: readonly TrainingStep[], isBack: boolean): readonly object[] {
	return Array.from({length: Math.ceil(steps.length / MOST_IN_LINE)}, (_, part) => {
		const some = steps.slice(part * MOST_IN_LINE, (part + 1) * MOST_IN_LINE);
		return {
			...(isBack && part === 0 && {back: some[0]?.step}),
			steps: some.map(({step, loss, rate = null, at = null}) => [step, short(loss), rate, at]),
		};
	});
}

/** Loss as JSON, which has no NaN. */
const short = (loss: number) => (Number.isNaN(loss) ? null : Number(loss.toPrecision(6)));

type Growing = Omit<KeptRun, 'steps'> & {readonly steps: Map<number, TrainingStep>};

function readRuns(file: string, now: number): readonly KeptRun[] {
	const runs = new Map<number, Growing>();
	for (const text of linesIn(file)) addLine(runs, text, now);
	return [...runs.values()]
		.map(({steps, ...run}) => ({...run, steps: thinned(steps)}))
		.filter(({steps}) => steps.length > 0)
		.toSorted((a, b) => b.at - a.at);
}

/** Adds a line; an unreadable one is skipped. */
function addLine(runs: Map<number, Growing>, text: string, now: number): void {
	const {at, run: id, label, of, back, steps} = fieldsOf(parseJson(text));
	if (typeof id !== 'number' || typeof at !== 'number' || !(at > now - KEPT_MS && at <= now))
		return;
	const before = runs.get(id)?.steps ?? new Map<number, TrainingStep>();
	if (typeof back === 'number') {
		for (const step of before.keys()) if (step >= back) before.delete(step);
	}
	for (const step of listOf(steps).flatMap(readStep)) before.set(step.step, step);
	runs.set(id, {id, at, label: textOf(label), of: numberOf(of), steps: before});
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

function readStep(value: unknown): readonly TrainingStep[] {
	const [step, loss, rate, at] = listOf(value);
	if (typeof step !== 'number' || (typeof loss !== 'number' && loss !== null)) return [];
	return [
		{
			step,
			loss: loss ?? Number.NaN,
			rate: numberOf(rate),
			at: numberOf(at),
		},
	];
}

/** Steps in their order, evenly thinned to the limit. */
function thinned(steps: ReadonlyMap<number, TrainingStep>): readonly TrainingStep[] {
	const sorted = [...steps.values()].toSorted((a, b) => a.step - b.step);
	const each = Math.ceil(sorted.length / MOST_STEPS);
	return sorted.filter((_, index) => (sorted.length - 1 - index) % each === 0);
}

function linesIn(file: string): readonly string[] {
	try {
		return readFileLines(file);
	} catch {
		return [];
	}
}
