import {expect, test} from 'vitest';
import {countryOf, matches} from '../../../source/contract/grammar/filter-match.ts';
import {compareRows} from '../../helpers/market/compare-rows.ts';
import type {Condition, FieldType, Scalar} from '../../../source/contract/grammar/filter.ts';

const fields: Readonly<Record<string, FieldType>> = {
	gpus: 'number',
	verified: 'boolean',
	maker: 'text',
	gpu: 'name',
	driver: 'version',
	place: 'place',
};

type Row = Readonly<Record<string, Scalar>>;

const valueOf = (row: Row, field: string) => row[field];

test.each<readonly [row: Row, operator: Condition['operator'], value: unknown, holds: boolean]>([
	[{gpus: 2}, 'eq', 2, true],
	[{gpus: 2}, 'neq', 2, false],
	[{gpus: 2}, 'lt', 2, false],
	[{gpus: 2}, 'lte', 2, true],
	[{gpus: 2}, 'gt', 1.5, true],
	[{gpus: 2}, 'gte', 3, false],
	[{gpus: 2}, 'in', [1, 2], true],
	[{gpus: 2}, 'notin', [1, 2], false],
	[{gpus: 2}, 'in', [], false],
	[{gpus: 2}, 'notin', [], true],
	[{gpus: null}, 'eq', null, true],
	[{gpus: null}, 'eq', 2, false],
	[{gpus: null}, 'neq', 2, true],
	[{gpus: null}, 'neq', null, false],
	[{gpus: null}, 'in', [2, null], true],
	[{gpus: null}, 'notin', [2], true],
	[{gpus: null}, 'notin', [2, null], false],
	[{gpus: null}, 'lt', 2, false],
	[{gpus: 2}, 'gte', null, false],
	[{verified: false}, 'eq', false, true],
	[{verified: true}, 'gt', false, true],
	[{maker: 'Acme'}, 'eq', 'aCME', true],
	[{maker: 'Ä'}, 'eq', 'ä', false],
	[{maker: 'a_b'}, 'eq', 'a b', false],
	[{maker: 'b'}, 'gt', 'A', true],
	[{maker: '\u{1f600}'}, 'gt', '\ufffd', true],
	[{gpu: 'RTX 4090'}, 'eq', 'rtx_4090', true],
	[{gpu: 'GTX 1650 Max-Q'}, 'eq', 'GTX_1650_Max_Q', true],
	[{driver: 535_086_005}, 'gte', 535_000_000, true],
	[{place: 'Texas, US'}, 'eq', 'US', true],
	[{place: ', US'}, 'eq', 'us', true],
	[{place: 'Texas, US'}, 'eq', 'texas, us', true],
	[{place: 'Texas, US'}, 'eq', 'Texas', false],
	[{place: 'US'}, 'in', ['CA', 'US'], true],
	[{place: 'Texas, US'}, 'notin', ['CA', 'texas, us'], false],
	[{place: null}, 'neq', 'US', true],
])('%j, %s %j: %j', (row, operator, value, holds) => {
	const [field = ''] = Object.keys(row);
	// The table pairs operators with values as the type does, which its columns cannot say.
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
	const condition = {field, operator, value} as Condition;
	expect(matches({fields}, [condition], row, valueOf)).toBe(holds);
});

test.each([
	['Washington, US', 'us'],
	[', US', 'us'],
	['US', 'us'],
	['Foo, Bar, se ', 'se'],
	['Sweden', null],
	['USA', null],
	['Texas US', null],
	['', null],
])('the country of %j is %j', (place, country) => {
	expect(countryOf(place)).toBe(country);
});

test('what is not known comes last in either direction, and the next key settles ties', () => {
	const rows: readonly Row[] = [
		{id: 1, gpus: null},
		{id: 2, gpus: 8},
		{id: 3, gpus: 2},
		{id: 4, gpus: 8},
	];
	const sorted = (direction: 'asc' | 'desc') =>
		rows
			.toSorted(
				compareRows(
					{orderFields: {...fields, id: 'number'}},
					[
						['gpus', direction],
						['id', 'desc'],
					],
					valueOf,
				),
			)
			.map(({id}) => id);
	expect(sorted('asc')).toEqual([3, 4, 2, 1]);
	expect(sorted('desc')).toEqual([4, 2, 3, 1]);
});
