/** Price increases by hostile providers, answered by hostile renters. */
import {expect, test} from 'vitest';
import {keepHeard, readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';
import {testAsk, testPublication} from '../../helpers/host/hosts.ts';

const DAY = 86_400;
const AGREED = 500_000;

/** A market where one of two GPUs is rented for a day at half a dollar an hour, and its two sides. */
async function openRented() {
	const market = await openProvided();
	const {database, renter, list, machine} = market;
	await list({end_date: TEST_NOW + DAY, credit_discount_max: 0.4});
	const {id} = await rentRunning(database, {ask_id: machine.asks[0]?.id ?? 0});
	await keepHeard(database);
	await database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 99 * DAY})
		.execute();
	const {instances} = renter;
	const waiting = async () => (await instances.priceIncreases()).pending_price_increases;
	return {
		...market,
		rented: id,
		instances,
		waiting,
		row: async () => readInstance(database, id),
		/** Lists it at a price until some days from now. */
		ask: async (dollars: number, days = 9) =>
			list({price_gpu: dollars, end_date: TEST_NOW + days * DAY}),
		accept: async () => {
			const [increase] = await waiting();
			return instances.acceptPriceIncrease(increase?.pending_price_increase_id ?? 0);
		},
		reject: async () => {
			const [increase] = await waiting();
			return instances.rejectPriceIncrease(increase?.pending_price_increase_id ?? 0);
		},
		/** Prices at which GPUs were charged, with the hours of each. */
		async charged() {
			const rows = await database
				.selectFrom('charges')
				.select(({fn}) => ['rate_micros', fn.sum<number>('quantity').as('ms')])
				.where('item', '=', 'gpu')
				.groupBy('rate_micros')
				.orderBy('rate_micros')
				.execute();
			return Object.fromEntries(rows.map(({rate_micros, ms}) => [rate_micros, ms / 3_600_000]));
		},
	};
}

type Rented = Awaited<ReturnType<typeof openRented>>;

/** What is done, and the hours that are charged at each price in the three days after it. */
const stories: ReadonlyArray<
	readonly [string, (market: Rented) => Promise<unknown>, Readonly<Record<number, number>>]
> = [
	['an increase is left without an answer', async ({ask}) => ask(0.9), {[AGREED]: 24}],
	['the most that a listing takes is asked', async ({ask}) => ask(128), {[AGREED]: 24}],
	[
		'a smallest increase is accepted',
		async ({ask, accept}) => {
			await ask(0.500001);
			await accept();
		},
		{[AGREED]: 24, 500_001: 48},
	],
	[
		'a host publishes at the highest price, past its listing',
		async ({host}) =>
			host.publish(testPublication({asks: [testAsk({gpu_ids: [0], dph_base: 5000})]})),
		{[AGREED]: 24},
	],
	[
		'it is announced, taken back and announced again, and only the first was read',
		async ({ask, waiting, instances}) => {
			await ask(0.6);
			const [first] = await waiting();
			await ask(0.5, 1.5);
			await ask(100);
			const id = first?.pending_price_increase_id ?? 0;
			await expect(instances.acceptPriceIncrease(id)).rejects.toMatchObject({status: 404});
		},
		{[AGREED]: 36},
	],
	[
		'it rises after it was accepted',
		async ({ask, accept}) => {
			await ask(0.9);
			await accept();
			await ask(100);
		},
		{[AGREED]: 24, 900_000: 48},
	],
	[
		'it was accepted, and prices are back',
		async ({ask, accept}) => {
			await ask(0.9);
			await accept();
			await ask(0.5);
		},
		{[AGREED]: 72},
	],
	[
		'it was accepted, and the machine is listed no longer',
		async ({ask, accept, machines, machine}) => {
			await ask(0.9);
			await accept();
			await machines.unlist(machine.id);
		},
		{[AGREED]: 24, 900_000: 48},
	],
	[
		'it is accepted twice and refused',
		async ({ask, accept, reject}) => {
			await ask(0.9);
			await accept();
			await expect(accept()).rejects.toMatchObject({status: 404});
			await expect(reject()).rejects.toMatchObject({status: 404});
		},
		{[AGREED]: 24, 900_000: 48},
	],
	[
		'it is refused, and the instance stopped and started',
		async ({ask, reject, instances, rented, pass}) => {
			await ask(0.9);
			await reject();
			await instances.stop(rented);
			await pass(3600);
			await instances.start(rented);
		},
		{[AGREED]: 23},
	],
	[
		'it is accepted of an instance that is stopped, and started when the new price holds',
		async ({ask, accept, instances, rented, pass}) => {
			await ask(0.9);
			await instances.stop(rented);
			await accept();
			await pass(DAY + 3600);
			await instances.start(rented);
		},
		{900_000: 72},
	],
	[
		'a machine is withdrawn, and an increase that was read is accepted',
		async ({ask, waiting, instances, host, machine}) => {
			await ask(0.9);
			const [increase] = await waiting();
			await host.withdraw(machine.id);
			const id = increase?.pending_price_increase_id ?? 0;
			await expect(instances.acceptPriceIncrease(id)).rejects.toMatchObject({status: 404});
		},
		{[AGREED]: 24},
	],
];

test.for(stories)('a renter pays what was agreed when %s', async ([, tell, hours]) => {
	await using market = await openRented();
	await tell(market);
	const {actual} = await market.row();
	// Hosts start what waits to be started.
	if (actual !== 'running') {
		await market.database.updateTable('instances').set({actual: 'running'}).execute();
	}
	for (let hour = 0; hour < 72; hour++) await market.pass(3600);
	expect(await market.charged()).toEqual(hours);
});

test('what was paid ahead is used at the price and the discount of when it was paid', async () => {
	await using market = await openRented();
	await market.ask(0.5, 45);
	await market.instances.prepay(market.rented, 20);
	const {deposit_rate: rate} = await market.row();
	await market.list({price_gpu: 100, credit_discount_max: 0});
	await market.pass(DAY);
	expect(Object.keys(await market.charged())).toEqual([String(Math.round(AGREED * (1 - rate)))]);
});

test('prices that no contract can have are asked of nobody', async () => {
	await using market = await openRented();
	for (const price_gpu of [-1, 0, 1e-9, 1e12, 1e308, '9', true]) {
		expect(await market.list({price_gpu})).toMatchObject({status: 400});
	}
	for (const price_disk of [-0.01, 1e9]) {
		expect(await market.list({price_disk})).toMatchObject({status: 400});
	}
	expect(await market.waiting()).toEqual([]);
});

test('an increase that was accepted before is asked for no more', async () => {
	await using market = await openRented();
	for (const [price, days] of [
		[0.9, 9],
		[1, 20],
	] as const) {
		await market.ask(price, days);
		await market.accept();
	}
	await market.ask(1, 20);
	expect(await market.waiting()).toEqual([]);
});

test('prices that go up and down leave one increase, whose number is new', async () => {
	await using market = await openRented();
	const numbers = new Set<number>();
	for (let turn = 0; turn < 10; turn++) {
		await market.ask(0.9 + turn / 100);
		for (const increase of await market.waiting()) numbers.add(increase.pending_price_increase_id);
		await market.ask(0.5);
	}
	expect(numbers.size).toBe(10);
	const rows = await market.database.selectFrom('price_increases').select('state').execute();
	expect(rows).toEqual([{state: 'gone'}]);
});

test('until when an increase would hold stands as announced, or is announced anew', async () => {
	await using market = await openRented();
	const {ask, waiting, instances, row} = market;
	const announced = async () =>
		(await waiting()).map(({pending_price_increase_id: id, ask_end_date: end}) => [id, end]);
	await ask(0.9, 9);
	const [[first] = []] = await announced();
	await ask(0.9, 30);
	expect(await announced()).toEqual([[first, TEST_NOW + 9 * DAY]]);
	await ask(0.9, 5);
	const [[second, end] = []] = await announced();
	expect(end).toBe(TEST_NOW + 5 * DAY);
	await expect(instances.acceptPriceIncrease(first ?? 0)).rejects.toMatchObject({status: 404});
	await ask(0.9, 60);
	await instances.acceptPriceIncrease(second ?? 0);
	expect(await row()).toMatchObject({end_date: TEST_NOW + 5 * DAY});
});

test('however often prices rise, a renter is told of it once a day', async () => {
	await using market = await openRented();
	const {database, ask, row} = market;
	const {account_id} = await row();
	const kind = 'client:price_increase_pending';
	const times = {created_at: TEST_NOW, updated_at: TEST_NOW, disabled_at: null};
	const hook = {url: 'https://hooks.invalid/', name: null, secret: 's', ...times};
	await database
		.insertInto('webhooks')
		.values({account_id, event_types: JSON.stringify([kind]), ...hook})
		.execute();
	await database
		.insertInto('notification_preferences')
		.values({account_id, kind, channel: 'webhooks', is_on: 1})
		.execute();
	const told = async () => {
		const rows = await database.selectFrom('deliveries').select('event_id').execute();
		return rows.length;
	};
	for (const dollars of [0.6, 0.5, 0.7, 0.8, 0.5, 0.9]) await ask(dollars);
	expect(await told()).toBe(1);
	await database
		.updateTable('instances')
		.set({end_date: TEST_NOW + 3 * DAY})
		.execute();
	await database.deleteFrom('deliveries').execute();
	market.clock.pass(DAY + 1);
	await ask(1);
	expect(await told()).toBe(1);
});
