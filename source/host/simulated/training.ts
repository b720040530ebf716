/** Training output of simulated instances: most runs go well, and a few fail as real ones do. */
import {randomOf} from './script.ts';

export type OutputLine = {readonly at: number; readonly text: string};

/** Seconds from one line to the next. */
const EVERY_SECONDS = 3;
/** Most lines of it in a log, even after weeks. */
const MOST_LINES = 2000;
const LINES = 1200;
/** Pause between runs, in lines, so that a finished run can be seen. */
const REST = 100;
const STEPS_A_LINE = 20;
const CHECKPOINT_EVERY = 100;

/** Loss of a run at a share of its time; undefined after its last step. */
type Course = (share: number) => number | undefined;

const falls = (share: number) => 1.7 + 2.4 * Math.exp(-7 * share) + 0.5 * (1 - share) ** 2;

/** Loss of a run whose learning rate is far too small. */
const flat = () => 3.4;

/** Courses of runs: the first four are healthy. */
const courses: readonly Course[] = [
	falls,
	share => falls(share) - 0.2,
	share => falls(share) + (Math.abs(share - 0.45) < 0.02 ? 0.8 : 0),
	share => 0.9 * falls(share),
	flat,
	// The run diverges, and later its loss is NaN.
	share => (share < 0.3 ? falls(share) : share < 0.4 ? falls(share) + 30 * (share - 0.3) : NaN),
	share => (share < 0.25 ? falls(share) : undefined),
];

/** Output of a training program from one moment to another, in seconds; the same for the same instance. */
export function trainingLines(instance: number, from: number, to: number): readonly OutputLine[] {
	const count = Math.max(0, Math.floor((to - from) / EVERY_SECONDS));
	const first = Math.max(0, count - MOST_LINES);
	return Array.from({length: count - first}, (_, index) => {
		const line = first + index;
		const text = lineOf(instance, Math.floor(line / (LINES + REST)), (line % (LINES + REST)) + 1);
		return text === undefined ? [] : [{at: from + (line + 1) * EVERY_SECONDS, text}];
	}).flat();
}

function lineOf(instance: number, run: number, line: number): string | undefined {
	const course = courses[(instance + run) % courses.length] ?? falls;
	const random = randomOf(instance, run, 'training');
	const speed = random.whole(90, 480);
	const share = line / LINES;
	const loss = course(Math.min(1, share));
	if (loss === undefined || share > 1)
		return loss !== undefined && line === LINES + 1 ? 'Training complete.' : undefined;
	const step = line * STEPS_A_LINE;
	if (line % CHECKPOINT_EVERY === 0) return `saved checkpoint checkpoint-${step}`;
	// Figures without a seed's noise look alike from line to line.
	const noise = 0.06 * Math.sin(step * 1.7 + instance) * Math.cos(step * 0.31);
	const rate =
		course === flat ? 1e-9 : 1e-4 * Math.min(1, share * 20) * 0.5 * (1 + Math.cos(Math.PI * share));
	const pace = speed + Math.round(4 * Math.sin(line));
	return `step ${step}/${LINES * STEPS_A_LINE} loss ${(loss + noise).toFixed(4)} lr ${rate.toExponential(1)} ${pace}k tok/s`;
}
