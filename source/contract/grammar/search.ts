/**
 * Searches of every noun. A `Searchable` value lists the fields of a noun: requests are parsed with
 * it, as a body (offers, volumes) or as texts of a query (instances, templates), and
 * `filter-match.ts` searches rows in memory with it.
 */
import type {Order} from './filter-match.ts';
import {
	FilterError,
	queryError,
	isFieldOf,
	parseFilter,
	readNumber,
	unknownField,
	type Fields,
	type Vocabulary,
} from './filter.ts';
import {isRecord, listOf} from './json.ts';

export type Searchable<Table extends Fields, Ordered extends Fields = Table> = Vocabulary<Table> & {
	readonly orderFields: Ordered;
	/** Default order. */
	readonly order: Order<keyof Ordered & string>;
	/** Default and largest number of records on a page; undefined for all records. */
	readonly page: {readonly usual: number; readonly most?: number} | undefined;
};

type Anything = Readonly<Record<string, unknown>>;

/** Reads a body: the fields of the filter, with an order and a limit beside them. */
export function readSearchBody<Table extends Fields>(
	noun: Searchable<Table>,
	{order, limit, ...rest}: Anything,
	passedOver: ReadonlySet<string>,
) {
	const fields = Object.entries(rest).filter(([key]) => !passedOver.has(key));
	return {
		filter: parseFilter(noun, Object.fromEntries(fields)),
		order: given(order, value => readPairs(noun, value)) ?? noun.order,
		limit: given(limit, readLimit) ?? noun.page?.usual ?? 0,
	};
}

/** Reads a query: filter, order and requested fields, each as JSON. */
export function readSearchQuery<Table extends Fields, Ordered extends Fields>(
	noun: Searchable<Table, Ordered>,
	query: Anything,
) {
	return {
		filter: parseFilter(noun, readSelectFilters(query)),
		order: given(readOrderBy(query['order_by']), value => readOrder(noun, value)),
		columns: given(readJson('select_cols', query['select_cols']), readColumns),
	};
}

/** The filter of a query; empty for a query without one. */
export function readSelectFilters(query: Anything): Anything {
	const filters = readJson('select_filters', query['select_filters']) ?? {};
	if (!isRecord(filters)) throw new FilterError('select_filters must be a JSON object.');
	return filters;
}

/** The token from the previous page; undefined for the first page. */
export function readAfter({after_token: after}: Anything): string | undefined {
	return typeof after === 'string' && after !== '' ? after : undefined;
}

/** Null means "not given", in every request. */
export function given<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
	return value === undefined || value === null ? undefined : read(value);
}

/** The JSON of a part; undefined if not given. */
function readJson(name: string, text: unknown): unknown {
	if (typeof text !== 'string' || text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw queryError(`${name} is not valid JSON.`, {cause});
	}
}

/** JSON, or the plain name of a column, with a minus for descending order. */
function readOrderBy(text: unknown): unknown {
	const [, minus, name] =
		(typeof text === 'string' && text !== 'null' && /^(-?)(\w+)$/.exec(text)) || [];
	return name === undefined ? readJson('order_by', text) : [[name, minus === '-' ? 'desc' : 'asc']];
}

/** Pairs of a field and a direction, the most significant first. */
function readPairs<Table extends Fields>(
	{orderFields, aliases}: Searchable<Table>,
	value: unknown,
): Order<keyof Table & string> {
	if (!Array.isArray(value)) throw new FilterError('order takes a list of [field, direction]');
	return value.map((entry: unknown) => {
		const [field, direction] = listOf(entry);
		const alias =
			typeof field === 'string' && aliases !== undefined && Object.hasOwn(aliases, field)
				? aliases[field]
				: undefined;
		return readKey('order', orderFields, field, alias?.field ?? field, direction);
	});
}

/** `[{"col": …, "dir": …}]`, or pairs. */
function readOrder<Table extends Fields, Ordered extends Fields>(
	{orderFields}: Searchable<Table, Ordered>,
	value: unknown,
): Order<keyof Ordered & string> {
	if (!Array.isArray(value)) throw new FilterError('order_by takes a list of {col, dir}');
	return value.map((entry: unknown) => {
		const [field, direction] = isRecord(entry) ? [entry['col'], entry['dir']] : listOf(entry);
		return readKey('order_by', orderFields, field, field, direction);
	});
}

function readKey<Table extends Fields>(
	part: string,
	fields: Table,
	said: unknown,
	field: unknown,
	direction: unknown,
): readonly [keyof Table & string, 'asc' | 'desc'] {
	if (typeof field !== 'string' || !isFieldOf(fields, field)) {
		const named = JSON.stringify(said) ?? 'nothing';
		throw unknownField(`${part}: ${named}`);
	}
	return [field, direction === 'desc' ? 'desc' : 'asc'];
}

export function printSearchOrder(order: Order): string {
	return JSON.stringify(order.map(([col, dir]) => ({col, dir})));
}

/** The requested fields; undefined for all. */
export function readColumns(value: unknown): readonly string[] | undefined {
	const isNames = Array.isArray(value) && value.every(name => typeof name === 'string');
	if (!isNames) throw new FilterError('select_cols takes a list of names');
	return value.includes('*') ? undefined : value;
}

export function readLimit(value: unknown): number {
	const limit = readNumber(value);
	if (limit === undefined || !Number.isSafeInteger(limit) || limit < 1) {
		throw queryError('limit takes a whole number of at least 1');
	}
	return limit;
}

/** Takes amounts out of a body; an amount that is an object of conditions is a field of the filter. */
export function takeAmounts<Name extends string>(names: readonly Name[], body: Anything) {
	const isAmount = (name: string) => names.some(one => one === name) && !isRecord(body[name]);
	const amounts: Partial<Record<Name, number | undefined>> = {};
	for (const name of names) {
		if (isAmount(name)) amounts[name] = given(body[name], value => readAmount(name, value));
	}
	const fields = Object.entries(body).filter(([name]) => !isAmount(name));
	return {amounts, fields: Object.fromEntries(fields)};
}

/** Upper bound of an amount, so that databases can multiply it by prices. */
const MOST_AMOUNT = 1e15;
const LEAST_AMOUNT = 1e-9;

function readAmount(key: string, value: unknown): number {
	const amount = readNumber(value);
	if (amount === undefined || amount < 0)
		throw new FilterError(`${key} takes a number of at least 0`);
	return amount < LEAST_AMOUNT ? 0 : Math.min(amount, MOST_AMOUNT);
}
