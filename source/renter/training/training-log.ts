/** Steps of a training run, read from its log by repeated reads. */
import {newLines} from '../text/new-lines.ts';
import {timeIn} from '../text/log-times.ts';
import type {OwnPattern} from './own-patterns.ts';
import {
	readEpochHeading,
	readStepLine,
	type EpochHeading,
	type StepLine,
	type TimedLine,
} from './step-line.ts';

export type TrainingStep = {
	readonly step: number;
	readonly loss: number;
	/** Learning rate. */
	readonly rate: number | undefined;
	/** Milliseconds since 1970; undefined if the time of the step is unknown. */
	readonly at: number | undefined;
};

export type Training = {
	readonly steps: readonly TrainingStep[];
	/** Highest step that was named, even without a loss. */
	readonly step: number | undefined;
	readonly of: number | undefined;
	readonly rate: number | undefined;
	readonly tokensPerSecond: number | undefined;
	readonly gradient: number | undefined;
	/** Seconds between steps, as measured, else as the log says. */
	readonly secondsPerStep: number | undefined;
	/** Milliseconds between lines with a step; undefined before two of them. */
	readonly everyMs: number | undefined;
	/** Time of the last line with a step; undefined if unknown. */
	readonly lastStepAt: number | undefined;
	readonly checkpoint:
		| {readonly step: number | undefined; readonly at: number | undefined}
		| undefined;
	/** Step from which a restarted run went back. */
	readonly restartedFrom: number | undefined;
	/**
	 * Source of `step` and `of`: a pattern of the user's, lines that name a step, progress bars between
	 * losses, or progress bars alone, which may be of a download; undefined if losses are counted.
	 */
	readonly position: 'own' | 'named' | 'bar of losses' | 'bar' | undefined;
	/** Last heading of an epoch. */
	readonly heading: EpochHeading | undefined;
	readonly isEvaluating: boolean;
	/** True if the log says so in words. */
	readonly isDone: boolean;
	/** True if a bar of something else came later. */
	readonly isFollowed: boolean;
	readonly lines: number;
	/** True if its steps are from TensorBoard's event files. */
	readonly isOfEvents?: true;
};

type Facts = Omit<Training, 'steps'>;

/** Most steps that are kept: beyond it, every second of the older ones is dropped. */
const MOST_STEPS = 4096;

const unread: Facts = {
	step: undefined,
	of: undefined,
	rate: undefined,
	tokensPerSecond: undefined,
	gradient: undefined,
	secondsPerStep: undefined,
	everyMs: undefined,
	lastStepAt: undefined,
	checkpoint: undefined,
	restartedFrom: undefined,
	position: undefined,
	heading: undefined,
	isEvaluating: false,
	isDone: false,
	isFollowed: false,
	lines: 0,
};

/** Reader of the last lines of a log, called at each read. @param own the user's own patterns */
export function openTrainingLog(
	own: readonly OwnPattern[] = [],
): (lines: readonly string[], readAt: number) => Training {
	let previous: readonly string[] = [];
	let isFirst = true;
	const add = openTraining();
	return (lines, readAt) => {
		const fresh = newLines(previous, lines);
		previous = lines;
		const parsed = fresh.flatMap(text => {
			const line = readStepLine(text, own);
			const heading = readEpochHeading(text);
			// Lines of the first read were written at an unknown time.
			const at = timeIn(text) ?? (isFirst ? undefined : readAt);
			return line === undefined && heading === undefined ? [] : [{...line, heading, at}];
		});
		isFirst = false;
		return add(parsed, fresh.length);
	};
}

/** A training run, built from its figures as they arrive. */
export function openTraining(): (added: readonly TimedLine[], lines: number) => Training {
	// Steps grow in place: a copy at each line would cost the square of their count.
	const steps: TrainingStep[] = [];
	let facts: Facts = unread;
	return (added, lines) => {
		for (const line of added) facts = withLine(facts, steps, line);
		const shown = [...steps];
		const {secondsPerStep} = facts;
		const pace = paceOf({steps: shown, secondsPerStep});
		facts = {...facts, lines: facts.lines + lines, ...pace};
		return {...facts, steps: shown};
	};
}

function withLine(known: Facts, steps: TrainingStep[], line: TimedLine): Facts {
	const {isCheckpoint = false, isDone = false, isEvaluation = false, heading, at} = line;
	const facts = heading === undefined ? known : {...known, heading};
	if (isCheckpoint) return {...facts, checkpoint: {step: line.step ?? facts.step, at}};
	if (isDone || isEvaluation)
		return {...facts, isDone, isEvaluating: isEvaluation, isFollowed: false};
	if (line.step === undefined && line.loss === undefined) return facts;
	return isBarOfOther(facts, line)
		? {...facts, isFollowed: true}
		: withStep(positioned(facts, line), steps, line);
}

/** True for bars of evaluations and downloads, which tell nothing about the steps. */
function isBarOfOther({of, position}: Facts, line: StepLine): boolean {
	if (line.loss !== undefined || line.of === of || position === 'bar') return false;
	return line.isBar === true ? position !== undefined : of !== undefined;
}

/** Facts with the source of a line's position; that of a bar that turns out to be no run's is left. */
function positioned(facts: Facts, line: StepLine): Facts {
	const {isBar = false, step} = line;
	const {position, step: known = 0, of = 0} = facts;
	if (isBar) return position === undefined ? {...facts, position: 'bar'} : facts;
	if (step === undefined && position !== 'bar') return facts;
	// A bar that is full before the first loss is of a download, or of one epoch.
	if (step === undefined && known < of) return {...facts, position: 'bar of losses'};
	const next = step === undefined ? undefined : namedBy(line);
	return position === 'bar'
		? {...facts, step: undefined, of: undefined, position: next}
		: {...facts, position: next};
}

const namedBy = ({isOwn = false}: StepLine) => (isOwn ? 'own' : 'named');

function withStep(facts: Facts, steps: TrainingStep[], {at, ...line}: TimedLine): Facts {
	const {loss, rate, step = facts.step ?? steps.length} = line;
	const isBack = isStepBack(facts, step);
	if (isBack) while ((steps.at(-1)?.step ?? -1) >= step) steps.pop();
	if (loss !== undefined) steps.push({step, loss, rate, at});
	if (steps.length > MOST_STEPS) thin(steps);
	const figures = Object.entries(line).filter(([, figure]) => figure !== undefined);
	return {
		...facts,
		...Object.fromEntries(figures.filter(([name]) => figureNames.has(name))),
		step,
		lastStepAt: at ?? facts.lastStepAt,
		restartedFrom: isBack ? facts.step : facts.restartedFrom,
		isDone: false,
		isEvaluating: false,
	};
}

/** True for a step before the last one. Bars alone begin anew with each epoch. */
const isStepBack = ({position, step: last = 0}: Facts, step: number) =>
	position !== 'bar' && step < last;

const figureNames: ReadonlySet<string> = new Set([
	'of',
	'rate',
	'tokensPerSecond',
	'gradient',
	'secondsPerStep',
]);

/** True if the steps that the log counts are all made. */
export function isCountFull({step, of, position, heading}: Training): boolean {
	if (step === undefined || of === undefined || step < of || position === 'bar') return false;
	return heading === undefined || (heading.of !== undefined && heading.epoch >= heading.of);
}

/** Leaves out every second step of the older half. */
function thin(steps: TrainingStep[]): void {
	const half = Math.floor(steps.length / 2);
	const older = steps.splice(0, half).filter((_, at) => at % 2 === 0);
	steps.unshift(...older);
}

/** Pace of the last steps with known times. */
function paceOf({
	steps,
	secondsPerStep,
}: Pick<Training, 'steps' | 'secondsPerStep'>): Partial<Facts> {
	const timed = steps.slice(-100).filter(({at}) => at !== undefined);
	const moments = timed.filter(({at}, index) => at !== timed[index + 1]?.at);
	const [first, last] = [moments[0], moments.at(-1)];
	if (first?.at === undefined || last?.at === undefined || last.step <= first.step) return {};
	const ms = last.at - first.at;
	const each = ms / 1000 / (last.step - first.step);
	const gaps = timed.slice(1).map(({step}, at) => step - (timed[at]?.step ?? step));
	const gap = median(gaps.filter(one => one > 0)) ?? 1;
	return ms <= 0 ? {secondsPerStep} : {secondsPerStep: each, everyMs: each * 1000 * gap};
}

function median(numbers: readonly number[]): number | undefined {
	return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
