import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {sortedIndexes} from '../../../source/console/list/order.ts';

/** Numbers among which many are equal, or differ in their last bit. */
const number = fc.oneof(
	fc.double({noNaN: true}),
	fc.constantFrom(
		0,
		-0,
		5e-324,
		-5e-324,
		1,
		-1,
		0.3,
		0.1 + 0.2,
		-0.3,
		-(0.1 + 0.2),
		1e308,
		Infinity,
		-Infinity,
	),
	fc.integer({min: -3, max: 3}),
);

test('places of numbers come in the order of the numbers, those of equal ones as they were', () => {
	fc.assert(
		fc.property(fc.array(number, {maxLength: 300}), values => {
			const numbers = Float64Array.from(values);
			const expected = values.map((_, place) => place);
			const byNumber = (a: number, b: number) => {
				const [left = 0, right = 0] = [values[a], values[b]];
				return left === right ? a - b : left - right;
			};
			expect([...sortedIndexes(numbers)]).toEqual(expected.toSorted(byNumber));
			expect(numbers).toEqual(Float64Array.from(values));
		}),
		{examples: [[[0, -5e-324]]]},
	);
});
