/** Writes clauses as a line of words in their normal form. Reading it again gives the same request. */
import type {Clause, Test, Value, WordField} from './clauses.ts';
import {knownGpus, matchGpus, type KnownGpu} from './gpu-match.ts';
import {readLocation} from './values.ts';

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
 * The whole line. `seen` are the GPUs that short names are compared with; `printOwn` writes what only
 * this noun has.
 */
export function printWords<Own extends {readonly kind: string}>(
	clauses: ReadonlyArray<Clause | Own>,
	seen: readonly string[],
	printOwn: (clause: Own) => string,
): string {
	const gpus = knownGpus(seen);
	return clauses
		.map(clause => (isShared(clause) ? printClause(clause, gpus) : printOwn(clause)))
		.join(' ');
}

function isShared(clause: {readonly kind: string}): clause is Clause {
	return clause.kind === 'test' || clause.kind === 'any';
}

/** One clause; `gpus` are all names that short ones are compared with. */
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

/** Lengths of time say what they count, for they may count other things. */
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

/** Parts with one kind of quote inside stand in the other kind. */
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
