/** The order of rows, as searches in SQL and in memory are to have it. */
import type {Fields} from '../../../source/contract/grammar/filter.ts';
import {
	compareValues,
	normal,
	type Order,
	type ValueOf,
} from '../../../source/contract/grammar/filter-match.ts';

/** Compares rows by an order: unknown values last whatever the direction. */
export function compareRows<Row>(
	{orderFields}: {readonly orderFields: Fields},
	order: Order,
	valueOf: ValueOf<Row>,
): (a: Row, b: Row) => number {
	return (a, b) => {
		for (const [field, direction] of order) {
			const type = orderFields[field] ?? 'text';
			const [left, right] = [normal(type, valueOf(a, field)), normal(type, valueOf(b, field))];
			if (left === null || right === null) {
				if (left === right) continue;
				return left === null ? 1 : -1;
			}
			const result = compareValues(left, right);
			if (result !== 0) return direction === 'asc' ? result : -result;
		}
		return 0;
	};
}
