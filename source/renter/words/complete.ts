/** Completions of a query line by Tab: fields, operators and values. */
import {fieldNamed, type Lexicon, type Span, type WordField} from './clauses.ts';
import {knownGpus, plainName, type KnownGpu} from './gpu-match.ts';
import {regionNames} from './places.ts';

export type Candidate = {readonly text: string; readonly about: string};

/** Replacements for a piece of the line. */
export type Completion = Span & {readonly candidates: readonly Candidate[]};

/** Values of fields that the service has sent, as they are written. */
export type Seen<Field extends string = string> = {
	readonly gpus: readonly string[];
	readonly valuesOf: (field: WordField<Field>) => readonly string[];
};

const MOST_CANDIDATES = 40;

/** Completes the word that ends at the cursor. */
export function completeLine<Field extends string>(
	line: string,
	cursor: number,
	seen: Seen<Field>,
	lexicon: Lexicon<Field>,
): Completion {
	const [text] = /\S*$/.exec(line.slice(0, cursor)) ?? [''];
	const [, name, sign, value] = /^([a-z][\w-]*)([=<>!~]+)(.*)$/is.exec(text) ?? [];
	const field = fieldNamed(lexicon, name ?? text);
	if (field !== undefined && sign !== undefined && value !== undefined) {
		const item = value.slice(value.lastIndexOf(',') + 1);
		return at(cursor, item, valuesLike(field, item, seen));
	}
	const isNegated = text.startsWith('!');
	const word = isNegated ? text.slice(1) : text;
	const operators = field === undefined || isNegated ? [] : operatorsOf(field, text, lexicon);
	const found = [...operators, ...wordsLike(word, seen, lexicon)];
	return at(cursor, word, found);
}

function at(cursor: number, text: string, candidates: readonly Candidate[]): Completion {
	const others = candidates.filter(candidate => candidate.text !== text);
	return {start: cursor - text.length, end: cursor, candidates: others.slice(0, MOST_CANDIDATES)};
}

function operatorsOf(
	{name, type, about}: WordField,
	text: string,
	{signs}: Lexicon,
): readonly Candidate[] {
	const isOrdered = type === 'number' || type === 'version';
	const usual = isOrdered
		? ['>=', '<', '=', '<=', '>', '!=']
		: type === 'text'
			? ['~', '=', '!=', '!~']
			: ['=', '!='];
	const known = usual.filter(sign => signs.includes(sign));
	return known.map(sign => ({text: text + sign, about: `${name}: ${about}`}));
}

function wordsLike<Field extends string>(
	text: string,
	seen: Seen<Field>,
	lexicon: Lexicon<Field>,
): readonly Candidate[] {
	const start = text.toLowerCase();
	const fields = lexicon.fields
		.filter(({name, field}) => name.startsWith(start) || (start !== '' && field.startsWith(start)))
		.map(({name, about}) => ({text: name, about}));
	const words = lexicon.bareWords
		.filter(word => word.startsWith(start) && fieldNamed(lexicon, word) === undefined)
		.map(word => ({text: word, about: ''}));
	return [...fields, ...words, ...(start === '' ? [] : gpusLike(text, seen))];
}

function gpusLike(text: string, {gpus}: Pick<Seen, 'gpus'>): readonly Candidate[] {
	const wanted = plainName(text);
	const begins = ({plain, parts}: KnownGpu) =>
		plain.startsWith(wanted) || parts.some(part => part.startsWith(wanted));
	return knownGpus(gpus)
		.filter(({plain}) => plain.includes(wanted))
		.toSorted((a, b) => Number(begins(b)) - Number(begins(a)) || (a.name < b.name ? -1 : 1))
		.map(({name}) => name)
		.map(name => ({text: written(name), about: gpus.includes(name) ? 'seen' : ''}));
}

function valuesLike<Field extends string>(
	field: WordField<Field>,
	text: string,
	seen: Seen<Field>,
): readonly Candidate[] {
	if (field.type === 'name') return gpusLike(text, seen);
	const start = text.toLowerCase();
	const values = [...seen.valuesOf(field), ...usualValues(field)];
	return [...new Set(values.map(written))]
		.filter(value => value.toLowerCase().startsWith(start))
		.map(value => ({text: value, about: ''}));
}

function usualValues({type}: WordField): readonly string[] {
	if (type === 'boolean') return ['yes', 'no', 'any'];
	return type === 'place' ? regionNames.map(name => name.toLowerCase()) : [];
}

/** A value as a word: blanks are underscores, or it stands in quotes. */
function written(value: string): string {
	const word = value.replaceAll(' ', '_');
	return /^[\w.+/()-]+$/.test(word) && !value.includes('_')
		? word
		: `"${value.replaceAll('"', '')}"`;
}
