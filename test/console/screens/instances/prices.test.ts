import {expect, test} from 'vitest';
import {ratePerHour, rateText} from '../../../../source/console/screens/instances/cells.ts';

test.each([
	[{now: 0.21, atMost: 0.21}, '.210', '$0.210/h'],
	[{now: 0.0028, atMost: 0.298_43}, '<.299', 'at most $0.298/h'],
	[{now: 1.66, atMost: 1.66}, '1.660', '$1.660/h'],
	[{now: 12.5, atMost: 12.5}, '12.50', '$12.500/h'],
	[{now: 9.9996, atMost: 9.9996}, '10.00', '$10.000/h'],
	[{now: 1234.5, atMost: 1234.5}, '1,235', '$1,234.500/h'],
	[{now: 0.0002, atMost: 0.0002}, '<.001', '<$0.001/h'],
	[{now: 0, atMost: 0}, '.000', '$0.000/h'],
	[{now: 0.5, atMost: undefined}, '.500', '$0.500/h'],
	[{now: undefined, atMost: undefined}, '-', '-/h'],
	[{now: Number.NaN, atMost: Infinity}, '-', 'at most -'],
])('the rate %j is %s in a list, and %s in a sentence', (rate, short, long) => {
	expect([rateText(rate), ratePerHour(rate)]).toEqual([short, long]);
});
