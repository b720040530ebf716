/** Preview of a pattern on the last lines of a log, before it is saved. */
import {printable} from '../text/text-width.ts';
import {patternProblem, readPattern} from './own-patterns.ts';
import {drawnLine, readOwnLine, type StepLine} from './step-line.ts';

type PatternPreview = {
	/** Problem of the pattern; undefined if it is valid. */
	readonly problem: string | undefined;
	/** Count of matching lines, and of all lines. */
	readonly count: number;
	readonly of: number;
	/** The last lines, the newest last, with the pattern's result: undefined without a match. */
	readonly last: ReadonlyArray<{readonly text: string; readonly gives: string | undefined}>;
};

/** @param most Number of lines shown: matching ones, or the last ones if none matches */
export function previewPattern(
	written: string,
	lines: readonly string[],
	most: number,
): PatternPreview {
	const pattern = readPattern(written);
	const problem = patternProblem(written);
	if (pattern === undefined) return {problem, count: 0, of: lines.length, last: []};
	const read = lines.map(drawnLine).map(line => ({
		text: printable(line),
		gives: readingText(readOwnLine(pattern, line)),
	}));
	const matching = read.filter(({gives}) => gives !== undefined);
	const last = (matching.length > 0 ? matching : read).slice(-most);
	return {problem, count: matching.length, of: lines.length, last};
}

const titles: ReadonlyArray<readonly [keyof StepLine, string]> = [
	['step', 'step'],
	['of', 'of'],
	['loss', 'loss'],
	['rate', 'lr'],
	['tokensPerSecond', 'tokens'],
	['gradient', 'grad'],
	['secondsPerStep', 'seconds'],
	['epoch', 'epoch'],
];

const events: ReadonlyArray<readonly [keyof StepLine, string]> = [
	['isDone', 'done'],
	['isCheckpoint', 'checkpoint'],
	['isEvaluation', 'eval'],
];

function readingText(line: StepLine | undefined): string | undefined {
	if (line === undefined) return undefined;
	const readings = titles.flatMap(([field, name]) =>
		typeof line[field] === 'number' ? [`${name} ${line[field]}`] : [],
	);
	return [...readings, ...events.flatMap(([field, name]) => (line[field] ? [name] : []))].join(' ');
}
