/** Verdict of whether a run is learning, from its log and the use of its GPUs. */
import type {TrainingStep, Training} from './training-log.ts';

/** Verdicts, with how much they want somebody: nothing, a look, or help. */
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
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Moment of the first look. */
	readonly since: number;
	/** Percent of the GPUs that is used; undefined where the service says nothing. */
	readonly use: number | undefined;
	readonly isRunning: boolean;
};

/** Fewer steps than these show no direction. */
const FEWEST_STEPS = 20;
/** A run is silent after so many times from one line to the next, and not before a time that may be a pause. */
const SILENT_LINES = 12;
const SILENT_MS = 30_000;
/** Percent of use below which a GPU does nothing, and above which it works. */
const IDLE_USE = 3;
const BUSY_USE = 50;

export function judgeTraining(evidence: Evidence): TrainingVerdict {
	const {training, isRunning} = evidence;
	const {steps, step, of = Infinity} = training;
	if (training.isDone) return 'DONE';
	if (step === undefined) return 'NO RUN';
	if (step >= of) return 'DONE';
	if (Number.isNaN(steps.at(-1)?.loss)) return 'NAN';
	if (!isRunning) return 'SILENT';
	if (training.isEvaluating) return 'EVALUATING';
	if (isSilent(evidence)) return silentVerdict(evidence.use);
	return steps.length < FEWEST_STEPS ? 'STARTING' : directionOf(steps);
}

function isSilent({training: {heardAt, everyMs = SILENT_MS}, now, since}: Evidence): boolean {
	return now - (heardAt ?? since) > Math.max(SILENT_MS, SILENT_LINES * everyMs);
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

/** Mean of some figures, and by how much it may be off. */
function summary(figures: readonly number[]): {readonly mean: number; readonly error: number} {
	const finite = figures.filter(Number.isFinite);
	const mean = finite.reduce((sum, one) => sum + one, 0) / finite.length;
	const spread = finite.reduce((sum, one) => sum + (one - mean) ** 2, 0) / finite.length;
	return {mean, error: Math.sqrt(spread / finite.length)};
}

/** Verdict of two looks that agree: one look alone may fall into a pause. */
export function openVerdict(): (evidence: Evidence) => {
	readonly verdict: TrainingVerdict;
	/** The look before said the same. */
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

/** Rest of a run: its time, and what that costs at the present price; undefined while unknown. */
export function restOf(training: Training, perHour: number): Rest | undefined {
	const {of, step, secondsPerStep, steps} = training;
	if (of === undefined || step === undefined || secondsPerStep === undefined) return undefined;
	const isOver = step >= of || Number.isNaN(steps.at(-1)?.loss);
	if (steps.length < FEWEST_STEPS || isOver) return undefined;
	const seconds = (of - step) * secondsPerStep;
	return {seconds, dollars: (seconds * perHour) / 3600};
}
