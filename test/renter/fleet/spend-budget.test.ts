import {expect, test} from 'vitest';
import {spendProblem} from '../../../source/renter/instance/spending.ts';

const budget = {askOverPerHour: 1, fleetMaxPerHour: 2};

test('what stays within both limits is allowed', () => {
	expect(spendProblem(budget, {perHour: 1, fleetAtMost: 1})).toBeUndefined();
});

test('the limit of one rental comes first', () => {
	const problem = spendProblem(budget, {perHour: 1.1, fleetAtMost: 9});
	expect(problem).toEqual({of: 'rental', limit: 1, wouldBe: 1.1});
});

test('what is rented already counts at its most', () => {
	const problem = spendProblem(budget, {perHour: 0.5, fleetAtMost: 1.75});
	expect(problem).toEqual({of: 'fleet', limit: 2, wouldBe: 2.25});
});

test('a price that is not known is within no limit, and without limits all is allowed', () => {
	expect(spendProblem(budget, {perHour: undefined, fleetAtMost: 0})?.of).toBe('rental');
	const none = {askOverPerHour: null, fleetMaxPerHour: null};
	expect(spendProblem(none, {perHour: undefined, fleetAtMost: 99})).toBeUndefined();
});
