/** Cuts a line into words, each with its place in the line. Nothing is dropped but blanks. */
import {fieldNamed, type Lexicon, type Span, type WordField} from './clauses.ts';

/** `price<1`, `gpu_name = RTX_4090`, `loc in [us, ca]`: a field, an operator, a value. */
export type TestWord = Span & {
	readonly kind: 'test';
	readonly name: string;
	/** As written: `>=`, `not in`. */
	readonly operator: string;
	/** As written, with quotes and brackets. */
	readonly value: string;
};

/** Anything else: `4090`, `x4`, `!dc`, `<0.50`. */
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
// A comma goes on with what follows it; quotes and brackets keep blanks.
const value = /\[[^\]]*\]?|(?:"[^"]*"?|'[^']*'?|,\s+(?=\S)|[^\s"'])+/y;

/** Text that a pattern matches exactly there. */
function take(pattern: RegExp, line: string, at: number): string {
	pattern.lastIndex = at;
	return pattern.exec(line)?.[0] ?? '';
}

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
	const found = findOperator(line, at, fieldNamed(lexicon, name));
	if (found === undefined) return undefined;
	const behind = found.start + found.operator.length;
	const from = behind + take(blanks, line, behind).length;
	const text = take(value, line, from);
	const end = text === '' ? behind : from + text.length;
	return {kind: 'test', name, operator: found.operator, value: text, start, end};
}

/**
 * An operator right behind the name belongs to it. One behind blanks does so only if the name is
 * that of a field which it can compare: "dc <0.50" is two words.
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
