/**
 * Conditions as users type them, a word each: `count_created>=100 image=a/b,c/d !private`. A word
 * without an operator is a flag if there is one of that name, otherwise a part of a name.
 */
import {
	FilterError,
	parseFilter,
	type Condition,
	type Fields,
	type Filter,
	type Operator,
	printFilter,
} from '../../contract/grammar/filter.ts';
import {isRecord, parseJson} from '../../contract/grammar/json.ts';
import {searchableOffers} from '../../contract/nouns/offer-search.ts';
import type {Template} from '../../contract/nouns/templates.ts';

type FilterWords<Field extends string> = {
	readonly filter: Filter<Field>;
	/** Words that match no field. */
	readonly texts: readonly string[];
	readonly problem: string | undefined;
};

const signs: Readonly<Record<string, Operator>> = {
	'=': 'eq',
	'==': 'eq',
	'!=': 'neq',
	'<': 'lt',
	'<=': 'lte',
	'>': 'gt',
	'>=': 'gte',
};

export function parseConditions<Table extends Fields>(
	fields: Table,
	line: string,
): FilterWords<keyof Table & string> {
	const conditions: Array<Condition<keyof Table & string>> = [];
	const texts: string[] = [];
	const keys = new Set<string>();
	for (const word of joinSpelledOut(splitLine(line))) {
		try {
			const parts = partsOf(fields, word);
			if (parts === undefined) texts.push(unquote(word));
			else conditions.push(...readCondition(fields, parts, keys));
		} catch (error) {
			if (!(error instanceof FilterError)) throw error;
			return {filter: conditions, texts, problem: `${word}: ${error.message}`};
		}
	}
	return {filter: conditions, texts, problem: undefined};
}

/** Writes conditions as words that yield the same when read. */
export function printConditions(filter: Filter): string {
	return filter.map(writeCondition).join(' ');
}

function writeCondition({field, operator, value}: Condition): string {
	const sign = Object.entries(signs).find(([, known]) => known === operator)?.[0];
	const text = Array.isArray(value) ? value.map(writeValue).join(',') : writeValue(value);
	if (sign !== undefined) return `${field}${sign}${text}`;
	return `${field} ${operator} ${text}`;
}

function writeValue(value: unknown): string {
	const text = value === true ? 'yes' : value === false ? 'no' : String(value);
	return /[\s,]/.test(text) || text === '' ? `"${text}"` : text;
}

type Parts = {readonly field: string; readonly operator: Operator; readonly value: string};

/** Parts of a condition; undefined if the word is none. */
function partsOf(fields: Fields, word: string): Parts | undefined {
	return signedParts(fields, word) ?? listedParts(word) ?? flagParts(fields, word);
}

function signedParts(fields: Fields, word: string): Parts | undefined {
	const [, name = '', sign = '', value = ''] =
		/^([a-z_]+)\s*(==|!=|<=|>=|=|<|>)(.*)$/s.exec(word) ?? [];
	const operator = signs[sign];
	if (operator === undefined) return undefined;
	if (!Object.hasOwn(fields, name)) throw new FilterError(`${name} is not a field`);
	return listed({field: name, operator, value});
}

function listedParts(word: string): Parts | undefined {
	const [, field = '', operator = '', value = ''] = /^([a-z_]+) (in|notin) (.+)$/s.exec(word) ?? [];
	return operator === 'in' || operator === 'notin' ? {field, operator, value} : undefined;
}

function flagParts(fields: Fields, word: string): Parts | undefined {
	const [, not, field = ''] = /^(!?)([a-z_]+)$/.exec(word) ?? [];
	if (fields[field] !== 'boolean') return undefined;
	return {field, operator: 'eq', value: not === '' ? 'yes' : 'no'};
}

/** Condition as a list, if it allows one of several values. */
function listed(parts: Parts): Parts {
	if (splitList(parts.value).length < 2) return parts;
	if (parts.operator === 'eq') return {...parts, operator: 'in'};
	return parts.operator === 'neq' ? {...parts, operator: 'notin'} : parts;
}

function readCondition<Table extends Fields>(
	fields: Table,
	{field, operator, value}: Parts,
	keys: Set<string>,
): Filter<keyof Table & string> {
	const key = `${field} ${operator}`;
	if (keys.has(key)) throw new FilterError('this was asked for already; a list is written a,b');
	keys.add(key);
	const isList = operator === 'in' || operator === 'notin';
	const read = (text: string) => readValue(fields[field] ?? 'text', field, text);
	const values = isList ? splitList(value).map(read) : read(unquote(value));
	return parseFilter({fields}, {[field]: {[operator]: values}});
}

const yesAndNo: ReadonlyMap<string, boolean> = new Map([
	['yes', true],
	['no', false],
]);

/** Reads a value: yes and no mean true and false, and times are in days. */
function readValue(type: string, field: string, text: string): unknown {
	if (type === 'boolean') return yesAndNo.get(text.toLowerCase()) ?? text;
	const isTime = field === 'created_at' || field === 'recent_create_date';
	if (isTime && /^\d{4}-\d\d-\d\d$/.test(text)) return Date.parse(`${text}T00:00:00Z`) / 1000;
	return text;
}

/** Splits a line at blanks, except between quotes. */
function splitLine(line: string): readonly string[] {
	return line.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
}

/** Joins `field in a,b` and `field > 3`, which may be typed with blanks. */
function joinSpelledOut(parts: readonly string[]): readonly string[] {
	const joined: string[] = [];
	for (let at = 0; at < parts.length; at++) {
		const [word = '', next = '', value] = parts.slice(at, at + 3);
		const isSign = next in signs;
		if (value !== undefined && /^[a-z_]+$/.test(word) && (isSign || /^(?:in|notin)$/.test(next))) {
			joined.push(isSign ? word + next + value : `${word} ${next} ${value}`);
			at += 2;
		} else {
			joined.push(word);
		}
	}
	return joined;
}

function splitList(text: string): readonly string[] {
	return (text.match(/(?:"[^"]*"|[^,"])+/g) ?? []).map(unquote);
}

function unquote(text: string): string {
	return text.replaceAll('"', '');
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Filters as words if these can express all of them, otherwise as JSON. */
export function extraFiltersText({
	extra_filters: filters,
}: Pick<Template, 'extra_filters'>): string {
	if (filters === null || filters === undefined) return '';
	const json = JSON.stringify(filters);
	try {
		const words = printConditions(parseFilter({fields: searchableOffers.fields}, filters));
		const again = readExtraFilters(words);
		return 'filters' in again && JSON.stringify(again.filters) === json ? words : json;
	} catch (error) {
		if (error instanceof FilterError) return json;
		throw error;
	}
}

/** Reads words about offers, or an object as JSON. */
export function readExtraFilters(
	text: string,
): {readonly filters: JsonObject} | {readonly problem: string} {
	if (text.trim().startsWith('{')) return readJson(text);
	const {filter, texts, problem} = parseConditions(searchableOffers.fields, text);
	if (problem !== undefined) return {problem};
	if (texts.length > 0) return {problem: `"${texts[0]}" is no condition, like num_gpus>=2`};
	return {filters: printFilter(filter)};
}

export function readJson(
	text: string,
): {readonly filters: JsonObject} | {readonly problem: string} {
	const value = parseJson(text);
	if (value === undefined) return {problem: 'this is not JSON'};
	return isRecord(value) ? {filters: value} : {problem: 'expected a JSON object, like {}'};
}
