import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {burnOf, creditHours, rateOf, wasteIn} from '../../../source/renter/instance/burn.ts';
import type {InstanceCondition} from '../../../source/renter/instance/condition.ts';
import {byTrouble} from '../../../source/renter/fleet/fleet-state.ts';

const conditions: readonly InstanceCondition[] = [
	'undead',
	'stuck',
	'dead',
	'loading',
	'running',
	'idle',
	'waiting',
	'stopped',
];

function rated(condition: InstanceCondition, fields: Partial<Omit<Instance, 'id'>>, id = 1) {
	const instance: Instance = {id, ...fields};
	return {instance, condition, rate: rateOf(instance, condition)};
}

const disk = {storage_total_cost: 0.03, dph_total: 1.5};

test('at most counts what boots at its full price, and what is stopped at that of its disk', () => {
	const fleet = [
		rated('running', {...disk, actual_status: 'running'}, 1),
		rated('loading', {...disk, actual_status: 'loading'}, 2),
		rated('stopped', {...disk, actual_status: 'exited'}, 3),
	];
	const burn = burnOf(fleet);
	expect(burn.now).toBeCloseTo(1.56);
	expect(burn.atMost).toBeCloseTo(3.03);
	expect(burn.groups.stopped).toMatchObject({count: 1, atMost: 0.03});
});

test('the service knows better than prices what an instance costs at present', () => {
	const offline = {...disk, actual_status: 'offline', instance: {totalHour: 0}};
	expect(rateOf({id: 1, ...offline}, 'dead')).toEqual({now: 0, atMost: 1.5});
});

test('an instance without a price is not taken for a free one', () => {
	const burn = burnOf([rated('running', {})]);
	expect(burn).toMatchObject({now: 0, unpriced: 1, count: 1});
	expect(creditHours(10, burn)).toBeUndefined();
});

test('waste is what is stuck or dead at most, what idles, and the disks of what is stopped or failed', () => {
	const fleet = [
		rated('idle', {...disk, actual_status: 'running'}, 1),
		rated('stuck', {...disk, actual_status: 'loading'}, 2),
		rated('stopped', {...disk, actual_status: 'exited'}, 3),
		rated('running', {...disk, actual_status: 'running'}, 4),
		rated('failed', {...disk, actual_status: 'exited'}, 5),
	];
	expect(wasteIn(fleet)).toEqual([
		{id: 1, reason: 'idle', perHour: 1.5, isAtMost: false},
		{id: 2, reason: 'stuck', perHour: 1.5, isAtMost: true},
		{id: 3, reason: 'stopped', perHour: 0.03, isAtMost: false},
		{id: 5, reason: 'failed', perHour: 0.03, isAtMost: false},
	]);
});

test('credit lasts as long as it takes to spend it, at worst and at best', () => {
	expect(creditHours(10, {now: 1, atMost: 4, unpriced: 0})).toEqual({least: 2.5, most: 10});
	expect(creditHours(-1, {now: 1, atMost: 1, unpriced: 0})).toEqual({least: 0, most: 0});
});

const anyRated = fc
	.record({
		condition: fc.constantFrom(...conditions),
		price: fc.option(fc.double({min: 0, max: 50, noNaN: true}), {nil: undefined}),
		status: fc.constantFrom('running', 'loading', 'exited'),
		id: fc.nat(),
	})
	.map(({condition, price, status, id}) =>
		rated(condition, {dph_total: price, storage_total_cost: 0.01, actual_status: status}, id),
	);

test('it never costs more at present than at most, and no group is left out of the sum', () => {
	fc.assert(
		fc.property(fc.array(anyRated), fleet => {
			const burn = burnOf(fleet);
			expect(burn.now).toBeLessThanOrEqual(burn.atMost + 1e-9);
			const groups = Object.values(burn.groups);
			const sum = groups.reduce((total, {atMost}) => total + atMost, 0);
			expect(sum).toBeCloseTo(burn.atMost);
			expect(groups.reduce((total, {count}) => total + count, 0)).toBe(fleet.length);
		}),
	);
});

test('trouble comes before all else, and of equal trouble the dearest first', () => {
	fc.assert(
		fc.property(fc.array(anyRated), fleet => {
			const ordered = fleet.toSorted(byTrouble);
			const calm = ordered.findIndex(
				({condition}) => !['undead', 'stuck', 'dead'].includes(condition),
			);
			const rest = calm === -1 ? [] : ordered.slice(calm);
			expect(rest.some(({condition}) => condition === 'stuck')).toBe(false);
			const running = ordered.filter(({condition}) => condition === 'running');
			const prices = running.map(({rate}) => rate.atMost ?? 0);
			expect(prices).toEqual(prices.toSorted((a, b) => b - a));
		}),
	);
});
