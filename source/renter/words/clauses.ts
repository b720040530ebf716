import type {FieldType, ListOperator, ValueOperator} from '../../contract/grammar/filter.ts';

/**
 * Units of a field's numbers, as they are written.
 * - `memory`: GB as they are sold; the wire has MB
 * - `gigabytes`: GB, also on the wire
 * - `days`: the wire has seconds
 * - `hours`: lengths of time that are often shorter than a day
 * - `megabits`: Mb/s
 * - `share`: percent above 1, a share up to 1
 * - `percent`: percent
 * - `dollars`: dollars
 */
export type Unit =
	| 'none'
	| 'memory'
	| 'gigabytes'
	| 'days'
	| 'hours'
	| 'megabits'
	| 'share'
	| 'percent'
	| 'dollars';

export type WordField<Field extends string = string> = {
	/** Printed name. */
	readonly name: string;
	/** Name in its noun's record. */
	readonly field: Field;
	readonly type: FieldType;
	readonly unit: Unit;
	/** Explanation beside a completion. */
	readonly about: string;
};

/** The words that a line about a noun may have. */
export type Lexicon<Field extends string = string> = {
	/** The fields, the most used first. */
	readonly fields: ReadonlyArray<WordField<Field>>;
	/** Every way to write the name of a field, in lower case. */
	readonly byName: ReadonlyMap<string, WordField<Field>>;
	/** The words with a meaning of their own, for completion. */
	readonly bareWords: readonly string[];
	/** The comparison signs, for completion. `~` searches for a part of a text. */
	readonly signs: readonly string[];
	/** Changes the meaning of a test whose value is a word: `ends=none`. */
	readonly meant: (word: TestWord) => Pick<TestWord, 'name' | 'operator' | 'value'>;
};

/** The field of a name, in any case. */
export function findWordField<Field extends string>(
	{byName}: Lexicon<Field>,
	name: string,
): WordField<Field> | undefined {
	return byName.get(name.toLowerCase());
}

/** Numbers are in the unit of their field; GPUs by their whole names; places as codes or regions. */
export type Value = number | boolean | string;

export type Test =
	| {readonly operator: ValueOperator; readonly value: Value}
	| {readonly operator: ListOperator; readonly values: readonly Value[]}
	| {readonly operator: 'range'; readonly from: number; readonly to: number}
	/** The field contains one of these texts. */
	| {readonly operator: 'like' | 'unlike'; readonly texts: readonly string[]};

export type TestClause<Field extends string = string> = {
	readonly kind: 'test';
	readonly field: WordField<Field>;
	readonly test: Test;
};

/** Clauses of every line; a noun has further ones of its own. */
export type Clause<Field extends string = string> =
	| TestClause<Field>
	/** Lifts the default of one field, or of all. */
	| {readonly kind: 'any'; readonly field: WordField<Field> | undefined};

/** A piece of the line, from `start` to before `end`. */
export type Span = {readonly start: number; readonly end: number};

/** A word of a line, and its meaning: `4x4090` is two clauses. */
export type Word<Meant> = Span & {
	readonly text: string;
	readonly clauses: readonly Meant[];
	/** Meaning of a short word: "h100 = H100 NVL, H100 SXM". */
	readonly note: string | undefined;
};

/** A word that cannot be understood, and the reason. */
export type WordProblem = Span & {readonly message: string};

/** Thrown while one word is read; reading continues after it. */
export class WordError extends Error {
	override readonly name = 'WordError';
}

export function refuse(message: string): never {
	throw new WordError(message);
}

/** `price<1`, `gpu_name = RTX_4090`, `loc in [us, ca]`: a field, an operator, a value. */
export type TestWord = Span & {
	readonly kind: 'test';
	readonly name: string;
	/** As written: `>=`, `not in`. */
	readonly operator: string;
	/** As written, with quotes and brackets. */
	readonly value: string;
};

/** A word that tests no named field: `4090`, `x4`, `!dc`, `<0.50`. */
export type BareWord = Span & {
	readonly kind: 'bare';
	readonly isNegated: boolean;
	/** Text behind the `!`. */
	readonly text: string;
};

export type ScannedWord = TestWord | BareWord;

const fieldName = /[a-z][\w-]*/iy;
const sign = /[=<>!~]+/y;
const blanks = /\s+/y;
const wordOperator = /(?:not\s+in|notin|nin|in|not\s*eq|neq|eq|[gl]te?)(?![^\s[])/iy;
// A comma joins the next word; quotes and brackets keep blanks.
const value = /\[[^\]]*\]?|(?:"[^"]*"?|'[^']*'?|,\s+(?=\S)|[^\s"'])+/y;

/** Text that a pattern matches exactly at this position. */
function take(pattern: RegExp, line: string, at: number): string {
	pattern.lastIndex = at;
	return pattern.exec(line)?.[0] ?? '';
}

/** Cuts a line into words, each with its position in the line. Only blanks are dropped. */
export function scanLine(line: string, lexicon: Lexicon): readonly ScannedWord[] {
	const words: ScannedWord[] = [];
	let at = take(blanks, line, 0).length;
	while (at < line.length) {
		const word = scanTest(line, at, lexicon) ?? scanBare(line, at);
		words.push(word);
		at = word.end + take(blanks, line, word.end).length;
	}
	return words;
}

function scanTest(line: string, start: number, lexicon: Lexicon): TestWord | undefined {
	const name = take(fieldName, line, start);
	if (name === '') return undefined;
	const at = start + name.length;
	const found = findOperator(line, at, findWordField(lexicon, name));
	if (found === undefined) return undefined;
	const behind = found.start + found.operator.length;
	const from = behind + take(blanks, line, behind).length;
	const text = take(value, line, from);
	const end = text === '' ? behind : from + text.length;
	return {kind: 'test', name, operator: found.operator, value: text, start, end};
}

/**
 * An operator directly after the name belongs to it. An operator after blanks does so only if the
 * name is a field that it can compare: "dc <0.50" is two words.
 */
function findOperator(line: string, at: number, field: WordField | undefined) {
	const joined = take(sign, line, at);
	if (joined !== '') return {operator: joined, start: at};
	const gap = take(blanks, line, at).length;
	if (field === undefined || gap === 0) return undefined;
	const start = at + gap;
	const operator = take(sign, line, start) || take(wordOperator, line, start);
	if (operator === '' || /^!+$/.test(operator)) return undefined;
	const equates = /^(?:[=!]+|eq|neq|not\s*eq)$/i.test(operator);
	return field.type === 'boolean' && !equates ? undefined : {operator, start};
}

function scanBare(line: string, start: number): BareWord {
	const isNegated = line.charAt(start) === '!';
	const from = isNegated ? start + 1 : start;
	const text = take(value, line, from);
	return {kind: 'bare', isNegated, text, start, end: from + text.length};
}
