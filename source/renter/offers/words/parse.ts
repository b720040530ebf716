/**
 * Reads a line of words about offers, as existing command lines of this service have them
 * (`gpu_name=RTX_4090 num_gpus>=2 geolocation in [US,CA]`) and shorter (`4090 x4 <0.50 24g us,ca dc`).
 */
import type {OfferField} from '../../../contract/nouns/offer-search.ts';
import {WordError, type Word as WordOf} from '../../words/clauses.ts';
import {parseWords, type ParsedWords} from '../../words/parse.ts';
import {lexicon, type OfferClause} from './fields.ts';
import {conditionsOfClause, defaultConditions, defaultsLeft, type DefaultFlag} from './request.ts';
import {readBare} from './shorthand.ts';
import type {Condition} from '../../../contract/grammar/filter.ts';

export type ParsedLine = ParsedWords<OfferClause>;
export type Word = WordOf<OfferClause>;

/** Reads a line. `seen` are the names of GPUs that the service has, for short names. */
export function parseLine(line: string, seen: readonly string[] = []): ParsedLine {
	return parseWords<OfferField, OfferClause>({lexicon, readBare, check: claim}, line, seen);
}

/** The service takes one value for each field and operator: a second one would replace the first. */
function claim(clauses: readonly OfferClause[], taken: Set<string>): void {
	const claims = clauses.flatMap(clause => claimsOf(clause));
	const twice = claims.find(([key]) => taken.has(key));
	if (twice !== undefined) {
		throw new WordError(`${twice[1]} is already said, and the service takes it once`);
	}
	for (const [key] of claims) taken.add(key);
}

function claimsOf(clause: OfferClause): ReadonlyArray<readonly [key: string, name: string]> {
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

/** Something that can be left out of a search. */
export type Part = {
	readonly label: string;
	readonly conditions: ReadonlyArray<Condition<OfferField>>;
	/** Position in the line, or the default that it is. */
	readonly at: {readonly start: number; readonly end: number} | {readonly flag: DefaultFlag};
};

export function partsOf({words}: ParsedLine): readonly Part[] {
	const clauses = words.flatMap(word => word.clauses);
	return [
		...words
			.map(({text, start, end, clauses: meant}) => ({
				label: text,
				conditions: meant.flatMap(conditionsOfClause),
				at: {start, end},
			}))
			.filter(({conditions}) => conditions.length > 0),
		...defaultsLeft(clauses).map(flag => ({
			label: flag,
			conditions: defaultConditions([flag]),
			at: {flag},
		})),
	];
}

/** The line without some of its parts. A default is left out by saying so. */
export function lineWithout(line: string, parts: readonly Part[]): string {
	const spans = parts.flatMap(({at}) => ('start' in at ? [at] : []));
	const flags = parts.flatMap(({at}) => ('flag' in at ? [`${at.flag}=any`] : []));
	const rest = spans
		.toSorted((a, b) => b.start - a.start)
		.reduce((text, {start, end}) => `${text.slice(0, start)} ${text.slice(end)}`, line);
	return [rest.trim().replaceAll(/ {2,}/g, ' '), ...flags].filter(text => text !== '').join(' ');
}
