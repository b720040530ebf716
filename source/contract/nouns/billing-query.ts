/** Billing queries: a time range, kinds of records, and a page. */
import {FilterError, queryError, readNumber, unknownField} from '../grammar/filter.ts';
import {isRecord} from '../grammar/json.ts';
import {readAfter, readSelectFilters} from '../grammar/search.ts';
import {DAY} from '../rules/durations.ts';

export const DEFAULT_RECORDS = 20;
const MOST_RECORDS = 100;

/** Seconds since 1970, both ends included. */
export type TimeRange = {readonly from: number; readonly until: number};

export type RecordSearch = {
	/** Undefined if not given, or if it ends before it begins, which the service refuses. */
	readonly range: TimeRange | undefined;
	/** Undefined for all. */
	readonly types: readonly string[] | undefined;
	readonly latestFirst: boolean;
	readonly limit: number;
	/** Cursor of the previous page. */
	readonly after: string | undefined;
};

/** Time column of a filter. A day may also be a number of days since 1970. */
type TimeColumn = 'when' | 'day';

type Query = Readonly<Record<string, unknown>>;

export function parseRecordSearch(column: TimeColumn, query: Query): RecordSearch {
	const {[column]: time, type, service, ...others} = readSelectFilters(query);
	const [other] = Object.keys(others);
	if (other !== undefined) throw unknownField(other);
	return {
		range: readRange(column, time),
		types: readTypes('type', type) ?? readTypes('service', service),
		latestFirst: isTrue(query['latest_first']),
		limit: readLimit(query['limit']),
		after: readAfter(query),
	};
}

/** Writes a search for the wire. Reading it again yields the same search. */
export function printRecordSearch(
	column: TimeColumn,
	{range, types, latestFirst, limit, after}: RecordSearch,
): Record<string, string> {
	const filters = {
		...(range && {[column]: {gte: range.from, lte: range.until}}),
		...(types && {type: {in: types}}),
	};
	return {
		select_filters: JSON.stringify(filters),
		latest_first: String(latestFirst),
		limit: String(limit),
		...(after !== undefined && {after_token: after}),
	};
}

export type LedgerSearch = {
	readonly range: TimeRange;
	readonly withCharges: boolean;
};

export function parseLedgerSearch(query: Query): LedgerSearch {
	const range = {
		from: readMoment('sdate', query['sdate']) ?? FIRST_MOMENT,
		until: readMoment('edate', query['edate']) ?? LAST_MOMENT,
	};
	const {inc_charges: charges = 'true'} = query;
	return {range, withCharges: isTrue(charges)};
}

export function printLedgerSearch({range, withCharges}: LedgerSearch): Record<string, string> {
	return {
		sdate: String(range.from),
		edate: String(range.until),
		inc_charges: String(withCharges),
	};
}

/** First and last moment of a Date: a bound beyond them is no bound. */
const LAST_MOMENT = 8.64e12;
const FIRST_MOMENT = -LAST_MOMENT;

/** The largest number read as days; a larger one is seconds. */
const MOST_DAYS = 100_000;

function readRange(column: TimeColumn, value: unknown): TimeRange | undefined {
	if (value === undefined || value === null) return undefined;
	if (!isRecord(value)) throw new FilterError(`${column} takes {"gte": …, "lte": …}`);
	const {gte, lte, ...others} = value;
	const [other] = Object.keys(others);
	if (other !== undefined) throw new FilterError(`${other} is not a valid search op for ${column}`);
	const from = readBound(column, gte);
	const until = readBound(column, lte);
	if (from === undefined && until === undefined) return undefined;
	const range = {from: from ?? FIRST_MOMENT, until: until ?? LAST_MOMENT};
	return range.from <= range.until ? range : undefined;
}

function readBound(column: TimeColumn, value: unknown): number | undefined {
	const bound = readMoment(column, value);
	const isDays = column === 'day' && bound !== undefined && Math.abs(bound) < MOST_DAYS;
	return isDays ? bound * DAY : bound;
}

/** Python programs write an absent value as text, too. */
const absent: ReadonlySet<unknown> = new Set([undefined, null, '', 'null', 'None']);

function readMoment(name: string, value: unknown): number | undefined {
	if (absent.has(value)) return undefined;
	const moment = readNumber(value);
	if (moment === undefined) throw new FilterError(`${name} must be in seconds since 1970`);
	return Math.min(Math.max(moment, FIRST_MOMENT), LAST_MOMENT);
}

function readTypes(name: string, value: unknown): readonly string[] | undefined {
	if (value === undefined || value === null) return undefined;
	const {in: list, eq: one, ...others} = isRecord(value) ? value : {unknown: value};
	const types = list ?? [one];
	const isList = Array.isArray(types) && types.every(type => typeof type === 'string');
	if (!isList || Object.keys(others).length > 0) {
		throw new FilterError(`${name} takes {"in": [names]}`);
	}
	return types;
}

function readLimit(value: unknown): number {
	if (absent.has(value)) return DEFAULT_RECORDS;
	const limit = readNumber(value);
	if (limit === undefined) throw queryError('limit must be a number');
	return limit < 1 ? DEFAULT_RECORDS : Math.min(Math.trunc(limit), MOST_RECORDS);
}

function isTrue(value: unknown): boolean {
	return value === true || (typeof value === 'string' && /^(true|1)$/i.test(value));
}

const comparisons = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;

type InvoiceBound = {
	readonly column: 'id' | 'when';
	readonly comparison: (typeof comparisons)[number];
	readonly value: number;
};

export function meetsBound(
	number: number,
	{comparison, value}: Pick<InvoiceBound, 'comparison' | 'value'>,
): boolean {
	if (comparison === 'eq') return number === value;
	if (number === value) return comparison === 'gte' || comparison === 'lte';
	return number > value === comparison.startsWith('g');
}

export type InvoiceSearch = {
	readonly bounds: readonly InvoiceBound[];
	/** Undefined for all. */
	readonly services: readonly string[] | undefined;
};

export function parseInvoiceSearch(query: Query): InvoiceSearch {
	const {id, when, service, ...others} = readSelectFilters(query);
	const [other] = Object.keys(others);
	if (other !== undefined) throw unknownField(other);
	const bounds = [...readBounds('id', id), ...readBounds('when', when)];
	return {bounds, services: readTypes('service', service)};
}

function readBounds(column: 'id' | 'when', value: unknown): InvoiceSearch['bounds'] {
	if (value === undefined || value === null) return [];
	return Object.entries(isRecord(value) ? value : {eq: value}).map(([name, sent]) => {
		const comparison = comparisons.find(one => one === name);
		if (comparison === undefined) {
			throw new FilterError(`${name} is not a valid search op for ${column}`);
		}
		const bound = readNumber(sent);
		if (bound === undefined) throw new FilterError(`${column} must be a number`);
		return {column, comparison, value: bound};
	});
}

export function printInvoiceSearch({bounds, services}: InvoiceSearch): Record<string, string> {
	const filters: Record<string, Record<string, unknown>> = {};
	for (const {column, comparison, value} of bounds) {
		filters[column] = {...filters[column], [comparison]: value};
	}
	if (services !== undefined) filters['service'] = {in: services};
	return {select_filters: JSON.stringify(filters)};
}
