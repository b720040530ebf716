import {expect, test} from 'vitest';
import {
	atMost,
	MISSING,
	pricePerDay,
	pricePerHour,
	shortPrice,
} from '../../source/console/format.ts';

test.each([
	[0.2955, '.2955', '$0.2955/h', '<.295'],
	[0, '.0000', '$0.0000/h', '<.000'],
	[1.25, '1.2500', '$1.2500/h', '<1.25'],
	[12.5, '12.50', '$12.50/h', '<12.5'],
	[250, '250.00', '$250.00/h', '<250'],
])('%d dollars an hour are %s, %s, at most %s', (dollars, short, long, most) => {
	expect([shortPrice(dollars), pricePerHour(dollars), atMost(dollars)]).toEqual([
		short,
		long,
		most,
	]);
});

test('a price that is not known is a sign, and never nought', () => {
	for (const format of [shortPrice, pricePerHour, pricePerDay, atMost]) {
		expect(format(undefined)).toBe(MISSING);
		expect(format(null)).toBe(MISSING);
	}
});
