/** Progress of a training run in a line of its log, of any trainer. */
import {isRecord} from '../../contract/grammar/json.ts';
import {laidOn, type OwnPattern} from './own-patterns.ts';

/** Facts of a run in one line; most lines have none. */
export type StepLine = {
	readonly step?: number | undefined;
	/** Last step of the run. */
	readonly of?: number | undefined;
	/** NaN if the run has diverged. */
	readonly loss?: number | undefined;
	/** Learning rate. */
	readonly rate?: number | undefined;
	readonly tokensPerSecond?: number | undefined;
	readonly gradient?: number | undefined;
	readonly secondsPerStep?: number | undefined;
	readonly epoch?: number | undefined;
	/** True if one of the user's own patterns read the line. */
	readonly isOwn?: boolean;
	/** True for a progress bar alone, which may be of a download, of loading or of one epoch. */
	readonly isBar?: boolean;
	/** Epoch that the line begins, if it counts no steps: steps that follow are counted within it. */
	readonly heading?: EpochHeading | undefined;
	/** True if a checkpoint was written; `step` is its own if the line names it. */
	readonly isCheckpoint?: boolean;
	readonly isEvaluation?: boolean;
	/** True if the program reports that everything is done. */
	readonly isDone?: boolean;
};

/** `of` is undefined if the line does not name the last epoch. */
export type EpochHeading = {readonly epoch: number; readonly of: number | undefined};

/** Facts with their time, in milliseconds since 1970; undefined if unknown. */
export type TimedLine = StepLine & {readonly at: number | undefined};

const fields = ['step', 'of', 'loss', 'rate', 'tokensPerSecond', 'gradient', 'epoch'] as const;

type Field = (typeof fields)[number];

/** Names that trainers give to each figure, without case, blanks and signs. */
const names: Readonly<Record<Field, readonly string[]>> = {
	step: ['step', 'steps', 'globalstep', 'iter', 'iters', 'iteration', 'update', 'numupdates'],
	of: ['maxsteps', 'totalsteps', 'maxiters', 'trainiters'],
	loss: ['loss', 'trainloss', 'trainingloss', 'lmloss', 'lossmean', 'avgloss'],
	rate: ['lr', 'learningrate', 'trainlr', 'trainlearningrate'],
	tokensPerSecond: [
		'toks',
		'tokenss',
		'tokenspersec',
		'tokenspersecond',
		'tps',
		'wps',
		'traintokenspersecond',
	],
	gradient: ['gradnorm', 'gnorm', 'traingradnorm', 'norm'],
	epoch: ['epoch', 'trainepoch'],
};

const fieldOf = new Map(fields.flatMap(field => names[field].map(name => [name, field] as const)));

/** Longest part of a line that is read: the rest is probably data. */
const MOST_READ = 2000;

/** Colours and cursor movements, which trainers' progress bars are full of. */
const ansi = /\p{Cc}\[[\d;]{0,20}[A-Za-z]/gu;
const number = String.raw`([-+]?(?:\d[\d,]{0,20}(?:\.\d{0,20})?|\.\d{1,20})(?:[eE][-+]?\d{1,3})?(?:[kKM](?![A-Za-z]))?|[-+]?(?:nan|NaN|NAN|inf|Inf|Infinity))`;
/** A name and its figure: `loss: 2.31`, `lr=1e-4`, `step 100`, `lm loss | 2.3`. */
const pair = new RegExp(
	String.raw`([A-Za-z][\w/.-]{0,40}(?: (?:loss|rate|norm))?)['"]?\s{0,8}[:=|]?\s{0,12}${number}(?![\w.])`,
	'g',
);
/** Position in the whole, as in bars and counters: `120/1000`, `step 5 of 90`. */
const position = /(?<![\w./:-])(\d[\d,]{0,14})\s{0,10}(?:\/|of)\s{0,10}(\d[\d,]{0,14})(?![\w./:])/;
/** Position within an epoch, which counts from zero, or from one if it is labelled. */
const epochs = /\bepoch:?\s{0,4}\[?(\d{1,6})(?:\s{0,2}(?:\/|of)\s{0,2}(\d{1,6}))?/i;
const evaluation = /\b(?:eval(?:uat\w*)?|valid(?:at\w*)?|val|test)\b/i;
const checkpoint =
	/\b(?:sav(?:ed|ing)|wrote|writing)\b.{0,80}\bcheckpoint|\bcheckpoint.{0,80}\bsaved\b/i;
const checkpointStep = /checkpoint[-_ ]{0,2}(?:step[-_ ]{0,2})?(\d{1,12})/i;
const done =
	/\btraining (?:is |has )?(?:complete|completed|finished|done)\b|\btrain_runtime\b|`?Trainer\.fit`? stopped/i;

/**
 * Reads a line; undefined without figures of a run. @param own the user's own patterns, which take
 * precedence
 */
export function readStepLine(
	written: string,
	own: readonly OwnPattern[] = [],
): StepLine | undefined {
	const line = drawnLine(written);
	for (const pattern of own) {
		const found = readOwnLine(pattern, line);
		if (found !== undefined) return {...found, isOwn: true};
	}
	return readKnownLine(line);
}

/** Reads a line only by one of the user's own patterns. @param line as it is drawn */
export function readOwnLine(pattern: OwnPattern, line: string): StepLine | undefined {
	const found = laidOn(pattern, line, figureAt);
	if (found === undefined) return undefined;
	const figures = found.map(([field, text]) => [field, figureOf(text)] as const);
	return {...Object.fromEntries(figures), ...pattern.meaning};
}

/** Visible text of a line: a progress bar redraws itself, and only its last text counts. */
export function drawnLine(written: string): string {
	const drawn = written.split('\r').findLast(part => part.trim() !== '') ?? '';
	return drawn.slice(0, MOST_READ).replaceAll(ansi, '');
}

const oneNumber = new RegExp(number, 'y');

function figureAt(line: string, at: number): string | undefined {
	oneNumber.lastIndex = at;
	return oneNumber.exec(line)?.[0];
}

function readKnownLine(line: string): StepLine | undefined {
	if (checkpoint.test(line))
		return {isCheckpoint: true, ...numbered('step', checkpointStep.exec(line)?.[1])};
	if (done.test(line)) return {isDone: true};
	const figures = {...pairsIn(line), ...recordIn(line)};
	const isEvaluation = evaluation.test(line) && figures.loss === undefined;
	const {epoch, step, ...whole} = positionIn(line);
	const isBar =
		step !== undefined && [epoch, figures.step, figures.loss].every(one => one === undefined);
	const facts = {
		...paceIn(line),
		...counted({epoch, step, ...whole, ...figures}),
		...(isBar && {isBar}),
		...(isEvaluation && {isEvaluation}),
	};
	const isUseful = facts.step !== undefined || facts.loss !== undefined || isEvaluation;
	return isUseful ? facts : undefined;
}

type Figures = {readonly [Name in Field]?: number | undefined};

/** Figures without invalid counts: trainers write -1 for one that was not set. */
function counted({step = NaN, of = NaN, ...rest}: Figures): Figures {
	return {...rest, ...(step >= 0 && {step}), ...(of > 0 && {of})};
}

function pairsIn(line: string): Figures {
	const found: {[Name in Field]?: number | undefined} = {};
	for (const [, name = '', figure] of line.matchAll(pair)) {
		const field = fieldFor(name);
		if (field !== undefined) found[field] ??= figureOf(figure);
	}
	return found;
}

/** Field of a name, by its last word: `train/loss`, `| lm loss`, `average loss`. */
function fieldFor(name: string): Field | undefined {
	const plain = name.toLowerCase();
	if (/^(?:eval|val|test|valid)/.test(plain)) return undefined;
	const whole = fieldOf.get(plain.replaceAll(/[^a-z]/g, ''));
	return whole ?? fieldOf.get(plain.split(/[/ ]/).at(-1) ?? '');
}

/** Figure of a TensorBoard tag: `train/loss`, `Loss/train`, `lr`; none for evaluations. */
export function fieldOfTag(tag: string): Exclude<Field, 'step' | 'of'> | undefined {
	const parts = tag.toLowerCase().split('/');
	if (parts.some(part => /^(?:eval|val|test|valid)/.test(part))) return undefined;
	const field = fieldFor(tag) ?? fieldFor(parts[0] ?? '');
	return field === 'step' || field === 'of' ? undefined : field;
}

function recordIn(line: string): Figures {
	const text = line.trim();
	if (!text.startsWith('{') || !text.endsWith('}')) return {};
	let value: unknown;
	try {
		value = JSON.parse(text.replaceAll(/\bNaN\b|-?\bInfinity\b/g, '"NaN"'));
	} catch {
		return {};
	}
	if (!isRecord(value)) return {};
	const found: {[Name in Field]?: number | undefined} = {};
	for (const [name, figure] of Object.entries(value)) {
		const field = fieldFor(name);
		if (field === undefined) continue;
		if (typeof figure === 'number') found[field] ??= figureOf(String(figure));
		else if (figure === 'NaN') found[field] ??= NaN;
	}
	return found;
}

function positionIn(line: string): Figures {
	const [epochText = '', epoch, epochCount] = epochs.exec(line) ?? [];
	const [, at, of] = position.exec(line.replace(epochText, ' ')) ?? [];
	const [step, last] = [at, of].map(text => (text === undefined ? undefined : figureOf(text)));
	const isPosition = step !== undefined && last !== undefined && step <= last && last > 0;
	if (epoch === undefined) return isPosition ? {step, of: last} : {};
	// Epochs count from one if their number is labelled, otherwise from zero.
	const past = Number(epoch) - (epochCount === undefined ? 0 : 1);
	if (!isPosition) return {epoch: Number(epoch)};
	return {
		epoch: Number(epoch),
		step: Math.max(0, past) * last + step,
		...(epochCount !== undefined && {of: Number(epochCount) * last}),
	};
}

/** Heading of an epoch: `Epoch 3`, `Epoch 1/10`, also with figures of the epoch. */
export function readEpochHeading(written: string): EpochHeading | undefined {
	const line = drawnLine(written);
	const [text, epoch, of] = epochs.exec(line) ?? [];
	if (text === undefined || position.test(line.replace(text, ' '))) return undefined;
	return {epoch: Number(epoch), of: of === undefined ? undefined : Number(of)};
}

/** Pace of a run, with the figure before its unit: `1.2it/s`, `2.54 s/step`, `413k tok/s`. */
const tokens = /(\d[\d,.]{0,15}[kKM]?)\s?tok(?:en)?s?\/s/;
const steps = /(\d{1,9}(?:\.\d{1,9})?)\s?(?:(s)\/(?:it|step)|(?:it|steps?)\/s)\b/;

function paceIn(line: string): Pick<StepLine, 'tokensPerSecond' | 'secondsPerStep'> {
	const [, pace = '', isSeconds] = steps.exec(line) ?? [];
	const seconds = isSeconds === undefined ? 1 / Number(pace) : Number(pace);
	return {
		...numbered('tokensPerSecond', tokens.exec(line)?.[1]),
		...(pace !== '' && Number.isFinite(seconds) && {secondsPerStep: seconds}),
	};
}

function numbered(field: Field, text: string | undefined): Figures {
	const value = text === undefined ? undefined : figureOf(text);
	return value === undefined ? {} : {[field]: value};
}

const units: Readonly<Record<string, number>> = {k: 1e3, K: 1e3, M: 1e6};

/** Largest figure of a run: the log is untrusted, and larger ones cannot be drawn. */
const MOST_FIGURE = 1e15;

function figureOf(text = ''): number | undefined {
	if (/nan|inf/i.test(text)) return NaN;
	const unit = units[text.at(-1) ?? ''];
	const plain = (unit === undefined ? text : text.slice(0, -1)).replaceAll(',', '');
	const value = Number(plain) * (unit ?? 1);
	return Math.abs(value) <= MOST_FIGURE ? value : undefined;
}
