import {expect, test} from 'vitest';
import type {AgreedOrder, PendingRent} from '../../../source/client/rentals/pending-rent.ts';
import {defaultSettings} from '../../../source/renter/settings/default-settings.ts';
import {applyList} from '../../../source/renter/fleet/apply-polls.ts';
import {unseenFleet} from '../../../source/renter/fleet/fleet-state.ts';
import {
	createInstanceComparisons,
	createInstanceComparison,
	PORTS_MS,
} from '../../../source/renter/orders/instance-comparisons.ts';
import {createStore} from '../../../source/renter/state/store.ts';
import type {Instance} from '../../../source/contract/nouns/instance-record.ts';
import {listOf} from '../../helpers/fleet/looks.ts';

const {limits} = defaultSettings;

function pendingRentOf(agreed?: AgreedOrder): PendingRent {
	const by = {service: 's', profile: 'p', owner: 1, notedAt: 1};
	return {token: 't', offerId: 1, ...by, agreed, state: {kind: 'sent', at: 1}};
}

/** Checks of a fleet that is what a test shows of it. */
function openChecks({hasJournal = true} = {}) {
	const state = createStore(unseenFleet);
	const told: string[] = [];
	const written: unknown[] = [];
	let at = 0;
	const checks = createInstanceComparisons({
		fleet: {state},
		async client() {
			if (!hasJournal) throw new Error('it is not connected');
			return {journal: {differs: async (...line) => void written.push(line)}};
		},
		notify: {send: ({text}) => told.push(text) > 0},
		timers: {now: () => at},
	});
	return {
		...checks,
		told,
		written,
		/** The fleet is seen as these instances, a while later. */
		see(...instances: readonly Instance[]): void {
			at += 10_000;
			state.set(applyList(state.get(), listOf(instances), {now: at, localNow: at, limits}));
		},
	};
}

test('differences of the first row are said, written down and kept', async () => {
	const checks = openChecks();
	const pending = pendingRentOf({diskGb: 40, gpuName: 'RTX 4090', perHour: 0.3});
	checks.start(7, pending);
	checks.see({id: 8});
	expect(checks.get().size).toBe(0);
	checks.see({id: 8}, {id: 7, disk_space: 20, gpu_name: 'RTX\u001B[2J 3090', dph_total: 0.3});
	expect(checks.told).toEqual([
		expect.stringMatching(
			/^Instance 7 is not as ordered: GPU RTX\P{Cc}* 3090 instead of RTX 4090, disk 20 GB instead of 40 GB\. It costs \$0\.3000\/h\. 2 lists it; x there destroys it\.$/u,
		),
	]);
	checks.see({id: 7, disk_space: 20, gpu_name: 'RTX 3090', dph_total: 0.3});
	checks.see();
	expect(checks.told).toHaveLength(1);
	expect([...checks.get().keys()]).toEqual([7]);
	await expect.poll(() => checks.written).toMatchObject([[pending, 7, /disk 20 GB/]]);
});

test('an instance that is listed already is compared at once', () => {
	const checks = openChecks();
	checks.see({id: 7, num_gpus: 1});
	checks.start(7, pendingRentOf({gpus: 2}));
	expect(checks.get().get(7)?.differences).toMatchObject([{field: 'gpus', got: 1, ordered: 2}]);
});

test('nothing is said of an instance as ordered, or of one without an agreed order', () => {
	const checks = openChecks();
	checks.start(7, pendingRentOf({gpus: 2, label: 'train'}));
	checks.start(8, pendingRentOf());
	checks.see({id: 7, num_gpus: 2, label: 'train'}, {id: 8, num_gpus: 9});
	checks.see({id: 7, num_gpus: 2, label: 'changed'}, {id: 8, num_gpus: 9});
	expect([checks.told, checks.get().size]).toEqual([[], 0]);
});

test('ports that are missing at two looks in a row are said at the second', () => {
	const checks = openChecks();
	checks.start(7, pendingRentOf({ports: ['80/tcp']}));
	const running = {id: 7, actual_status: 'running', ports: {}};
	checks.see({...running});
	expect(checks.told).toEqual([]);
	checks.see({...running});
	expect(checks.told).toEqual([
		'Instance 7 is not as ordered: port 80/tcp not reached from outside. It costs -. 2 lists it; x there destroys it.',
	]);
});

test('a journal that cannot be written hides nothing', () => {
	const checks = openChecks({hasJournal: false});
	checks.start(7, pendingRentOf({gpus: 2}));
	checks.see({id: 7, num_gpus: 1});
	expect(checks.told).toHaveLength(1);
	expect(checks.get().size).toBe(1);
});

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
	expect(check.compare(got).map(({field}) => field)).toEqual(['disk', 'price']);
	expect(check.compare(got)).toEqual([]);
	expect(check.found()).toMatchObject({perHour: 0.31, differences: [{got: 20}, {costs: 0.01}]});
});

test('where a record says no price, it costs what was agreed', () => {
	const check = openCheck({diskGb: 40, perHour: 0.3});
	check.compare({id: 7, disk_space: 20});
	expect(check.found()?.perHour).toBe(0.3);
});

test('a change by the renter after the first record is no difference', () => {
	const check = openCheck({label: 'train', image: 'a/b'});
	expect(check.compare({id: 7, label: 'train', image_uuid: 'a/b:latest'})).toEqual([]);
	expect(check.compare({id: 7, label: 'second', image_uuid: 'c/d'})).toEqual([]);
	expect(check.isOpen()).toBe(false);
});

test('a field that the first record leaves out is compared as soon as one says it, until the instance runs', () => {
	const check = openCheck({gpus: 2, image: 'a/b', label: 'train'});
	check.compare({id: 7, actual_status: null});
	expect(check.isOpen()).toBe(true);
	check.compare({id: 7, actual_status: 'loading', num_gpus: 1});
	check.compare({id: 7, actual_status: 'running', image_uuid: 'c/d'});
	check.compare({id: 7, actual_status: 'running', label: 'other'});
	expect(check.fields()).toEqual(['gpus', 'image']);
	expect(check.isOpen()).toBe(false);
});

test('ports differ where they are missing for a while from what runs', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.compare({id: 7, actual_status: 'loading', ports: {}});
	check.pass(PORTS_MS);
	check.compare({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
	check.pass(PORTS_MS);
	check.compare({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toEqual(['ports']);
	expect(check.isOpen()).toBe(false);
});

test('ports that come a little later are no difference', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.compare({id: 7, actual_status: 'running', ports: {}});
	check.pass(PORTS_MS - 1);
	check.compare({id: 7, actual_status: 'running', ports: reached});
	check.pass(PORTS_MS);
	check.compare({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
});

test('an instance that is started again has time for its ports again', () => {
	const check = openCheck({ports: ['80/tcp']});
	check.compare({id: 7, actual_status: 'running', ports: {}});
	check.compare({id: 7, actual_status: 'loading', ports: {}});
	check.pass(PORTS_MS);
	check.compare({id: 7, actual_status: 'running', ports: {}});
	expect(check.fields()).toBeUndefined();
	expect(check.isOpen()).toBe(true);
});
