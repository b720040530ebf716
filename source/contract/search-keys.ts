/** The keys that stand beside the filter of a search. */
import type {Order} from './filter-match.ts';
import {FilterError, isFieldOf, readNumber} from './filter.ts';
import type {Fields, Vocabulary} from './filter.ts';

/** Null means "not given", in every body. */
export function given<Value>(value: unknown, read: (value: unknown) => Value): Value | undefined {
	return value === undefined || value === null ? undefined : read(value);
}

/** Pairs of a field and a direction, the first the most important. */
export function readSearchOrder<Table extends Fields>(
	{fields, aliases}: Vocabulary<Table>,
	value: unknown,
): Order<keyof Table & string> {
	if (!Array.isArray(value)) throw new FilterError('order takes a list of [field, direction]');
	return value.map((entry: unknown) => {
		const [field, direction] = Array.isArray(entry) ? (entry as unknown[]) : [];
		const alias =
			typeof field === 'string' && aliases !== undefined && Object.hasOwn(aliases, field)
				? aliases[field]
				: undefined;
		const name = alias?.field ?? field;
		if (typeof name !== 'string' || !isFieldOf(fields, name)) {
			throw new FilterError(
				`order: ${JSON.stringify(field) ?? 'nothing'} is not a valid search key`,
			);
		}
		return [name, direction === 'desc' ? 'desc' : 'asc'];
	});
}

export function readLimit(value: unknown): number {
	const limit = readNumber(value);
	if (limit === undefined || !Number.isSafeInteger(limit) || limit < 1) {
		throw new FilterError('limit takes a whole number of at least 1');
	}
	return limit;
}

export function readAmount(key: string, value: unknown): number {
	const amount = readNumber(value);
	if (amount === undefined || amount < 0)
		throw new FilterError(`${key} takes a number of at least 0`);
	return amount;
}
