/**
 * Reads a line of words about offers, in the form of this service's existing command lines
 * (`gpu_name=RTX_4090 num_gpus>=2 geolocation in [US,CA]`) and shorter (`4090 x4 <0.50 24g us,ca
 * dc`).
 */
import type {ValueOperator, Condition} from '../../../contract/grammar/filter.ts';
import type {OfferField, Pricing} from '../../../contract/nouns/offer-search.ts';
import {
	findWordField,
	refuse,
	type BareWord,
	WordError,
	type Word as WordOf,
	type Value,
} from '../../words/clauses.ts';
import {
	findOfferWord,
	lexicon,
	type OfferClause,
	printClauses,
	type OfferWord,
	type SearchField,
} from './fields.ts';
import {matchGpus, type KnownGpu} from '../../words/gpu-match.ts';
import {readLocation, splitItems, type Item} from '../../words/values.ts';
import {closest, closestGpu, fieldSuggestion} from '../../words/complete.ts';
import {readTest, makeValueTest} from '../../words/tests.ts';
import {parseWords, type ParsedWords} from '../../words/parse.ts';
import {conditionsOfClause, defaultConditions, defaultsLeft, type DefaultFlag} from './request.ts';

export type ParsedLine = ParsedWords<OfferClause>;
type Word = WordOf<OfferClause>;

/** Reads a line. `gpuNames` are the names of the service's GPUs, for short names. */
export function parseLine(line: string, gpuNames: readonly string[] = []): ParsedLine {
	return parseWords<SearchField, OfferClause>({lexicon, readBare, check: claim}, line, gpuNames);
}

/** Claims a field and operator: the service accepts one value for both, and would drop the first. */
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

export type SearchPart = {
	readonly label: string;
	readonly conditions: ReadonlyArray<Condition<SearchField>>;
	/** Position in the line, or the default. */
	readonly at: {readonly start: number; readonly end: number} | {readonly flag: DefaultFlag};
};

export function searchPartsOf({words}: ParsedLine): readonly SearchPart[] {
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
export function lineWithout(line: string, parts: readonly SearchPart[]): string {
	const spans = parts.flatMap(({at}) => ('start' in at ? [at] : []));
	const flags = parts.flatMap(({at}) => ('flag' in at ? [`${at.flag}=any`] : []));
	const rest = spans
		.toSorted((a, b) => b.start - a.start)
		.reduce((text, {start, end}) => `${text.slice(0, start)} ${text.slice(end)}`, line);
	return [rest.trim().replaceAll(/ {2,}/g, ' '), ...flags].filter(text => text !== '').join(' ');
}

type ChosenValue = {readonly field: OfferWord; readonly value: Value};

/** The values that a line allows a field to have; none if it does not restrict the field. */
export function valuesIn({words}: ParsedLine, field: OfferWord): readonly Value[] {
	return words.flatMap(({clauses}) => clauses.flatMap(clause => allowedBy(clause, field) ?? []));
}

/**
 * The line with one more value that a field may have, or one fewer if it was already there. `gpus`
 * are all names that short ones are compared with.
 */
export function toggleValue(
	line: string,
	{words}: ParsedLine,
	{field, value}: ChosenValue,
	gpus: readonly string[],
): string {
	const naming = words.filter(({clauses}) => clauses.some(clause => allowedBy(clause, field)));
	const having = ({clauses}: Word) =>
		clauses.some(clause => allowedBy(clause, field)?.includes(value));
	const word = naming.find(having) ?? naming[0];
	if (word === undefined) return joined([line, printClauses([allowing(field, [value])], gpus)]);
	const clauses = word.clauses.flatMap(clause => {
		const values = allowedBy(clause, field);
		if (values === undefined) return [clause];
		const rest = values.filter(other => other !== value);
		const next = rest.length < values.length ? rest : [...values, value];
		return next.length === 0 ? [] : [allowing(field, next)];
	});
	return joined([line.slice(0, word.start), printClauses(clauses, gpus), line.slice(word.end)]);
}

/** The values of a clause that lists those of a field; undefined for every other clause. */
function allowedBy(clause: OfferClause, {field}: OfferWord): readonly Value[] | undefined {
	if (clause.kind !== 'test' || clause.field.field !== field) return undefined;
	const {test} = clause;
	if (test.operator === 'eq') return [test.value];
	return test.operator === 'in' ? test.values : undefined;
}

function allowing(field: OfferWord, values: readonly Value[]): OfferClause {
	return {kind: 'test', field, test: makeValueTest('eq', values, field.name)};
}

function joined(parts: readonly string[]): string {
	return parts
		.map(part => part.trim())
		.filter(part => part !== '')
		.join(' ');
}

const pricings: ReadonlyMap<string, Pricing> = new Map([
	['bid', 'bid'],
	['interruptible', 'bid'],
	['on-demand', 'on-demand'],
	['ondemand', 'on-demand'],
	['reserved', 'reserved'],
]);

/** Words for yes or no to a field. Every field of that kind is also such a word itself. */
const flagWords: ReadonlyMap<string, readonly [field: OfferField, value: boolean]> = new Map([
	['datacenter', ['datacenter', true]],
	['unverified', ['verified', false]],
]);

type Read = (word: BareWord, gpus: readonly KnownGpu[]) => readonly OfferClause[] | undefined;

/** The ways to read a word; the first that matches is used. */
const ways: readonly Read[] = [
	readComparison,
	readAny,
	readPricing,
	readFlag,
	readCount,
	readSize,
	readCountries,
	readGpus,
];

/** Clauses of a word that names no field: `4090`, `x4`, `<0.50`, `24g`, `us,ca`, `dc`. */
function readBare(word: BareWord, gpus: readonly KnownGpu[]): readonly OfferClause[] {
	for (const read of ways) {
		const clauses = read(word, gpus);
		if (clauses !== undefined) return clauses;
	}
	return refuse(unknown(word.text, gpus));
}

/**
 * Field of a bare comparison: `<0.50` is about the price, `>=24g` about memory, `>99%` about
 * reliability, `>30d` about time.
 */
function readComparison({
	isNegated,
	text,
	start,
	end,
}: BareWord): readonly OfferClause[] | undefined {
	const [, sign, value] = /^([=<>!]+)(.*)$/su.exec(text) ?? [];
	if (sign === undefined || value === undefined) return undefined;
	if (isNegated || !/^[<>]=?$/.test(sign)) {
		return refuse(`${text}: a field must stand before ${sign}`);
	}
	const name = fieldOfUnit(value);
	return [readTest({kind: 'test', name, operator: sign, value, start, end}, lexicon, [])];
}

function fieldOfUnit(value: string): string {
	if (/gb?$/i.test(value)) return 'vram';
	if (value.endsWith('%')) return 'rel';
	return /\dd$/i.test(value) ? 'days' : 'price';
}

function readAny({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	if (text.toLowerCase() !== 'any') return undefined;
	return isNegated ? refuse('!any means nothing') : [{kind: 'any', field: undefined}];
}

function readPricing({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const pricing = pricings.get(text.toLowerCase());
	if (pricing === undefined) return undefined;
	return isNegated
		? refuse(`!${text}: say which pricing instead: on-demand, bid or reserved`)
		: [{kind: 'pricing', pricing}];
}

function readFlag({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const field = findWordField(lexicon, text);
	const isFlag = field?.type === 'boolean';
	const [wire, value] = flagWords.get(text.toLowerCase()) ?? [
		isFlag ? field.field : undefined,
		true,
	];
	return wire === undefined ? undefined : [check(wire, isNegated ? !value : value)];
}

function check(field: SearchField, value: boolean): OfferClause {
	return {kind: 'test', field: findOfferWord(field), test: {operator: 'eq', value}};
}

const amount = String.raw`\d+(?:\.\.\d*)?`;
const count = new RegExp(`^(?:x(${amount})|(${amount})x(.*))$`, 'isu');

/** `x4`, `4x`, `x2..4`; `4x4090` names the GPU too. */
function readCount({isNegated, text, start, end}: BareWord, gpus: readonly KnownGpu[]) {
	const [, behind, before, name = ''] = count.exec(text) ?? [];
	const value = behind ?? before;
	if (value === undefined) return undefined;
	const hasName = name !== '';
	if (isNegated && (hasName || value.includes('..'))) refuse(`!${text}: say ! for one thing alone`);
	const operator = isNegated ? '!=' : '=';
	const quantity = readTest({kind: 'test', name: 'qty', operator, value, start, end}, lexicon, []);
	if (!hasName) return [quantity];
	const gpu = readGpus({kind: 'bare', isNegated: false, text: name, start, end}, gpus);
	return gpu === undefined ? undefined : [quantity, ...gpu];
}

/** A minimum: `24g`, `99%` and `30d`. */
function readSize({isNegated, text, start, end}: BareWord): readonly OfferClause[] | undefined {
	const [, value, unit] = /^(\d+(?:\.\d+)?)(gb?|%|d)$/i.exec(text) ?? [];
	if (value === undefined || unit === undefined) return undefined;
	const operator = isNegated ? '<' : '>=';
	const name = fieldOfUnit(text);
	return [readTest({kind: 'test', name, operator, value, start, end}, lexicon, [])];
}

function readCountries({isNegated, text}: BareWord): readonly OfferClause[] | undefined {
	const locations = plainItems(text)?.map(item => readLocation(item.text));
	if (locations === undefined || !locations.every(code => code !== undefined)) return undefined;
	const field = findOfferWord('geolocation');
	return [
		{kind: 'test', field, test: makeValueTest(operatorFor(isNegated), locations, field.name)},
	];
}

function readGpus({isNegated, text}: BareWord, gpus: readonly KnownGpu[]) {
	const items = splitItems(text);
	if (items.length === 0) return undefined;
	const names = items.map(item => matchGpus(gpus, item.text));
	if (names.some(meant => meant.length === 0)) return undefined;
	const field = findOfferWord('gpu_name');
	const test = makeValueTest(operatorFor(isNegated), names.flat(), field.name);
	return [{kind: 'test', field, test}] as const;
}

function operatorFor(isNegated: boolean): ValueOperator {
	return isNegated ? 'neq' : 'eq';
}

/** The items of a list without quotes; undefined for anything else. */
function plainItems(text: string): readonly Item[] | undefined {
	if (/["'[\]]/.test(text)) return undefined;
	const items = splitItems(text);
	return items.length === 0 ? undefined : items;
}

function unknown(text: string, gpus: readonly KnownGpu[]): string {
	if (text === '') return '! needs a word behind it';
	const field = findWordField(lexicon, text);
	if (field !== undefined) {
		const example = field.type === 'number' ? '>=1' : '=…';
		return `${text} needs an operator and a value: ${text}${example}`;
	}
	if (/^\$?[\d.]+$/.test(text)) {
		return `${text} alone says nothing: x${text} for GPUs, ${text}g for memory, <${text} for a price`;
	}
	const word =
		closestGpu(text, gpus) ??
		closest(text, [...lexicon.bareWords, 'verified', 'rentable', 'on-demand']);
	const suggestion =
		word === undefined ? fieldSuggestion(text, lexicon) : `. Did you mean ${word}?`;
	return `${text} is no GPU, country or field${suggestion}`;
}
