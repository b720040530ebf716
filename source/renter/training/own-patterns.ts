/**
 * The user's own patterns for lines of a log, such as `it {step}/{of} | L={loss}`: literal text,
 * names of figures in braces, and `*` for anything between. They are not regular expressions: a
 * pattern is matched from left to right without backtracking, so a line takes at most its length
 * times that of the pattern.
 */
/** Figures by their names in patterns. */
const figures = {
	step: 'step',
	of: 'of',
	loss: 'loss',
	lr: 'rate',
	tokens: 'tokensPerSecond',
	grad: 'gradient',
	seconds: 'secondsPerStep',
	epoch: 'epoch',
} as const;

/** Flags of a line; these names match no text in it. */
const flags = {
	done: {isDone: true},
	checkpoint: {isCheckpoint: true},
	eval: {isEvaluation: true},
} as const;

type Figure = keyof typeof figures;
type Flag = keyof typeof flags;
type Field = (typeof figures)[Figure];
type Flags = Partial<Readonly<Record<'isDone' | 'isCheckpoint' | 'isEvaluation', true>>>;

const isFigure = (name: string): name is Figure => Object.hasOwn(figures, name);
const isFlag = (name: string): name is Flag => Object.hasOwn(flags, name);

/** Names that may stand in braces. */
const patternNames: readonly string[] = [...Object.keys(figures), ...Object.keys(flags)];

type Part = {readonly text: string} | {readonly figure: Figure};

export type OwnPattern = {
	readonly written: string;
	/** Rows of adjacent parts; between rows there may be anything. */
	readonly rows: ReadonlyArray<readonly Part[]>;
	readonly meaning: Flags;
};

const LONGEST_PATTERN = 200;
export const MOST_PATTERNS = 10;

const named = /\{([^{}]*)\}/g;

/** Reason why a text is no pattern; undefined if it is valid. */
export function patternProblem(written: string): string | undefined {
	const names = [...written.matchAll(named)].map(([, name = '']) => name);
	const stranger = names.find(name => !isFigure(name) && !isFlag(name));
	const bare = written.replaceAll(named, '');
	const needed = ['step', 'loss', ...Object.keys(flags)];
	if (written.length > LONGEST_PATTERN)
		return `a pattern has at most ${LONGEST_PATTERN} characters`;
	if (stranger !== undefined)
		return `{${stranger}} is no figure: there are ${patternNames.map(one => `{${one}}`).join(' ')}`;
	if (/[{}]/.test(bare)) return 'a brace stands for a name alone, such as {loss}';
	if (!names.some(name => needed.includes(name)))
		return `it needs one of ${needed.map(one => `{${one}}`).join(' ')}`;
	if (new Set(names).size < names.length) return 'each name may stand in it once';
	if (/\{\w+\}\*?\{\w+\}/.test(withoutFlags(written)))
		return 'two figures need a text between them';
	return /[^\s*]/.test(bare) ? undefined : 'it needs a text beside its names';
}

const withoutFlags = (written: string) =>
	written.replaceAll(named, (whole, name: string) => (isFlag(name) ? '' : whole));

/** Undefined if the text is no pattern. */
export function readPattern(written: string): OwnPattern | undefined {
	if (patternProblem(written) !== undefined) return undefined;
	let meaning: Flags = {};
	for (const [, name = ''] of written.matchAll(named))
		if (isFlag(name)) meaning = {...meaning, ...flags[name]};
	const rows = withoutFlags(written).trim().split('*').map(partsOf);
	return {written, rows: rows.filter(row => row.length > 0), meaning};
}

function partsOf(text: string): readonly Part[] {
	return text
		.replaceAll(/\s+/g, ' ')
		.split(/(\{\w+\})/)
		.filter(part => part !== '')
		.map(part => {
			const name = part.slice(1, -1);
			return part.startsWith('{') && isFigure(name) ? {figure: name} : {text: part};
		});
}

/** Patterns of a list, without invalid ones. */
export function readPatterns(list: readonly string[]): readonly OwnPattern[] {
	return list.slice(0, MOST_PATTERNS).flatMap(written => readPattern(written) ?? []);
}

/** Reads a figure that begins at a position in a line; undefined if none does. */
type FigureAt = (line: string, at: number) => string | undefined;

/** Figures that a pattern reads in a line, as texts; undefined if it does not match. */
export function laidOn(
	{rows}: Pick<OwnPattern, 'rows'>,
	line: string,
	figureAt: FigureAt,
): ReadonlyArray<readonly [field: Field, text: string]> | undefined {
	const plain = line.replaceAll(/\s+/g, ' ');
	const found: Array<readonly [Field, string]> = [];
	let from = 0;
	for (const row of rows) {
		const laid = firstMatch(row, plain, {from, figureAt});
		if (laid === undefined) return undefined;
		found.push(...laid.found);
		from = laid.end;
	}
	return found;
}

type Laid = {
	readonly end: number;
	readonly found: ReadonlyArray<readonly [field: Field, text: string]>;
};

type Laying = {readonly from: number; readonly figureAt: FigureAt};

/** The first position in a line that a row of parts matches. */
function firstMatch(
	row: readonly Part[],
	line: string,
	{from, figureAt}: Laying,
): Laid | undefined {
	for (let at = from; at < line.length; at++) {
		const laid = laidAt(row, line, {from: at, figureAt});
		if (laid !== undefined) return laid;
	}
	return undefined;
}

function laidAt(row: readonly Part[], line: string, {from, figureAt}: Laying): Laid | undefined {
	const found: Array<readonly [Field, string]> = [];
	let at = from;
	for (const part of row) {
		const text = 'text' in part ? textAt(part.text, line, at) : wholeFigure(line, at, figureAt);
		if (text === undefined) return undefined;
		if ('figure' in part) found.push([figures[part.figure], text]);
		at += text.length;
	}
	return {end: at, found};
}

const textAt = (text: string, line: string, at: number) =>
	line.startsWith(text, at) ? text : undefined;

/** Reads a whole figure: none begins within another. */
function wholeFigure(line: string, at: number, figureAt: FigureAt): string | undefined {
	return /[\d.]/.test(line.charAt(at - 1)) ? undefined : figureAt(line, at);
}
