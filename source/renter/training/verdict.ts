/** Verdict on whether a run is learning, from its log and the usage of its GPUs. */
import {isCountFull, type TrainingStep, type Training} from './training-log.ts';

/** Verdicts, with the attention that they need: none, a check, or help. */
export const trainingVerdicts = {
	LEARNING: 'fine',
	STARTING: 'fine',
	EVALUATING: 'fine',
	DONE: 'fine',
	'NO RUN': 'fine',
	FLAT: 'warning',
	IDLE: 'warning',
	RISING: 'danger',
	NAN: 'alarm',
	SILENT: 'alarm',
	'BUSY NO STEP': 'alarm',
} as const;

export type TrainingVerdict = keyof typeof trainingVerdicts;

type Evidence = {
	readonly training: Training;
	readonly now: number;
	/** Time of the first read. */
	readonly since: number;
	/** Percent of the GPUs that is used; undefined if the service says nothing. */
	readonly use: number | undefined;
	readonly isRunning: boolean;
};

const FEWEST_STEPS = 20;
/** Line intervals after which a run counts as silent, and the least time, which may be a pause. */
const SILENT_LINES = 12;
const SILENT_MS = 30_000;
/** Percentages of usage below which a GPU is idle, and above which it is busy. */
const IDLE_USE = 3;
const BUSY_USE = 50;

export function judgeTraining(evidence: Evidence): TrainingVerdict {
	const {training, isRunning} = evidence;
	const {steps, step} = training;
	if (training.isDone) return 'DONE';
	if (step === undefined) return 'NO RUN';
	if (isCountFull(training)) return 'DONE';
	if (Number.isNaN(steps.at(-1)?.loss)) return 'NAN';
	if (!isRunning) return 'SILENT';
	if (training.isEvaluating) return 'EVALUATING';
	if (isSilent(evidence)) return silentVerdict(evidence.use);
	return steps.length < FEWEST_STEPS ? 'STARTING' : directionOf(steps);
}

function isSilent({training: {lastStepAt, everyMs = SILENT_MS}, now, since}: Evidence): boolean {
	return now - (lastStepAt ?? since) > Math.max(SILENT_MS, SILENT_LINES * everyMs);
}

function silentVerdict(use: number | undefined): TrainingVerdict {
	if (use === undefined) return 'SILENT';
	if (use > BUSY_USE) return 'BUSY NO STEP';
	return use < IDLE_USE ? 'IDLE' : 'SILENT';
}

/** Direction of the mean loss over the last twentieths of all steps. */
function directionOf(steps: readonly TrainingStep[]): TrainingVerdict {
	const size = Math.max(5, Math.round(steps.length / 20));
	const part = (back: number) => {
		const end = steps.length - back * size;
		return summary(steps.slice(Math.max(0, end - size), end).map(({loss}) => loss));
	};
	const [now, before, earlier] = [part(0), part(1), part(2)];
	const noise = Math.hypot(now.error, before.error);
	if (now.mean < before.mean - noise) return 'LEARNING';
	const rise = now.mean - earlier.mean;
	const isRising = now.mean > before.mean && before.mean > earlier.mean;
	if (isRising && rise > 2 * Math.hypot(now.error, earlier.error)) return 'RISING';
	const [first, last] = [steps.at(-3 * size) ?? steps[0], steps.at(-1)];
	const isDecaying = (last?.rate ?? Infinity) < (first?.rate ?? -Infinity);
	return isDecaying && now.mean < before.mean + noise ? 'LEARNING' : 'FLAT';
}

/** Mean of some figures, and its possible error. */
function summary(figures: readonly number[]): {readonly mean: number; readonly error: number} {
	const finite = figures.filter(Number.isFinite);
	const mean = finite.reduce((sum, one) => sum + one, 0) / finite.length;
	const spread = finite.reduce((sum, one) => sum + (one - mean) ** 2, 0) / finite.length;
	return {mean, error: Math.sqrt(spread / finite.length)};
}

/** Verdict of two reads that agree: one alone may fall into a pause. */
export function openVerdict(): (evidence: Evidence) => {
	readonly verdict: TrainingVerdict;
	/** True if the previous read said the same. */
	readonly isAgreed: boolean;
} {
	let shown: TrainingVerdict | undefined;
	let last: TrainingVerdict | undefined;
	return evidence => {
		const now = judgeTraining(evidence);
		const isAgreed = now === last;
		if (shown === undefined || isAgreed || trainingVerdicts[now] === 'fine') shown = now;
		last = now;
		return {verdict: shown, isAgreed: isAgreed && shown === now};
	};
}

export type Rest = {
	readonly seconds: number;
	readonly dollars: number;
};

/** Rest of a run: its time, and its cost at the present price; undefined while unknown. */
export function restOf(training: Training, perHour: number): Rest | undefined {
	const {of, step, secondsPerStep, steps} = training;
	if (of === undefined || step === undefined || secondsPerStep === undefined) return undefined;
	const isOver = step >= of || Number.isNaN(steps.at(-1)?.loss);
	if (steps.length < FEWEST_STEPS || isOver) return undefined;
	const seconds = (of - step) * secondsPerStep;
	return {seconds, dollars: (seconds * perHour) / 3600};
}
