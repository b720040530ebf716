import type {RunReading} from '../../../../renter/training/run-reading.ts';
import type {ComparedRun} from '../../../../renter/training/compared-runs.ts';
import type {KeptRun} from '../../../../renter/training/kept-runs.ts';
import type {TrainingStep} from '../../../../renter/training/training-log.ts';
import {createStore} from '../../../../renter/state/store.ts';
import {keptByStackEntry} from '../../../services/router.ts';
import {roundStep} from '../../../ui/graph.ts';
import type {ScaleKind} from '../../../ui/log-scale.ts';

export type LearningState = {
	/** The step that the cursor reads; undefined if it follows the last one. */
	readonly at: number | undefined;
	/** How often the range was halved. */
	readonly zoom: number;
	/** Steps of which a point of the curve is the mean. */
	readonly smooth: number;
	readonly series: 'loss' | 'rate';
	readonly scale: ScaleKind;
	/** Numbers of the instances whose runs are laid over it. */
	readonly over: readonly number[];
	/** Runs of the last month, as they were kept when runs were chosen. */
	readonly known: readonly KeptRun[];
	/** Page in place of the curves; undefined for those. */
	readonly instead?: 'numbers' | 'pattern' | undefined;
	/** The run that the cursor is on where runs are chosen; undefined if curves are shown. */
	readonly choosing: number | undefined;
	readonly reading: RunReading | undefined;
	/** Reason why the log could not be read. */
	readonly failure: string | undefined;
};

export const usualLearning: LearningState = {
	at: undefined,
	zoom: 0,
	smooth: 20,
	series: 'loss',
	scale: 'linear',
	over: [],
	known: [],
	choosing: undefined,
	reading: undefined,
	failure: undefined,
};

export const learningAt = keptByStackEntry(() => createStore(usualLearning));

export const MOST_ZOOM = 6;
/** Least and most steps of a mean. */
export const smooths = {least: 1, most: 320} as const;

/** Steps from the left edge of the graph to the right one. */
export type Range = {readonly from: number; readonly to: number};

/** All of the run where its end is known, or the last halves of it. */
export function rangeOf(
	{training}: RunReading,
	zoom: number,
	over: ReadonlyArray<Pick<ComparedRun, 'steps'>> = [],
): Range {
	const own = training.step ?? 1;
	const last = zoom > 0 ? own : Math.max(own, ...over.map(({steps}) => steps.at(-1)?.step ?? 0));
	const round = Math.ceil(last / roundStep(last / 4)) * roundStep(last / 4);
	const to = zoom > 0 ? last : Math.max(last, training.of ?? round);
	return {from: zoom === 0 ? 0 : Math.floor(last - last / 2 ** zoom), to: Math.max(1, to)};
}

/** Values of steps as they are, and as means of so many. */
export function seriesOf(steps: readonly TrainingStep[], {series, smooth}: LearningState) {
	const raw = steps.map(one => one[series]);
	let sum = 0;
	const waiting: number[] = [];
	const means = raw.map(value => {
		if (value === undefined || !Number.isFinite(value)) return undefined;
		sum += value;
		waiting.push(value);
		if (waiting.length > smooth) sum -= waiting.shift() ?? 0;
		return sum / waiting.length;
	});
	return {raw: raw.map(value => (Number.isFinite(value) ? value : undefined)), means};
}

/** The last value in each of so many equal parts of a range. */
export function placed(
	steps: readonly TrainingStep[],
	values: ReadonlyArray<number | undefined>,
	{from, to}: Range,
	count: number,
): ReadonlyArray<number | undefined> {
	const parts: Array<number | undefined> = Array.from({length: count}, () => undefined);
	for (const [index, {step}] of steps.entries()) {
		const at = Math.floor(((step - from) / (to - from)) * (count - 1));
		if (at >= 0 && at < count) parts[at] = values[index] ?? parts[at];
	}
	return bridged(parts);
}

/** Parts between two that have a value, where fewer steps are written than can be drawn. */
function bridged(parts: ReadonlyArray<number | undefined>): ReadonlyArray<number | undefined> {
	const known = parts.flatMap((value, at) => (value === undefined ? [] : [at]));
	const filled = [...parts];
	for (const [index, at] of known.entries()) {
		const next = known[index + 1];
		if (next === undefined) break;
		const [low = 0, high = 0] = [parts[at], parts[next]];
		for (let between = at + 1; between < next; between++)
			filled[between] = low + ((high - low) * (between - at)) / (next - at);
	}
	return filled;
}

/** The cursor's step after a move by so many steps to a side. */
export function stepRead(
	steps: readonly TrainingStep[],
	at: number | undefined,
	by: number,
): number | undefined {
	const index = at === undefined ? steps.length - 1 : steps.findLastIndex(({step}) => step <= at);
	const next = index + by;
	return next >= steps.length - 1 ? undefined : steps[Math.max(0, next)]?.step;
}
