import {expect, test} from 'vitest';
import {keepHeard, readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';

const DAY = 86_400;

/** A market where one of two GPUs is rented for a day at half a dollar an hour. */
async function openRented() {
	const market = await openProvided();
	await market.list({end_date: TEST_NOW + DAY});
	const {id} = await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	await keepHeard(market.database);
	await market.database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 99 * DAY})
		.execute();
	const {instances} = market.renter;
	return {
		...market,
		id,
		instances,
		rented: async () => readInstance(market.database, id),
		waiting: async () => (await instances.priceIncreases()).pending_price_increases,
	};
}

const later = {end_date: TEST_NOW + 9 * DAY};

test('a rise waits for the answer of who rents, and touches nothing until then', async () => {
	await using market = await openRented();
	const before = await market.rented();
	await market.list({price_gpu: 0.9, price_disk: 0.36, ...later});
	expect(await market.rented()).toEqual(before);
	const [increase, ...rest] = await market.waiting();
	expect(rest).toEqual([]);
	expect(increase).toMatchObject({
		contract_id: market.id,
		contract_end_date: TEST_NOW + DAY,
		ask_end_date: TEST_NOW + 9 * DAY,
		new_bwu_cost: null,
		old_bwu_cost: 0.005,
		new_platform_fee: null,
	});
	expect((increase?.new_gpu_costpersec ?? 0) * 3600).toBeCloseTo(0.9, 9);
	expect((increase?.old_gpu_costpersec ?? 0) * 3600).toBeCloseTo(0.5, 9);
	expect((increase?.new_disk_ram_costpersec ?? 0) * 2_592_000).toBeCloseTo(0.36, 9);
});

test('an accepted rise holds from the old end on, to the millisecond, and until the new end', async () => {
	await using market = await openRented();
	await market.list({price_gpu: 0.9, ...later});
	const [increase] = await market.waiting();
	await market.instances.acceptPriceIncrease(increase?.pending_price_increase_id ?? 0);
	expect(await market.waiting()).toEqual([]);
	expect(await market.rented()).toMatchObject({
		end_date: TEST_NOW + 9 * DAY,
		gpu_micros: 500_000,
	});
	// The market learns of the old end only hours after it.
	await market.pass(DAY + 7200);
	expect(await market.rented()).toMatchObject({gpu_micros: 900_000, current: 'running'});
	const charges = await market.database
		.selectFrom('charges')
		.select(({fn}) => ['rate_micros', fn.sum<number>('quantity').as('ms')])
		.where('item', '=', 'gpu')
		.groupBy('rate_micros')
		.orderBy('rate_micros')
		.execute();
	expect(charges).toEqual([
		{rate_micros: 500_000, ms: DAY * 1000},
		{rate_micros: 900_000, ms: 7_200_000},
	]);
});

test('a rejected rise ends the rental at its old end, and is not asked again at the same prices', async () => {
	await using market = await openRented();
	await market.list({price_gpu: 0.9, ...later});
	const [increase] = await market.waiting();
	await market.instances.rejectPriceIncrease(increase?.pending_price_increase_id ?? 0);
	await market.list({price_gpu: 0.9, ...later});
	expect(await market.waiting()).toEqual([]);
	expect(await market.rented()).toMatchObject({end_date: TEST_NOW + DAY, gpu_micros: 500_000});
	await market.list({price_gpu: 0.95});
	expect(await market.waiting()).toHaveLength(1);
	await market.pass(DAY);
	expect(await market.waiting()).toEqual([]);
	expect(await market.rented()).toMatchObject({current: 'stopped'});
});

test('a newer rise takes the place of an older one, and goes when prices are back or nothing is listed', async () => {
	await using market = await openRented();
	await market.list({price_gpu: 0.8, ...later});
	const [older] = await market.waiting();
	await market.list({price_gpu: 0.9});
	const [newer, ...rest] = await market.waiting();
	expect(rest).toEqual([]);
	expect(newer?.pending_price_increase_id).not.toBe(older?.pending_price_increase_id);
	expect(await market.list({price_gpu: 0.5})).toMatchObject({body: {extended: 1}});
	expect(await market.waiting()).toEqual([]);
	await market.list({price_gpu: 0.9});
	expect(await market.waiting()).toHaveLength(1);
	await market.machines.unlist(market.machine.id);
	expect(await market.waiting()).toEqual([]);
});

test('an increase ends with its instance', async () => {
	await using market = await openRented();
	await market.list({price_gpu: 0.9, ...later});
	expect(await market.waiting()).toHaveLength(1);
	await market.instances.destroy(market.id);
	const rows = await market.database.selectFrom('price_increases').select('state').execute();
	expect(rows).toEqual([{state: 'gone'}]);
});

test('an increase that is answered, gone or of somebody else is 404', async () => {
	await using market = await openRented();
	await market.list({price_gpu: 0.9, ...later});
	const [increase] = await market.waiting();
	const id = increase?.pending_price_increase_id ?? 0;
	const none = {status: 404, code: 'no_pending_price_increase'};
	await expect(market.provider.instances.acceptPriceIncrease(id)).rejects.toMatchObject(none);
	await market.instances.acceptPriceIncrease(id);
	await expect(market.instances.rejectPriceIncrease(id)).rejects.toMatchObject(none);
	await expect(market.instances.acceptPriceIncrease(999)).rejects.toMatchObject(none);
	const body = JSON.stringify({pending_price_increase_id: id, more: 1});
	expect(
		await market.call('/api/v0/instances/accept-price-increase/', {method: 'PUT', body}),
	).toMatchObject({status: 400});
});

test("a bid keeps its own price, and its host's publication asks as a listing does", async () => {
	await using market = await openRented();
	const {database, id} = market;
	await database.updateTable('instances').set({is_bid: 1, gpu_micros: 300_000}).execute();
	await market.list({price_gpu: 0.9});
	expect(await market.waiting()).toEqual([]);
	await market.list({price_inetu: 0.02});
	expect(await market.waiting()).toMatchObject([{contract_id: id, new_gpu_costpersec: null}]);
});
