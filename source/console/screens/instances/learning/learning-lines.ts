import type {RunReading} from '../../../../renter/training/run-reading.ts';
import {trainingVerdicts} from '../../../../renter/training/verdict.ts';
import {count, duration, money} from '../../../../renter/text/format.ts';
import {fit} from '../../../../renter/text/text-width.ts';
import {
	axisBelow,
	besideAxis,
	curveLines,
	lyingBar,
	roundStep,
	valueTicks,
	type Curve,
} from '../../../ui/graph.ts';
import {logBounds} from '../../../ui/log-scale.ts';
import {nameOfRun, runStyles} from './over-runs.ts';
import type {TrainingStep} from '../../../../renter/training/training-log.ts';
import type {ComparedRun} from '../../../../renter/training/compared-runs.ts';
import type {Meaning, Theme} from '../../../ui/theme.ts';
import type {Size} from '../../../terminal/terminal.ts';
import {
	placed,
	rangeOf,
	seriesOf,
	usualLearning,
	type LearningState,
	type Range,
} from './learning-state.ts';

type Paper = {
	readonly theme: Theme;
	readonly size: Size;
	readonly now: number;
	readonly over: readonly ComparedRun[];
};

const meanings = {
	fine: 'good',
	warning: 'warning',
	danger: 'danger',
	alarm: 'alarm',
} satisfies Record<string, Meaning>;

/** Columns of the axis of values. */
const AXIS = 8;

export function learningLines(state: LearningState, paper: Paper): readonly string[] {
	const {reading} = state;
	const {columns} = paper.size;
	if (reading === undefined || reading.training.step === undefined) return noRunLines(state, paper);
	const isLow = paper.size.rows < 12;
	const said = [
		verdictLine(reading, paper),
		fit(figuresText(reading), columns),
		fit(noteText(state, paper), columns),
	];
	const head = isLow ? said.slice(0, 2) : said;
	const rows = paper.size.rows - head.length - (isLow ? 3 : 4);
	return [
		...head,
		titled(paper, titleOf(state, paper), zoomText(state)),
		...chartLines(state, reading, {...paper, rows: Math.max(1, rows)}),
		...(isLow ? [] : [fit(readText(state, reading, paper), columns)]),
	];
}

function noRunLines(
	{reading, failure}: LearningState,
	{size: {columns}}: Paper,
): readonly string[] {
	const known = 'Steps of the usual trainers are known, and JSON lines with step and loss.';
	const keys = 'l shows the log, * names a pattern of your own.';
	const lines =
		reading === undefined
			? [failure === undefined ? 'LOOKING    reading the log' : `NO ACCESS  ${failure}`]
			: [
					`NO RUN     no step was found in ${count(reading.training.lines)} lines of the log`,
					known,
					keys,
				];
	return lines.map(line => fit(line, columns));
}

/** Verdict, progress, and the time and money to the end. */
function verdictLine(
	{verdict, training, rest, endsEarlyBy}: RunReading,
	{theme, size}: Paper,
): string {
	const {step = 0, of} = training;
	const share = of === undefined ? undefined : Math.min(1, step / of);
	const place = of === undefined ? `step ${count(step)}` : `step ${count(step)} of ${count(of)}`;
	const width = Math.max(0, Math.min(20, size.columns - 60));
	const bar = share === undefined || width < 8 ? '' : ` ${fit(lyingBar(share, width), width)}`;
	const percent = share === undefined ? '' : ` ${Math.floor(share * 100)}%`;
	const left = rest && `ETA ${duration(rest.seconds)}  ${money(rest.dollars)} more`;
	const early = endsEarlyBy === undefined ? '' : `, ends ${duration(endsEarlyBy)} too early`;
	const word = theme.style(meanings[trainingVerdicts[verdict]], verdict);
	return (
		word + fit(`  ${place}${bar}${percent}  ${left ?? ''}${early}`, size.columns - verdict.length)
	);
}

function figure(value: number | undefined): string {
	if (value === undefined) return '-';
	if (Number.isNaN(value)) return 'NaN';
	const isTiny = value !== 0 && Math.abs(value) < 0.001;
	return isTiny ? value.toExponential(1) : String(Number(value.toPrecision(3)));
}

function figuresText({training}: RunReading): string {
	const {steps, rate, tokensPerSecond, secondsPerStep, gradient} = training;
	const parts = [
		`loss ${figure(steps.at(-1)?.loss)}`,
		rate !== undefined && `lr ${figure(rate)}`,
		tokensPerSecond !== undefined && `${count(tokensPerSecond)} tok/s`,
		secondsPerStep !== undefined && `${figure(secondsPerStep)} s/step`,
		gradient !== undefined && `grad ${figure(gradient)}`,
	];
	return parts.filter(Boolean).join('  ');
}

function noteText({reading, failure}: LearningState, {now}: Paper): string {
	const {checkpoint, lastStepAt, restartedFrom} = reading?.training ?? {};
	const ago = (at: number) => {
		const seconds = Math.max(0, Math.round((now - at) / 1000));
		return seconds < 120 ? `${seconds} s ago` : `${duration(seconds)} ago`;
	};
	const parts = [
		failure,
		lastStepAt !== undefined && `last step ${ago(lastStepAt)}`,
		checkpoint?.step !== undefined && `checkpoint ${count(checkpoint.step)}`,
		restartedFrom !== undefined && `began anew from before ${count(restartedFrom)}`,
	];
	return parts.filter(Boolean).join('   ');
}

const titleOf = ({series, smooth}: LearningState, {over}: Pick<Paper, 'over'>) =>
	[
		series === 'loss' ? 'loss' : 'learning rate',
		over.length > 0 && `${over.length + 1} runs`,
		`mean of ${smooth}`,
	]
		.filter(Boolean)
		.join('  ');

const zoomText = ({zoom, scale}: LearningState) =>
	`${zoom === 0 ? 'all steps' : `the last ${figure(100 / 2 ** zoom)} %`}  ${scale}`;

function titled({theme, size: {columns}}: Paper, left: string, right: string): string {
	const {rule} = theme.glyphs;
	const middle = rule.repeat(Math.max(0, columns - left.length - right.length - 8));
	return theme.style(
		'quiet',
		fit(`${rule}${rule} ${left} ${middle} ${right} ${rule}${rule}`, columns),
	);
}

/** Losses of all steps of a run, with both axes. */
export function lossChart(
	reading: RunReading,
	{theme, size}: Pick<Paper, 'theme' | 'size'>,
): readonly string[] {
	const rows = Math.max(1, size.rows - AXIS_ROWS);
	return chartLines(usualLearning, reading, {theme, size, now: 0, over: [], rows});
}

/** Lines of the axis of steps. */
const AXIS_ROWS = 2;

/** Curve of means over the dots of all steps, with both axes. */
function chartLines(state: LearningState, run: RunReading, paper: Paper & {readonly rows: number}) {
	const {steps} = run.training;
	const columns = Math.max(8, paper.size.columns - AXIS);
	const range = rangeOf(run, state.zoom, paper.over);
	const {raw, means} = seriesOf(steps, state);
	const [dots, curve] = [raw, means].map(values => placed(steps, values, range, columns * 2));
	const others = overCurves(paper.over, state, {range, count: columns * 2});
	const isLog = state.scale === 'log';
	const {low, high} = (isLog ? logBounds : boundsOf)(
		[...means, ...withoutOutliers(raw), ...others.flatMap(({values}) => values)].filter(
			value => value !== undefined,
		),
	);
	const plot = {columns, rows: paper.rows, low, high, isLog};
	const cursor = state.at === undefined ? undefined : columnOf(state.at, range, columns);
	const lines = curveLines(
		[
			{
				values: curve ?? [],
				meaning: 'curve',
				letter: 'a',
				...(others.length > 0 && {tag: 'A'}),
			},
			...(others.length > 0 ? others : [rawDots(dots ?? [], {low, high})]),
		],
		{...plot, cursor},
		paper.theme,
	);
	const {rule, texts} = axisBelow(columns, stepTicks(range, columns), {
		indent: AXIS,
		theme: paper.theme,
	});
	return [
		...besideAxis(lines, valueTicks(plot, tickText(isLog ? low : high - low)), {
			width: AXIS,
			theme: paper.theme,
		}),
		rule,
		texts,
	];
}

/** Raw values of the one run alone: with several they would be noise. */
function rawDots(
	dots: ReadonlyArray<number | undefined>,
	{low, high}: {readonly low: number; readonly high: number},
): Curve {
	const values = dots.map(value => within(value, low, high));
	return {values, meaning: 'quiet', letter: '.', dash: [1, 2]};
}

function overCurves(
	over: readonly ComparedRun[],
	state: LearningState,
	{range, count: parts}: {readonly range: Range; readonly count: number},
): readonly Curve[] {
	return over.flatMap(({steps}, index) => {
		const look = runStyles[index];
		const {means} = seriesOf(steps, state);
		return look === undefined ? [] : [{...look, values: placed(steps, means, range, parts)}];
	});
}

const within = (value: number | undefined, low: number, high: number) =>
	value === undefined ? undefined : Math.max(low, Math.min(high, value));

/** Writes values so that two ticks of a range differ, if the axis is wide enough. */
function tickText(range: number): (value: number) => string {
	const digits = Math.max(0, Math.min(4, Math.ceil(1 - Math.log10(range))));
	return value => {
		const texts = [
			...(range < 0.001 ? [] : [value.toFixed(digits)]),
			...[1, 0].map(places => value.toExponential(places).replace('e+', 'e')),
		];
		return texts.find(text => text.length < AXIS) ?? '';
	};
}

/** Values without the highest and lowest fiftieth, which would press the rest into a line. */
function withoutOutliers(values: ReadonlyArray<number | undefined>): readonly number[] {
	const known = values.filter(value => value !== undefined).toSorted((one, other) => one - other);
	const few = Math.ceil(known.length / 50);
	return known.slice(few, -few);
}

/** Bounds in round numbers, so that they stay for most steps. */
function boundsOf(values: readonly number[]): {readonly low: number; readonly high: number} {
	if (values.length === 0) return {low: 0, high: 1};
	const [least, most] = [Math.min(...values), Math.max(...values)];
	const step = roundStep((most - least || Math.abs(most) || 1) / 4);
	return {low: Math.floor(least / step) * step, high: (Math.floor(most / step) + 1) * step};
}

const columnOf = (step: number, {from, to}: Range, columns: number) =>
	Math.floor(((step - from) / (to - from)) * (columns - 1));

function stepTicks(range: Range, columns: number) {
	const step = roundStep((range.to - range.from) / Math.max(2, Math.floor(columns / 14)));
	const first = Math.ceil(range.from / step);
	const last = Math.floor(range.to / step);
	return Array.from({length: Math.max(0, last - first + 1)}, (_, index) => {
		const at = (first + index) * step;
		return {
			at: columnOf(at, range, columns),
			text: at >= 10_000 ? `${figure(at / 1000)}k` : count(at),
		};
	});
}

/** Values at the cursor, else of the last step. */
function readText(state: LearningState, reading: RunReading, {over}: Pick<Paper, 'over'>): string {
	if (over.length > 0) return comparedText(state, reading, over);
	const {at} = state;
	const {training} = reading;
	const {steps} = training;
	const one = at === undefined ? steps.at(-1) : steps.findLast(({step}) => step <= at);
	const source = training.isOfEvents === true ? 'by TensorBoard' : 'by its log';
	if (one === undefined) return source;
	const rate = one.rate === undefined ? '' : `  lr ${figure(one.rate)}`;
	return `at ${count(one.step)}  loss ${figure(one.loss)}${rate}${at === undefined ? `  ${source}` : ''}`;
}

/** Values of all runs at one step: `-` of one that has not come so far. */
function comparedText(
	{at, series}: LearningState,
	{training}: RunReading,
	over: readonly ComparedRun[],
): string {
	const step = at ?? training.step ?? 0;
	const texts = over.map((run, index) => {
		const last = run.steps.at(-1)?.step ?? 0;
		const name = `${runStyles[index]?.tag ?? ''} ${valueAt(run.steps, step, series)} ${nameOfRun(run)}`;
		const place = run.isEnded ? ' (ended)' : last < step ? ` (at ${count(last)})` : '';
		return `${name}${place}`;
	});
	return [`at ${count(step)}  A ${valueAt(training.steps, step, series)} this`, ...texts].join(
		'  ',
	);
}

function valueAt(
	steps: readonly TrainingStep[],
	step: number,
	series: LearningState['series'],
): string {
	if ((steps.at(-1)?.step ?? -1) < step) return '-';
	return figure(steps.findLast(one => one.step <= step)?.[series]);
}
