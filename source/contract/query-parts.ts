/** The parts that searches by query have in common: an order and the fields wanted, as JSON texts. */
import type {Order} from './filter-match.ts';
import {FilterError, isFieldOf} from './filter.ts';
import type {Fields} from './filter.ts';
import {isRecord} from './json.ts';

/** The JSON of a part; undefined where it is not given. */
export function readJson(name: string, text: unknown): unknown {
	if (typeof text !== 'string' || text === '') return undefined;
	try {
		return JSON.parse(text);
	} catch (cause) {
		throw new FilterError(`${name} is not valid JSON.`, {cause});
	}
}

/** Reads `[{"col": …, "dir": …}]`, or pairs; undefined where no order is given. */
export function readOrder<Table extends Fields>(
	fields: Table,
	value: unknown,
): Order<keyof Table & string> | undefined {
	if (value === undefined || value === null) return undefined;
	if (!Array.isArray(value)) throw new FilterError('order_by takes a list of {col, dir}');
	return value.map((entry: unknown) => {
		const [field, direction] = isRecord(entry)
			? [entry['col'], entry['dir']]
			: Array.isArray(entry)
				? (entry as unknown[])
				: [];
		if (typeof field !== 'string' || !isFieldOf(fields, field)) {
			const named = JSON.stringify(field) ?? 'nothing';
			throw new FilterError(`order_by: ${named} is not a valid search key`);
		}
		return [field, direction === 'desc' ? 'desc' : 'asc'];
	});
}

export function printOrder(order: Order): string {
	return JSON.stringify(order.map(([col, dir]) => ({col, dir})));
}

/** The names of the fields wanted; undefined for all. */
export function readColumns(value: unknown): readonly string[] | undefined {
	if (value === undefined || value === null) return undefined;
	const isNames = Array.isArray(value) && value.every(name => typeof name === 'string');
	if (!isNames) throw new FilterError('select_cols takes a list of names');
	return value.includes('*') ? undefined : value;
}
