import {expect, test} from 'vitest';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {FLOOR_BID, openSharedMachine} from '../../helpers/market/shared-machine.ts';
import type {SharedMachine} from '../../helpers/market/shared-machine.ts';

const done = {status: 200, body: {success: true}};

const bid = async (machine: SharedMachine, id: number, price?: unknown) =>
	machine.act('PUT', `bid_price/${id}/`, {client_id: 'me', price});

async function priceOf(machine: SharedMachine, id: number): Promise<number> {
	return (await machine.row(id)).gpu_micros / 1_000_000;
}

test('what was used until a bid is changed costs the old one', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], bid: 0.36, disk_gb: 0});
	machine.clock.pass(10);
	expect(await bid(machine, id, 0.72)).toMatchObject(done);
	machine.clock.pass(10);
	await machine.act('PUT', `${id}/`, {state: 'stopped'});
	const charges = await machine.database.selectFrom('charges').selectAll().execute();
	expect(charges.map(({rate_micros, amount_micros}) => [rate_micros, amount_micros])).toEqual([
		[360_000, 1000],
		[720_000, 2000],
	]);
	expect(await machine.offer(1)).toMatchObject({min_bid_micros: FLOOR_BID * 1_000_000});
});

test('a higher bid gets the GPUs for which it waits, at once', async () => {
	await using machine = await openSharedMachine();
	const other = await machine.rent({gpus: [0], bid: 0.5});
	const id = await machine.wait({gpus: [0, 1], bid: 0.2});
	expect(await bid(machine, id, 0.5)).toMatchObject(done);
	expect(await machine.running(other, id)).toEqual([true, false]);
	expect(await bid(machine, id, 0.501)).toMatchObject(done);
	expect(await machine.running(other, id)).toEqual([false, true]);
	expect(await machine.offer(1)).toMatchObject({min_bid_micros: 502_000});
});

test('a lower bid loses its GPUs to a higher one that waits', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], bid: 0.5});
	const other = await machine.wait({gpus: [0], bid: 0.3});
	await bid(machine, id, 0.3);
	expect(await machine.running(id, other)).toEqual([true, false]);
	await bid(machine, id, 0.2);
	expect(await machine.running(id, other)).toEqual([false, true]);
	expect(await machine.row(id)).toMatchObject({intended: 'running', waiting_since: TEST_NOW});
});

test('no bid beats a fixed price', async () => {
	await using machine = await openSharedMachine();
	const fixed = await machine.rent({gpus: [0]});
	const id = await machine.wait({gpus: [0], bid: 0.5});
	expect(await bid(machine, id, 32)).toMatchObject(done);
	expect(await machine.running(fixed, id)).toEqual([true, false]);
});

test('one that is stopped stays so, whatever is bid for it', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [1]});
	const id = await machine.halt({gpus: [0], bid: 0.2});
	expect(await bid(machine, id, 3)).toMatchObject(done);
	expect(await machine.row(id)).toMatchObject({gpu_micros: 3_000_000, current: 'stopped'});
});

test.each([
	['nobody else bids', [], FLOOR_BID],
	['another bid has its GPUs', [{gpus: [0, 1], bid: 0.4, has: true}], 0.401],
	['another bid waits for them', [{gpus: [0], bid: 0.7, has: false}], 0.701],
	['another bid is for other GPUs', [{gpus: [1], bid: 0.7, has: true}], FLOOR_BID],
	['another bid is lower than its host wants', [{gpus: [0], bid: 0.05, has: true}], FLOOR_BID],
] as const)('without a price, the least that wins is bid where %s', async (_, others, price) => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [3]});
	for (const {has, ...other} of others) await machine[has ? 'rent' : 'wait'](other);
	const id = await machine.wait({gpus: [0], bid: 2});
	expect(await bid(machine, id)).toMatchObject(done);
	expect(await priceOf(machine, id)).toBe(price);
	await machine.settle();
	expect(await machine.running(id)).toEqual([true]);
});

test('without a price, its own bid is nobody to beat', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], bid: 0.5});
	await machine.wait({gpus: [0], bid: 0.3});
	expect(await bid(machine, id, null)).toMatchObject(done);
	expect(await priceOf(machine, id)).toBe(0.301);
	expect(await machine.running(id)).toEqual([true]);
});

test.each([
	[0, 'price must be between 0.001 and 64 an hour.'],
	[-1, 'price must be between 0.001 and 64 an hour.'],
	[0.0004, 'price must be between 0.001 and 64 an hour.'],
	[64.01, 'price must be between 0.001 and 64 an hour.'],
	[1e300, 'price must be between 0.001 and 64 an hour.'],
	[0.099, 'price must be at least 0.1: its host wants that.'],
	['1', 'price: must be a number of dollars an hour'],
	[true, 'price: must be a number of dollars an hour'],
])('a bid of %j is refused', async (price, msg) => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0, 1], bid: 0.5});
	const before = await machine.row(id);
	expect(await bid(machine, id, price)).toMatchObject({
		status: 400,
		body: refusal('invalid_args', msg),
	});
	expect(await machine.row(id)).toEqual(before);
});

test('nothing is bid for what has a fixed price', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0]});
	const msg = `Instance ${id} has a fixed price: nothing is bid for it.`;
	expect(await bid(machine, id, 1)).toMatchObject({
		status: 400,
		body: refusal('invalid_args', msg),
	});
});

test('nothing is paid in advance where no discount is offered', async () => {
	await using machine = await openSharedMachine();
	await machine.database.updateTable('offers').set({credit_discount_max: 0}).execute();
	const id = await machine.rent({gpus: [0]});
	const msg = 'Its machine has no discount for paying in advance.';
	expect(await machine.act('PUT', `prepay/${id}/`, {amount: 5})).toMatchObject({
		status: 400,
		body: refusal('invalid_args', msg),
	});
	expect(await machine.act('PUT', `prepay/${id}/`, {amount: 0})).toMatchObject({
		status: 400,
		body: refusal('invalid_args', 'amount: must be more than 0'),
	});
	expect((await machine.act('GET', `balance/${id}/?owner=me`)).body).toEqual({
		success: true,
		refundable_deposit: 0,
		total_discount: 0,
		discount_months: 0,
	});
});

test.each([
	['reboot', 'rebooting', 1],
	['recycle', 'recycling', 2],
] as const)(
	'a %s starts the container anew, and costs no computing meanwhile',
	async (...given) => {
		await using machine = await openSharedMachine();
		const [path, message, container] = given;
		const id = await machine.rent({gpus: [0], disk_gb: 0, bytes_up: 7, bytes_down: 8});
		const other = await machine.wait({gpus: [0]});
		const {revision} = await machine.row(id);
		machine.clock.pass(36);
		expect(await machine.act('PUT', `${path}/${id}/`, {})).toMatchObject(done);
		const row = await machine.row(id);
		expect(row).toMatchObject({actual: 'loading', message, boot: 2, container});
		expect(row).toMatchObject({intended: 'running', current: 'running', running_since: null});
		// A new container counts anew.
		expect([row.bytes_up, row.bytes_down]).toEqual(container === 2 ? [0, 0] : [7, 8]);
		expect(row.revision).toBeGreaterThan(revision);
		await machine.pass(30);
		expect(await machine.running(id, other)).toEqual([true, false]);
		const charges = await machine.database
			.selectFrom('charges')
			.selectAll()
			.where('source_id', '=', id)
			.execute();
		expect(charges).toMatchObject([{item: 'gpu', amount_micros: 10_000}]);
	},
);

test.each(['reboot', 'recycle'])('there is nothing to %s where nothing runs', async path => {
	await using machine = await openSharedMachine();
	const id = await machine.halt({gpus: [0]});
	const before = await machine.row(id);
	expect(await machine.act('PUT', `${path}/${id}/`)).toMatchObject({
		status: 400,
		body: refusal('invalid_args', `Instance ${id} is not running.`),
	});
	expect(await machine.row(id)).toEqual(before);
});
