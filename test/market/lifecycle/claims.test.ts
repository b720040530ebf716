import {expect, test} from 'vitest';
import {gpuClaimOf, overlaps, takeGpus} from '../../../source/market/lifecycle/claims.ts';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import type {Contact} from '../../../source/market/database/instance-tables.ts';
import {maskOf} from '../../../source/market/base/gpu-mask.ts';
import {hearMachines} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {
	FLOOR_BID,
	openSharedMachine,
	type SharedMachine,
} from '../../helpers/market/shared-machine.ts';

/** Whether GPUs would be given, and are. */
async function take(
	{database, machineId}: SharedMachine,
	gpus: readonly number[],
	bid?: number,
): Promise<boolean> {
	const bidMicros = bid === undefined ? undefined : Math.round(bid * 1_000_000);
	const claim = {machineId, gpuMask: maskOf(gpus), bidMicros};
	return database
		.transaction()
		.execute(async transaction => takeGpus(transaction, claim, TEST_NOW + 60));
}

test.each([
	[[0], [0], true],
	[[0], [1], false],
	[[0, 1], [1, 2], true],
	[[0, 1], [2, 3], false],
	[[31], [31], true],
	[[51], [51], true],
	[[51], [50], false],
	[[], [0], true],
])('GPUs %j and %j share one: %s', (one, other, isShared) => {
	expect(overlaps(maskOf(one), maskOf(other))).toBe(isShared);
});

test.each([
	['nobody has them', undefined, undefined, true],
	['somebody pays a fixed price', 'fixed', undefined, false],
	['somebody pays a fixed price, and one bids', 'fixed', 100, false],
	['somebody bids, and one pays a fixed price', 0.5, undefined, true],
	['somebody bids less', 0.5, 0.501, true],
	['somebody bids as much', 0.5, 0.5, false],
	['somebody bids more', 0.5, 0.499, false],
] as const)('GPUs where %s', async (_, holder, bid, isGiven) => {
	await using machine = await openSharedMachine();
	const other =
		holder !== undefined &&
		(await machine.rent({gpus: [1, 2], ...(holder !== 'fixed' && {bid: holder})}));
	expect(await take(machine, [0, 1], bid)).toBe(isGiven);
	if (other === false) return;
	const {current, intended, message} = await machine.row(other);
	const lost = {current: 'stopped', intended: 'running', message: messages.outbid};
	const kept = {current: 'running', intended: 'running', message: null};
	expect({current, intended, message}).toEqual(isGiven ? lost : kept);
});

test('GPUs beside those of others are free', async () => {
	await using machine = await openSharedMachine();
	const other = await machine.rent({gpus: [0, 1]});
	expect(await take(machine, [2, 3], 0.2)).toBe(true);
	expect(await machine.running(other)).toEqual([true]);
});

test('nobody is outbid where one of the GPUs cannot be had', async () => {
	await using machine = await openSharedMachine();
	const bidder = await machine.rent({gpus: [0], bid: 0.2});
	await machine.rent({gpus: [1]});
	expect(await take(machine, [0, 1], 5)).toBe(false);
	expect(await machine.running(bidder)).toEqual([true]);
});

test('GPUs in use outside of the market are nobody else’s', async () => {
	await using machine = await openSharedMachine();
	const {database, machineId} = machine;
	await database
		.updateTable('machines')
		.set({busy_mask: maskOf([3])})
		.where('id', '=', machineId)
		.execute();
	expect(await take(machine, [2, 3])).toBe(false);
	expect(await take(machine, [1, 2])).toBe(true);
});

test('what is outbid is charged until then, and its host hears of it', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], bid: 0.36, disk_gb: 0});
	const before = await machine.row(id);
	await take(machine, [0]);
	const after = await machine.row(id);
	expect(after.revision).toBeGreaterThan(before.revision);
	expect(after).toMatchObject({billed_until: TEST_NOW + 60, waiting_since: TEST_NOW + 60});
	const charges = await machine.database.selectFrom('charges').selectAll().execute();
	expect(charges).toMatchObject([{source_id: id, item: 'gpu', amount_micros: 6000}]);
});

test('fixed prices get their GPUs first, then the highest bids, then who waits longest', async () => {
	await using machine = await openSharedMachine();
	await hearMachines(machine.database);
	const low = await machine.wait({gpus: [0], bid: 0.2, waiting_since: TEST_NOW - 9});
	const late = await machine.wait({gpus: [1], bid: 0.3, waiting_since: TEST_NOW - 1});
	const early = await machine.wait({gpus: [1], bid: 0.3, waiting_since: TEST_NOW - 2});
	const high = await machine.wait({gpus: [2], bid: 0.9});
	const fixed = await machine.wait({gpus: [2, 3]});
	await machine.settle();
	expect(await machine.running(low, late, early, high, fixed)).toEqual([
		true,
		false,
		true,
		false,
		true,
	]);
	expect(await machine.row(low)).toMatchObject({boot: 2, waiting_since: null, message: null});
});

test('a higher bid that waits takes the GPUs of a lower one, and a lower one what is left', async () => {
	await using machine = await openSharedMachine();
	const wide = await machine.rent({gpus: [0, 1], bid: 0.2});
	const high = await machine.wait({gpus: [0], bid: 0.5});
	const rest = await machine.wait({gpus: [1], bid: 0.15});
	await machine.settle();
	expect(await machine.running(wide, high, rest)).toEqual([false, true, true]);
});

type Obstacle = {
	readonly credit?: number;
	readonly end?: number;
	readonly contact?: Contact;
	readonly intended?: string;
	readonly destroyed?: number;
};

const obstacles: ReadonlyArray<readonly [which: string, obstacle: Obstacle, getsGpus: boolean]> = [
	['that nothing is in the way of', {}, true],
	['whose account has no credit', {credit: 0}, false],
	['whose rental is over', {end: TEST_NOW}, false],
	['on a machine that is not heard', {contact: 'silent'}, false],
	['that its renter has stopped', {intended: 'stopped'}, false],
	['that was destroyed', {destroyed: TEST_NOW}, false],
];

test.each(obstacles)('one %s, with %j, gets its GPUs: %s', async (_, obstacle, getsGpus) => {
	await using machine = await openSharedMachine();
	const {database, machineId} = machine;
	await hearMachines(database);
	const id = await machine.wait({gpus: [0]});
	const {credit = 1, end = TEST_NOW + 1, contact = 'heard'} = obstacle;
	const {intended = 'running', destroyed = null} = obstacle;
	await database.updateTable('accounts').set({credit_micros: credit}).execute();
	await database.updateTable('instances').set({end_date: end}).execute();
	await database.updateTable('machines').set({contact}).where('id', '=', machineId).execute();
	await database.updateTable('instances').set({intended, destroyed_at: destroyed}).execute();
	await machine.settle();
	expect(await machine.running(id)).toEqual([getsGpus]);
});

/** What is told of the offers of one, two and four GPUs. */
async function told(machine: SharedMachine) {
	const offers = [await machine.offer(1), await machine.offer(2), await machine.offer(4)];
	return offers.map(({rentable, rented, min_bid_micros}) => [
		rentable,
		rented,
		(min_bid_micros ?? 0) / 1_000_000,
	]);
}

test('offers say what is to be had of them, and which bid wins', async () => {
	await using machine = await openSharedMachine();
	const free = [1, 0, FLOOR_BID];
	expect(await told(machine)).toEqual([free, free, free]);
	// The offer of one GPU is for the first, and that of two for the first two.
	const bidder = await machine.rent({gpus: [1], bid: 0.4});
	expect(await told(machine)).toEqual([free, [1, 1, 0.401], [1, 1, 0.401]]);
	await machine.rent({gpus: [2, 3]});
	expect(await told(machine)).toEqual([free, [1, 1, 0.401], [0, 1, 0.401]]);
	await machine.database.updateTable('instances').set({current: 'stopped'}).execute();
	await machine.settle();
	expect(await told(machine)).toEqual([free, free, free]);
	expect(await machine.running(bidder)).toEqual([false]);
});

test('offers of GPUs in use outside of the market are not to be had', async () => {
	await using machine = await openSharedMachine();
	const {database, machineId} = machine;
	await database
		.updateTable('machines')
		.set({busy_mask: maskOf([1])})
		.where('id', '=', machineId)
		.execute();
	await machine.settle();
	const [free, busy] = [
		[1, 0, FLOOR_BID],
		[0, 1, FLOOR_BID],
	];
	expect(await told(machine)).toEqual([free, busy, busy]);
});

test('an offer whose host takes no bids, or that is not listed, stays so', async () => {
	await using machine = await openSharedMachine();
	const {database} = machine;
	await database.updateTable('offers').set({floor_bid_micros: null, listed: 0}).execute();
	await machine.rent({gpus: [0], bid: 0.4});
	expect(await machine.offer(1)).toMatchObject({rentable: 0, rented: 1, min_bid_micros: null});
});

test('an instance claims its own GPUs, at its own price', async () => {
	await using machine = await openSharedMachine();
	const bidder = await machine.row(await machine.halt({gpus: [1, 3], bid: 0.4}));
	const fixed = await machine.row(await machine.halt({gpus: [0]}));
	const {machineId} = machine;
	expect(gpuClaimOf(bidder)).toEqual({machineId, gpuMask: 10, bidMicros: 400_000});
	expect(gpuClaimOf(fixed)).toEqual({machineId, gpuMask: 1, bidMicros: undefined});
});
