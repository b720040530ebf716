/** Writes clauses as a line of words in their normal form. Reading it again gives the same request. */
import type {Clause, Test, Value} from './clauses.ts';
import type {WordField} from './fields.ts';
import {knownGpus, matchGpus, type KnownGpu} from './gpu-match.ts';
import {readPlace} from './places.ts';

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
} as const;

/** The whole line. */
export function printClauses(clauses: readonly Clause[], seen: readonly string[] = []): string {
	const gpus = knownGpus(seen);
	return clauses.map(clause => printClause(clause, gpus)).join(' ');
}

/** One clause; `gpus` are all names that short ones are compared with. */
function printClause(clause: Clause, gpus: readonly KnownGpu[]): string {
	switch (clause.kind) {
		case 'any':
			return clause.field === undefined ? 'any' : `${clause.field.name}=any`;
		case 'pricing':
			return clause.pricing;
		case 'test':
			return printTest(clause.field, clause.test, gpus);
	}
}

function printTest(field: WordField, test: Test, gpus: readonly KnownGpu[]): string {
	const start = field.name + signs[test.operator];
	if ('from' in test) return `${start}${test.from}..${test.to}`;
	const values = 'values' in test ? test.values : [test.value];
	return start + values.map(value => printValue(field, value, gpus)).join(',');
}

function printValue({type}: WordField, value: Value, gpus: readonly KnownGpu[]): string {
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (typeof value === 'number') return type === 'version' ? printVersion(value) : String(value);
	const plain = value.replaceAll(' ', '_');
	const isReadAlike =
		type === 'name'
			? isOnly(matchGpus(gpus, plain), value)
			: type === 'place'
				? readPlace(value) === value
				: !value.includes('_');
	return isReadAlike && isOneWord.test(plain) ? plain : quote(value);
}

/** What reads as one value without quotes, and as no word with a meaning of its own. */
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
