/** The tests of numbers as the wire has them. */
import type {Condition} from '../../../contract/filter.ts';
import type {OfferField} from '../../../contract/offer-search.ts';
import {refuse, type Test, type Unit, type WordField} from '../../words/clauses.ts';

const SECONDS_PER_DAY = 86_400;
const MB_AT_LEAST = 1000;
const MB_AT_MOST = 1024;

/** The number as the wire has it. */
function scaled(unit: Unit, amount: number): number {
	if (unit === 'days') return rounded(amount * SECONDS_PER_DAY);
	return unit === 'share' && amount > 1 ? rounded(amount / 100) : amount;
}

/** Without what binary fractions add: 99.9 percent is 0.999 and not a little more. */
function rounded(number: number): number {
	return Number(number.toPrecision(12));
}

type Wire = Condition<OfferField>;

/** Tests that compare: parts of texts do not. */
export type Comparison = Exclude<Test, {readonly texts: readonly string[]}>;

/** The tests of a number on the wire. */
export function numberConditions(
	{name, field, unit}: WordField<OfferField>,
	test: Comparison,
): readonly Wire[] {
	if (unit === 'memory') return memoryConditions(name, field, test);
	const scale = (value: unknown) => scaled(unit, Number(value));
	if ('from' in test) return between(field, scale(test.from), scale(test.to));
	if ('values' in test) return [{field, operator: test.operator, value: test.values.map(scale)}];
	return [{field, operator: test.operator, value: scale(test.value)}];
}

const least = (value: unknown) => rounded(Number(value) * MB_AT_LEAST);
const most = (value: unknown) => rounded(Number(value) * MB_AT_MOST);

/** Range of MB for a memory size: 24 GB as sold is between 24,000 and 24,576 MB. */
function memoryConditions(name: string, field: OfferField, test: Comparison): readonly Wire[] {
	switch (test.operator) {
		case 'range':
			return between(field, least(test.from), most(test.to));
		case 'eq':
			return between(field, least(test.value), most(test.value));
		case 'gte':
		case 'lt':
			return [{field, operator: test.operator, value: least(test.value)}];
		case 'lte':
		case 'gt':
			return [{field, operator: test.operator, value: most(test.value)}];
		case 'neq':
		case 'in':
		case 'notin':
			return refuse(`${name} takes one size or a range, such as ${name}>=24 or ${name}=16..24`);
	}
}

function between(field: OfferField, from: number, to: number): readonly Wire[] {
	return [
		{field, operator: 'gte', value: from},
		{field, operator: 'lte', value: to},
	];
}
