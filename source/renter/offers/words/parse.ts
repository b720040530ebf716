/**
 * Reads a line of words, as existing command lines of this service have them
 * (`gpu_name=RTX_4090 num_gpus>=2 geolocation in [US,CA]`) and shorter (`4090 x4 <0.50 24g us,ca dc`).
 * Every word is read or is a problem with its place in the line; none is dropped.
 */
import {WordError, type Clause, type Word, type WordProblem} from './clauses.ts';
import {isVendor, knownGpus, matchGpus, type KnownGpu} from './gpu-match.ts';
import {conditionsOfClause} from './request.ts';
import {closestGpu} from './suggestion.ts';
import {scanLine, type ScannedWord} from './scan.ts';
import {readBare} from './shorthand.ts';
import {readTest} from './tests.ts';

export type ParsedLine = {
	readonly words: readonly Word[];
	readonly problems: readonly WordProblem[];
};

/** Reads a line. `seen` are the names of GPUs that the service has, for short names. */
export function parseLine(line: string, seen: readonly string[] = []): ParsedLine {
	if (line.length > MOST_CHARACTERS) return {words: [], problems: [tooLong(line)]};
	const gpus = knownGpus(seen);
	const words: Word[] = [];
	const problems: WordProblem[] = [];
	const taken = new Set<string>();
	for (const scanned of joinNames(scanLine(line), gpus)) {
		const {start, end} = scanned;
		const text = line.slice(start, end);
		try {
			const clauses = scanned.kind === 'test' ? [readTest(scanned, gpus)] : readBare(scanned, gpus);
			claim(taken, clauses);
			words.push({start, end, text, clauses, note: noteOf(scanned, clauses, gpus)});
		} catch (error) {
			if (!(error instanceof WordError)) throw error;
			problems.push({start, end, message: error.message});
		}
	}
	return {words, problems};
}

/** Makes one name of `rtx 4090` and `rtx pro 6000`, which are typed as several words. */
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

/** The most words from the first one on that are together a name; undefined where one alone is. */
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

/** More than anybody types; a page that was pasted by mistake is not worth the time. */
const MOST_CHARACTERS = 1000;

function tooLong(line: string): WordProblem {
	const message = `a search has at most ${MOST_CHARACTERS} characters, and this is longer`;
	return {start: 0, end: line.length, message};
}

/** The service takes one value for each field and operator: a second one would replace the first. */
function claim(taken: Set<string>, clauses: readonly Clause[]): void {
	const claims = clauses.flatMap(clause => claimsOf(clause));
	const twice = claims.find(([key]) => taken.has(key));
	if (twice !== undefined) {
		throw new WordError(`${twice[1]} is already said, and the service takes it once`);
	}
	for (const [key] of claims) taken.add(key);
}

function claimsOf(clause: Clause): ReadonlyArray<readonly [key: string, name: string]> {
	if (clause.kind === 'pricing') return [['pricing', 'how it is paid']];
	if (clause.kind === 'any') return [[`any ${clause.field?.name}`, 'any']];
	const {name} = clause.field;
	return conditionsOfClause(clause).map(({field, operator}) => [
		`${field} ${operator}`,
		operatorNames[operator](name),
	]);
}

const operatorNames = {
	eq: (name: string) => `what ${name} is`,
	in: (name: string) => `what ${name} is`,
	neq: (name: string) => `what ${name} is not`,
	notin: (name: string) => `what ${name} is not`,
	gt: (name: string) => `the least ${name}`,
	gte: (name: string) => `the least ${name}`,
	lt: (name: string) => `the most ${name}`,
	lte: (name: string) => `the most ${name}`,
};

/** Where a short word became names of GPUs, that is said. */
function noteOf(
	scanned: ScannedWord,
	clauses: readonly Clause[],
	gpus: readonly KnownGpu[],
): string | undefined {
	const gpu = clauses.find(clause => clause.kind === 'test' && clause.field.type === 'name');
	if (gpu?.kind !== 'test') return undefined;
	const {test} = gpu;
	const values = 'values' in test ? test.values : 'value' in test ? [test.value] : [];
	const unknown = values.find(value => !gpus.some(({name}) => name === value));
	if (unknown !== undefined) {
		const meant = closestGpu(String(unknown), gpus);
		const suggestion = meant === undefined ? '' : `; is ${meant} meant?`;
		return `no GPU called ${unknown} was seen here${suggestion}`;
	}
	const written = scanned.kind === 'test' ? scanned.value : scanned.text;
	const isShort = values.length > written.split(',').length;
	return isShort ? `${written} is ${values.join(', ')}` : undefined;
}
