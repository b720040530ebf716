/**
 * Reads a line of words about a noun, and writes clauses as one. Every word is read or is a problem
 * with its position in the line; none is dropped. A written line yields the same request when it is
 * read.
 */
import {
	WordError,
	type Clause,
	type Lexicon,
	type TestClause,
	type Word,
	type WordProblem,
	scanLine,
	type BareWord,
	type ScannedWord,
	type Test,
	type Value,
	type WordField,
} from './clauses.ts';
import {isVendor, knownGpus, matchGpus, type KnownGpu} from './gpu-match.ts';
import {closestGpu} from './complete.ts';
import {readTest} from './tests.ts';
import {readLocation} from './values.ts';

export type ParsedWords<Meant> = {
	readonly words: ReadonlyArray<Word<Meant>>;
	readonly problems: readonly WordProblem[];
};

type Grammar<Field extends string, Meant> = {
	readonly lexicon: Lexicon<Field>;
	readonly readBare: (word: BareWord, gpus: readonly KnownGpu[]) => readonly Meant[];
	/** Registers a word's meaning. @throws WordError if it contradicts the previous words */
	readonly check?: (clauses: readonly Meant[], taken: Set<string>) => void;
};

/** Reads a line. `gpuNames` are the names of known GPUs, for short names. */
export function parseWords<Field extends string, Meant extends {readonly kind: string}>(
	{lexicon, readBare, check}: Grammar<Field, Meant | Clause<Field>>,
	line: string,
	gpuNames: readonly string[],
): ParsedWords<Meant | Clause<Field>> {
	if (line.length > MOST_CHARACTERS) return {words: [], problems: [tooLong(line)]};
	const gpus = knownGpus(gpuNames);
	const words: Array<Word<Meant | Clause<Field>>> = [];
	const problems: WordProblem[] = [];
	const taken = new Set<string>();
	for (const scanned of joinNames(scanLine(line, lexicon), gpus)) {
		const {start, end} = scanned;
		const text = line.slice(start, end);
		try {
			const clauses =
				scanned.kind === 'test' ? [readTest(scanned, lexicon, gpus)] : readBare(scanned, gpus);
			check?.(clauses, taken);
			words.push({start, end, text, clauses, note: noteOf(scanned, clauses, gpus)});
		} catch (error) {
			if (!(error instanceof WordError)) throw error;
			problems.push({start, end, message: error.message});
		}
	}
	return {words, problems};
}

/** Joins `rtx 4090` and `rtx pro 6000` to one name, although they are typed as several words. */
function joinNames(
	words: readonly ScannedWord[],
	gpus: readonly KnownGpu[],
): readonly ScannedWord[] {
	const [first, ...rest] = words;
	if (first === undefined) return [];
	const name = first.kind === 'bare' && isVendor(first.text) ? longestName(words, gpus) : undefined;
	const joined = name?.word ?? first;
	return [joined, ...joinNames(rest.slice((name?.length ?? 1) - 1), gpus)];
}

const MOST_NAME_WORDS = 4;

/** The most words from the first one that together form a name; undefined if only one does. */
function longestName(words: readonly ScannedWord[], gpus: readonly KnownGpu[]) {
	for (let length = MOST_NAME_WORDS; length > 1; length--) {
		const parts = words.slice(0, length).filter(word => word.kind === 'bare');
		const [first, last] = [parts[0], parts.at(-1)];
		const text = parts.map(part => part.text).join('_');
		if (first === undefined || last === undefined || parts.length < length) continue;
		if (parts.slice(1).some(({isNegated}) => isNegated)) continue;
		if (matchGpus(gpus, text).length > 0) return {word: {...first, text, end: last.end}, length};
	}
	return undefined;
}

/** Longest line: more is text pasted by mistake. */
const MOST_CHARACTERS = 1000;

function tooLong(line: string): WordProblem {
	const message = `a search has at most ${MOST_CHARACTERS} characters, and this is longer`;
	return {start: 0, end: line.length, message};
}

/** Note about a short word that became names of GPUs. */
function noteOf(
	scanned: ScannedWord,
	clauses: ReadonlyArray<{readonly kind: string}>,
	gpus: readonly KnownGpu[],
): string | undefined {
	const test = clauses.find(isTest)?.test;
	if (test === undefined) return undefined;
	const values = 'values' in test ? test.values : 'value' in test ? [test.value] : [];
	const unknown = values.find(value => !gpus.some(({name}) => name === value));
	if (unknown !== undefined) {
		const meant = closestGpu(String(unknown), gpus);
		const suggestion = meant === undefined ? '' : `. Did you mean ${meant}?`;
		return `no GPU called ${unknown} was seen here${suggestion}`;
	}
	const written = scanned.kind === 'test' ? scanned.value : scanned.text;
	const isShort = values.length > written.split(',').length;
	return isShort ? `${written} is ${values.join(', ')}` : undefined;
}

/** True if a clause names GPUs. */
function isTest(clause: {readonly kind: string}): clause is TestClause {
	return 'field' in clause && 'test' in clause && isOfName(clause.field);
}

function isOfName(field: unknown): boolean {
	return typeof field === 'object' && field !== null && 'type' in field && field.type === 'name';
}

const signs = {
	eq: '=',
	in: '=',
	range: '=',
	neq: '!=',
	notin: '!=',
	lt: '<',
	lte: '<=',
	gt: '>',
	gte: '>=',
	like: '~',
	unlike: '!~',
} as const;

/**
 * The whole line. `gpuNames` are the GPUs that short names are compared with; `printOwn` writes the noun's
 * own clauses.
 */
export function printWords<Own extends {readonly kind: string}>(
	clauses: ReadonlyArray<Clause | Own>,
	gpuNames: readonly string[],
	printOwn: (clause: Own) => string,
): string {
	const gpus = knownGpus(gpuNames);
	return clauses
		.map(clause => (isShared(clause) ? printClause(clause, gpus) : printOwn(clause)))
		.join(' ');
}

function isShared(clause: {readonly kind: string}): clause is Clause {
	return clause.kind === 'test' || clause.kind === 'any';
}

/** A clause as text; `gpus` are all names that short ones are compared with. */
function printClause(clause: Clause, gpus: readonly KnownGpu[]): string {
	if (clause.kind === 'test') return printTest(clause.field, clause.test, gpus);
	return clause.field === undefined ? 'any' : `${clause.field.name}=any`;
}

function printTest(field: WordField, test: Test, gpus: readonly KnownGpu[]): string {
	const start = field.name + signs[test.operator];
	if ('from' in test) {
		return `${start}${printNumber(field, test.from)}..${printNumber(field, test.to)}`;
	}
	if ('texts' in test) return start + test.texts.map(quoted).join(',');
	const values = 'values' in test ? test.values : [test.value];
	return start + values.map(value => printValue(field, value, gpus)).join(',');
}

/** A number; durations get their unit, because a field may have another one. */
function printNumber({unit}: WordField, value: number): string {
	if (unit !== 'hours') return String(value);
	if (Number.isInteger(value)) return `${value}h`;
	const minutes = value * 60;
	return Number.isInteger(minutes) ? `${minutes}m` : `${Number((value * 3600).toPrecision(12))}s`;
}

function quoted(text: string): string {
	return isOneWord.test(text) ? text : quote(text);
}

function printValue(field: WordField, value: Value, gpus: readonly KnownGpu[]): string {
	const {type} = field;
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (typeof value === 'number') {
		return type === 'version' ? printVersion(value) : printNumber(field, value);
	}
	const plain = value.replaceAll(' ', '_');
	const isReadAlike =
		type === 'name'
			? isOnly(matchGpus(gpus, plain), value)
			: type === 'place'
				? readLocation(value) === value
				: !value.includes('_');
	return isReadAlike && isOneWord.test(plain) ? plain : quote(value);
}

/** Values that need no quotes, and have no meaning of their own. */
const isOneWord = /^(?!any$)[\p{L}\p{N}._+/()-]+$/iu;

function isOnly(names: readonly string[], name: string): boolean {
	return names.length === 1 && names[0] === name;
}

/** Quotes a text; parts that contain one kind of quote get the other kind. */
function quote(text: string): string {
	if (!text.includes('"')) return `"${text}"`;
	return (text.match(/"+|[^"]+/g) ?? [])
		.map(part => (part.startsWith('"') ? `'${part}'` : `"${part}"`))
		.join('');
}

function printVersion(packed: number): string {
	const parts = [Math.floor(packed / 1_000_000), Math.floor(packed / 1000) % 1000, packed % 1000];
	return parts.join('.');
}
