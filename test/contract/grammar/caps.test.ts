import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {cap, CapError, readCap, writeCap} from '../../../source/contract/grammar/caps.ts';

test.each([
	['$5/day', {dollars_a_day: 5}],
	['$0.50/hour, $5 a day', {dollars_an_hour: 0.5, dollars_a_day: 5}],
	['$100', {dollars: 100}],
	['$100 in all, 2 instances, 4 GPUs', {dollars: 100, instances: 2, gpus: 4}],
	['1 instance, 1 gpu, 12h leases', {instances: 1, gpus: 1, lease_hours: 12}],
	['in se no', {regions: ['SE', 'NO']}],
])('the cap "%s" is read', (text, wanted) => {
	expect(readCap(text)).toEqual(wanted);
});

test.each([
	['', '"" is not a limit'],
	['$5/week', '"$5/week" is not a limit'],
	['5/day', '"5/day" is not a limit'],
	['$5/day, $6/day', '"$6/day" is given twice'],
	['$0/day', 'dollars_a_day must be more than 0'],
	['1.5 instances', 'instances must be a whole number'],
	['in Sweden', '"in sweden" is not a limit'],
])('the cap "%s" is refused', (text, says) => {
	expect(() => readCap(text)).toThrow(CapError);
	expect(() => readCap(text)).toThrow(says);
});

const money = fc.integer({min: 1, max: 99_999_999}).map(cents => cents / 100);
const count = fc.integer({min: 1, max: 9999});
const caps = fc
	.record(
		{
			dollars_an_hour: money.filter(value => value <= 1e6),
			dollars_a_day: money.filter(value => value <= 1e6),
			dollars: money.filter(value => value <= 1e6),
			instances: count,
			gpus: count,
			lease_hours: fc.integer({min: 1, max: 87_600}),
			regions: fc.array(fc.constantFrom('SE', 'NO', 'OR', 'US'), {minLength: 1, maxLength: 5}),
		},
		{requiredKeys: []},
	)
	.filter(value => Object.keys(value).length > 0);

test('a cap in words reads as the same cap', () => {
	fc.assert(
		fc.property(caps, value => {
			expect(readCap(writeCap(value))).toEqual(value);
		}),
	);
});

test('a limit that nobody knows is refused, for it would bound nothing', () => {
	expect(cap.safeParse({dollars_a_week: 5}).success).toBe(false);
	expect(cap.safeParse({}).success).toBe(false);
});
