import {expect, test} from 'vitest';
import type {AgreedOrder} from '../../../source/client/rentals/agreed-order.ts';
import {
	createInstanceComparison,
	PORTS_MS,
} from '../../../source/renter/orders/instance-comparisons.ts';

const reached = {'80/tcp': [{HostIp: '', HostPort: '20001'}]};

/** A check whose clock is moved by hand. */
function openCheck(agreed: AgreedOrder) {
	let at = 0;
	const check = createInstanceComparison(agreed, () => at);
	return {
		...check,
		pass(ms: number): void {
			at += ms;
		},
		fields: () => check.found()?.differences.map(({field}) => field),
	};
}

test('a difference is told once, with what the instance costs by its record', () => {
	const check = openCheck({diskGb: 40, perHour: 0.3});
	const got = {id: 7, disk_space: 20, dph_total: 0.31};
	expect(check.look(got).map(({field}) => field)).toEqual(['disk', 'price']);
	expect(check.look(got)).toEqual([]);
	expect(check.found()).toMatchObject({perHour: 0.31, differences: [{got: 20}, {costs: 0.01}]});
});

test('where a record says no price, it costs what was agreed', () => {
	const check = openCheck({diskGb: 40, perHour: 0.3});
	check.look({id: 7, disk_space: 20});
	expect(check.found()?.perHour).toBe(0.3);
});

test('a change by the renter after the first record is no difference', () => {
	const check = openCheck({label: 'train', image: 'a/b'});
	expect(check.look({id: 7, label: 'train', image_uuid: 'a/b:latest'})).toEqual([]);
	expect(check.look({id: 7, label: 'second', image_uuid: 'c/d'})).toEqual([]);
	expect(check.isOpen()).toBe(false);
});

test('a field that the first record leaves out is compared as soon as one says it, until the instance runs', () => {
	const check = openCheck({gpus: 2, image: 'a/b', label: 'train'});
	check.look({id: 7, actual_status: null});
	expect(check.isOpen()).toBe(true);
	check.look({id: 7, actual_status: 'loading', num_gpus: 1});
	check.look({id: 7, actual_status: 'running', image_uuid: 'c/d'});
	check.look({id: 7, actual_status: 'running', label: 'other'});
	expect(check.fields()).toEqual(['gpus', 'image']);
	expect(check.isOpen()).toBe(false);
});

test('ports differ where they are missing for a while from what runs', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.look({id: 7, actual_status: 'loading', ports: {}});
	check.pass(PORTS_MS);
	check.look({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
	check.pass(PORTS_MS);
	check.look({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toEqual(['ports']);
	expect(check.isOpen()).toBe(false);
});

test('ports that come a little later are no difference', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.look({id: 7, actual_status: 'running', ports: {}});
	check.pass(PORTS_MS - 1);
	check.look({id: 7, actual_status: 'running', ports: reached});
	check.pass(PORTS_MS);
	check.look({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
});

test('an instance that is started again has time for its ports again', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.look({id: 7, actual_status: 'running', ports: {}});
	check.look({id: 7, actual_status: 'loading', ports: {}});
	check.pass(PORTS_MS);
	check.look({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
	expect(check.isOpen()).toBe(true);
});
