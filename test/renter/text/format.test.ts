import {expect, test} from 'vitest';
import {
	atMost,
	cents,
	change,
	count,
	decimals,
	duration,
	wholeGigabytes,
	gigabytesOfMb,
	formatGpus,
	hourly,
	millsPerHour,
	MISSING,
	money,
	percent,
	plainNumber,
	price,
	pricePerDay,
	priceOverLimit,
	pricePerHour,
	priceTag,
	sentence,
	shortPrice,
	signedPrice,
	timeOfDay,
	wholePercent,
} from '../../../source/renter/text/format.ts';

test.each([
	[0.2955, '0.2955', '.2955', '$0.2955/h', '<0.30'],
	[0.298_43, '0.2984', '.2984', '$0.2984/h', '<0.30'],
	[0, '0.0000', '.0000', '$0.0000/h', '<0.00'],
	// What costs something is never written as nothing.
	[0.000_04, '<0.0001', '<.0001', '<$0.0001/h', '<0.01'],
	[0.000_06, '0.0001', '.0001', '$0.0001/h', '<0.01'],
	[0.3, '0.3000', '.3000', '$0.3000/h', '<0.30'],
	[0.57, '0.5700', '.5700', '$0.5700/h', '<0.57'],
	[0.9996, '0.9996', '.9996', '$0.9996/h', '<1.00'],
	[1.25, '1.2500', '1.2500', '$1.2500/h', '<1.25'],
	[9.999_96, '10.00', '10.00', '$10.00/h', '<10.0'],
	[12.5, '12.50', '12.50', '$12.50/h', '<12.5'],
	[99.96, '99.96', '99.96', '$99.96/h', '<100'],
	[250, '250.00', '250.00', '$250.00/h', '<250'],
	[1250.5, '1,250.50', '1,250.50', '$1,250.50/h', '<1251'],
	[-0.25, '-0.2500', '-.2500', '-$0.2500/h', '<-0.25'],
	[-0.000_01, '0.0000', '.0000', '$0.0000/h', '<0.00'],
])('%d dollars an hour are %s, %s, %s, at most %s', (dollars, long, short, hour, most) => {
	expect([price(dollars), shortPrice(dollars), pricePerHour(dollars), atMost(dollars)]).toEqual([
		long,
		short,
		hour,
		most,
	]);
});

test.each([
	[0, '$0.00', '$0.00', '$0.00'],
	[-0, '$0.00', '$0.00', '$0.00'],
	[7.229, '$7.23', '$7.23', '$7.23'],
	[0.05, '$0.0500', '$0.05', '$0.050'],
	[0.0042, '$0.0042', '<$0.01', '$0.004'],
	[0.000_02, '<$0.0001', '<$0.01', '<$0.001'],
	[0.099_99, '$0.10', '$0.10', '$0.10'],
	[1000, '$1,000.00', '$1,000.00', '$1,000.00'],
	[1_234_567.891, '$1,234,567.89', '$1,234,567.89', '$1,234,567.89'],
	[-3.2, '-$3.20', '-$3.20', '-$3.20'],
	[-1234.5, '-$1,234.50', '-$1,234.50', '-$1,234.50'],
	[-0.0042, '-$0.0042', '$0.00', '-$0.004'],
	[-0.000_01, '$0.0000', '$0.00', '$0.000'],
])('%d dollars are %s as an amount, %s in cents, %s in a sum', (dollars, amount, short, sum) => {
	expect([money(dollars), cents(dollars), hourly(dollars)]).toEqual([amount, short, sum]);
});

test.each([
	[0.200_04, '$0.2001/h'],
	[0.2, '$0.2000/h'],
	[12.501, '$12.51/h'],
	[0.000_01, '$0.0001/h'],
])(
	'a price of %d that is over a limit is written as %s, and not as the limit',
	(dollars, written) => {
		expect(priceOverLimit(dollars)).toBe(written);
	},
);

test('a price with its sign has none where it is not known', () => {
	expect([signedPrice(0.25), signedPrice(undefined), signedPrice(0.000_01)]).toEqual([
		'$0.2500',
		MISSING,
		'<$0.0001',
	]);
});

test.each([
	[0, '0.0'],
	[0.0004, '<0.1'],
	[0.5, '50.0'],
	[0.996, '99.6'],
	[0.9995, '99.9'],
	[0.9999, '99.9'],
	[0.999_999, '99.9'],
	[1, '100.0'],
	[1.2, '120.0'],
	[-0.0001, '0.0'],
])('a share of %d is %s percent', (share, written) => {
	expect(percent(share)).toBe(written);
});

test.each([
	[0, '0%'],
	[0.3, '<1%'],
	[42.5, '43%'],
	[99.7, '99%'],
	[100, '100%'],
	[-0.2, '0%'],
])('a use of %d percent is %s', (value, written) => {
	expect(wholePercent(value)).toBe(written);
});

test.each([
	[3.4, '+3 %'],
	[0.2, '+0 %'],
	[-0.2, '+0 %'],
	[-12.6, '-13 %'],
	[0, '+0 %'],
])('a price that changes by %d percent is written %s', (value, written) => {
	expect(change(value)).toBe(written);
});

test.each([
	[2000, '2,000'],
	[1_234_567.4, '1,234,567'],
	[999.6, '1,000'],
	[-0.3, '0'],
	[-1500, '-1,500'],
])('the number %d is counted as %s', (value, written) => {
	expect(count(value)).toBe(written);
});

test.each([
	[0.1 + 0.2, '0.3'],
	[128, '128'],
	[0.000_000_1, '0'],
	[-0.000_000_1, '0'],
	[1.25, '1.25'],
])('the number %d is written plainly as %s', (value, written) => {
	expect(plainNumber(value)).toBe(written);
});

test.each([
	[59, '0m'],
	[3599.9, '59m'],
	[3600, '1h'],
	[86_399, '23h'],
	[86_400, '1d'],
	[-5, '0m'],
])('%d seconds last %s', (seconds, written) => {
	expect(duration(seconds)).toBe(written);
});

test('what rounds to nought has no sign', () => {
	expect([decimals(1)(-0.04), decimals(0)(-0.4), decimals(2)(-1.006)]).toEqual([
		'0.0',
		'0',
		'-1.01',
	]);
});

test('a value that is not known, or is no number, is a sign and never nought', () => {
	const prices = [price, shortPrice, pricePerHour, pricePerDay, priceTag, millsPerHour, atMost];
	const amounts = [money, cents, hourly, percent, wholePercent, change, count, plainNumber];
	const formats = [...prices, ...amounts, duration, wholeGigabytes, gigabytesOfMb, decimals(2)];
	for (const format of formats) {
		for (const value of [undefined, null, Number.NaN, Infinity, -Infinity]) {
			expect(format(value)).toBe(MISSING);
		}
	}
});

test('a moment that no clock has is written as none', () => {
	expect(timeOfDay(new Date(2026, 10, 21, 12, 41, 7))).toBe('12:41:07');
	expect(timeOfDay(new Date(Number.NaN))).toBe('--:--:--');
});

test('a sentence ends with one full stop', () => {
	expect(['it is gone', 'Why?', 'Done.', ''].map(sentence)).toEqual([
		'it is gone.',
		'Why?',
		'Done.',
		'',
	]);
});

test.each([
	[{num_gpus: 4, gpu_name: 'RTX 4090'}, '4x RTX 4090'],
	[{num_gpus: 4, gpu_name: null}, '4x ?'],
	[{gpu_name: 'RTX\n4090'}, '?x RTX 4090'],
	[{num_gpus: null}, '-'],
])('the GPUs of %j are written %s', (record, written) => {
	expect(formatGpus(record)).toBe(written);
});
