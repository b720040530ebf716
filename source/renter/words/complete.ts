/** Completions of a query line by Tab, and suggestions for unknown words. */
import {findWordField, type Lexicon, type Span, type WordField} from './clauses.ts';
import {knownGpus, plainName, type KnownGpu} from './gpu-match.ts';
import {regionNames} from './values.ts';

type Candidate = {readonly text: string; readonly about: string};

/** Replacements for a piece of the line. */
export type Completion = Span & {readonly candidates: readonly Candidate[]};

/** Samples of field values that the service has sent, as they are written. */
export type Samples<Field extends string = string> = {
	readonly gpus: readonly string[];
	readonly valuesOf: (field: WordField<Field>) => readonly string[];
};

const MOST_CANDIDATES = 40;

/** Completes the word that ends at the cursor. */
export function completeLine<Field extends string>(
	line: string,
	cursor: number,
	samples: Samples<Field>,
	lexicon: Lexicon<Field>,
): Completion {
	const [text] = /\S*$/.exec(line.slice(0, cursor)) ?? [''];
	const [, name, sign, value] = /^([a-z][\w-]*)([=<>!~]+)(.*)$/is.exec(text) ?? [];
	const field = findWordField(lexicon, name ?? text);
	if (field !== undefined && sign !== undefined && value !== undefined) {
		const item = value.slice(value.lastIndexOf(',') + 1);
		return at(cursor, item, valuesLike(field, item, samples));
	}
	const isNegated = text.startsWith('!');
	const word = isNegated ? text.slice(1) : text;
	const operators = field === undefined || isNegated ? [] : operatorsOf(field, text, lexicon);
	const found = [...operators, ...wordsLike(word, samples, lexicon)];
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
	samples: Samples<Field>,
	lexicon: Lexicon<Field>,
): readonly Candidate[] {
	const start = text.toLowerCase();
	const fields = lexicon.fields
		.filter(({name, field}) => name.startsWith(start) || (start !== '' && field.startsWith(start)))
		.map(({name, about}) => ({text: name, about}));
	const words = lexicon.bareWords
		.filter(word => word.startsWith(start) && findWordField(lexicon, word) === undefined)
		.map(word => ({text: word, about: ''}));
	return [...fields, ...words, ...(start === '' ? [] : gpusLike(text, samples))];
}

function gpusLike(text: string, {gpus}: Pick<Samples, 'gpus'>): readonly Candidate[] {
	const wanted = plainName(text);
	const startsWithWord = ({plain, parts}: KnownGpu) =>
		plain.startsWith(wanted) || parts.some(part => part.startsWith(wanted));
	return knownGpus(gpus)
		.filter(({plain}) => plain.includes(wanted))
		.toSorted(
			(a, b) => Number(startsWithWord(b)) - Number(startsWithWord(a)) || (a.name < b.name ? -1 : 1),
		)
		.map(({name}) => name)
		.map(name => ({text: written(name), about: gpus.includes(name) ? 'seen' : ''}));
}

function valuesLike<Field extends string>(
	field: WordField<Field>,
	text: string,
	samples: Samples<Field>,
): readonly Candidate[] {
	if (field.type === 'name') return gpusLike(text, samples);
	const start = text.toLowerCase();
	const values = [...samples.valuesOf(field), ...usualValues(field)];
	return [...new Set(values.map(written))]
		.filter(value => value.toLowerCase().startsWith(start))
		.map(value => ({text: value, about: ''}));
}

function usualValues({type}: WordField): readonly string[] {
	if (type === 'boolean') return ['yes', 'no', 'any'];
	return type === 'place' ? regionNames.map(name => name.toLowerCase()) : [];
}

/** A value as a word: blanks become underscores, or it is quoted. */
function written(value: string): string {
	const word = value.replaceAll(' ', '_');
	return /^[\w.+/()-]+$/.test(word) && !value.includes('_')
		? word
		: `"${value.replaceAll('"', '')}"`;
}

/** Changed letters between two texts; more than two count as three. */
function distance(a: string, b: string): number {
	if (Math.abs(a.length - b.length) > 2) return 3;
	let row = Array.from({length: b.length + 1}, (_, index) => index);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
		}
		row = next;
	}
	return row[b.length] ?? 3;
}

/** The closest of some names; undefined if none is close. */
export function closest(text: string, names: readonly string[]): string | undefined {
	const wanted = text.slice(0, 40).toLowerCase();
	const most = wanted.length < 4 ? 1 : 2;
	const ranked = names
		.map(name => ({name, far: distance(wanted, name)}))
		.filter(({far}) => far <= most)
		.toSorted((a, b) => a.far - b.far);
	return ranked[0]?.name;
}

export function fieldSuggestion(text: string, {byName}: Lexicon): string {
	const name = closest(text, [...byName.keys()]);
	return name === undefined ? '; Tab completes' : `. Did you mean ${name}?`;
}

/** The GPU whose name is close to a word with a number in it, as it is typed. */
export function closestGpu(text: string, gpus: readonly KnownGpu[]): string | undefined {
	if (!/\d{3}/.test(text)) return undefined;
	const plain = closest(
		plainName(text),
		gpus.flatMap(gpu => [gpu.plain, gpu.model]),
	);
	const meant = gpus.find(gpu => gpu.plain === plain || gpu.model === plain);
	return meant?.name.replaceAll(' ', '_');
}
