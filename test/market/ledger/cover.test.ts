import {expect, test} from 'vitest';
import {readInstance} from '../../helpers/market/instances.ts';
import {contract} from '../../../source/contract/index.ts';
import {wholeReply, type Reply} from '../../helpers/market/market.ts';
import {contractOf, openRentable} from '../../helpers/market/rentable.ts';

type Market = Awaited<ReturnType<typeof openRentable>>;

const image = 'ubuntu:24.04';

/** Offers that overlap with no other one, dearest first, without the price of their disks. */
async function offersApart({database}: Market) {
	const rows = await database
		.selectFrom('offers')
		.select(['id', 'machine_id', 'dph_base_micros'])
		.where('rentable', '=', 1)
		.orderBy('dph_base_micros', 'desc')
		.execute();
	await database.updateTable('offers').set({storage_cost_micros: 0}).execute();
	return [...Map.groupBy(rows, row => row.machine_id).values()].map(([row]) => row ?? never());
}

function never(): never {
	throw new Error('a group is not empty');
}

async function setCredit({database}: Market, micros: number): Promise<void> {
	await database.updateTable('accounts').set({credit_micros: micros}).execute();
}

/** Micro-dollars of a minute of all that runs, loads or waits. */
async function minuteOf({database}: Market): Promise<number> {
	const instances = database.selectFrom('instances').select('gpu_micros');
	const rows = await instances
		.where('destroyed_at', 'is', null)
		.where('intended', '=', 'running')
		.execute();
	return rows.reduce((sum, {gpu_micros: hourly}) => sum + hourly / 60, 0);
}

async function act(market: Market, id: number, body: object, path = ''): Promise<Reply> {
	return market.call(`/api/v0/instances/${path}${id}/`, {
		method: 'PUT',
		body: JSON.stringify(body),
	});
}

test.each(['one after another', 'at once'])(
	'credit covers a minute of all that is rented %s, and nothing beyond it',
	async how => {
		await using market = await openRentable();
		const offers = await offersApart(market);
		const all = offers.reduce((sum, {dph_base_micros: hourly}) => sum + hourly / 60, 0);
		const credit = Math.round(all / 2);
		await setCredit(market, credit);
		const replies: Reply[] = [];
		if (how === 'at once') {
			replies.push(...(await Promise.all(offers.map(async ({id}) => market.rent({image}, id)))));
		} else for (const {id} of offers) replies.push(await market.rent({image}, id));
		const made = replies.filter(({status}) => status === 200);
		expect(made.length).toBeGreaterThan(1);
		expect(made.length).toBeLessThan(offers.length);
		expect(await minuteOf(market)).toBeLessThanOrEqual(credit);
		for (const {status, body} of replies.filter(reply => reply.status !== 200)) {
			expect({status, body}).toMatchObject({
				status: 400,
				body: {
					error: 'insufficient_credit',
					msg: expect.stringMatching(
						/the account has \$[\d.]+ of credit, and a minute of all that it rents needs \$[\d.]+: nothing was rented$/,
					) as unknown,
				},
			});
		}
		const [dearest] = made;
		const path = `/api/v0/instances/${contractOf(dearest?.body)}/`;
		expect((await market.call(path, {method: 'DELETE'})).status).toBe(200);
		const cheapest = offers.findLast((_, at) => replies[at]?.status === 400) ?? never();
		expect((await market.rent({image}, cheapest.id)).status).toBe(200);
	},
);

test('what is started, and bid more for, counts with all that runs', async () => {
	await using market = await openRentable();
	const [one = never(), other = never()] = await offersApart(market);
	const stopped = {image, target_state: 'stopped'};
	const ids: number[] = [];
	for (const {id} of [one, other]) ids.push(contractOf((await market.rent(stopped, id)).body));
	const [first = never(), second = never()] = ids;
	await setCredit(market, one.dph_base_micros / 60 + 1);
	expect((await act(market, first, {state: 'running'})).status).toBe(200);
	expect(await act(market, second, {state: 'running'})).toMatchObject({
		status: 400,
		body: {msg: expect.stringContaining('nothing was started') as unknown},
	});
	await market.database.updateTable('instances').set({is_bid: 1}).execute();
	const price = one.dph_base_micros / 1e6;
	expect(await act(market, first, {price: price + 0.5}, 'bid_price/')).toMatchObject({
		status: 400,
		body: {msg: expect.stringContaining('the bid was not changed') as unknown},
	});
	const {gpu_micros: bid} = await market.database
		.selectFrom('instances')
		.select('gpu_micros')
		.where('id', '=', first)
		.executeTakeFirstOrThrow();
	expect(bid).toBe(one.dph_base_micros);
});

test('use that is not charged yet is no credit', async () => {
	await using market = await openRentable({patience: {silentAfter: 1e9, lostAfter: 2e9}});
	const {database, clock} = market;
	const [one = never(), other = never()] = await offersApart(market);
	const id = contractOf((await market.rent({image}, one.id)).body);
	await database.updateTable('instances').set({actual: 'running'}).where('id', '=', id).execute();
	const minute = (one.dph_base_micros + other.dph_base_micros) / 60;
	clock.pass(120);
	const used = one.dph_base_micros / 30;
	await setCredit(market, used + minute - 2);
	expect((await market.rent({image}, other.id)).status).toBe(400);
	await setCredit(market, used + minute + 2);
	expect((await market.rent({image}, other.id)).status).toBe(200);
});

test('a minute of disks is covered, too, in instances and in volumes', async () => {
	await using market = await openRentable();
	const {database, offer} = market;
	await offersApart(market);
	// A thousand dollars for a GB and month, of 5e5 GB.
	const dear = {storage_cost_micros: 1e9, disk_space: 1e6};
	await database.updateTable('offers').set(dear).where('id', '=', offer.id).execute();
	await setCredit(market, 1_000_000);
	const huge = await market.rent({image, disk: 5e5});
	expect(huge).toMatchObject({status: 400, body: {error: 'insufficient_credit'}});
	const room = await market.call('/api/v0/volumes/search/', {method: 'POST', body: '{"limit": 1}'});
	const [{id: roomId} = never()] = wholeReply(contract.volumes.search, room.body).offers;
	const ofRoom = database.updateTable('offers').set(dear);
	await ofRoom.where('id', '=', roomId).execute();
	const body = JSON.stringify({id: roomId, size: 1e5});
	const volume = await market.call('/api/v0/volumes/', {method: 'PUT', body});
	expect(volume).toMatchObject({
		status: 400,
		body: {
			error: 'insufficient_credit',
			msg: expect.stringMatching(/no volume was made$/) as unknown,
		},
	});
	expect(await database.selectFrom('volumes').selectAll().execute()).toEqual([]);
});

test('what is paid ahead covers its own instance, and what is one’s own needs no cover', async () => {
	await using market = await openRentable();
	const {database} = market;
	const [one = never(), other = never()] = await offersApart(market);
	const id = contractOf((await market.rent({image}, one.id)).body);
	await database
		.updateTable('instances')
		.set({deposit_micros: one.dph_base_micros})
		.where('id', '=', id)
		.execute();
	await setCredit(market, other.dph_base_micros / 60 + 1);
	expect((await market.rent({image}, other.id)).status).toBe(200);
	await setCredit(market, 0);
	const {account_id: accountId} = await readInstance(database, id);
	await database.updateTable('machines').set({account_id: accountId}).execute();
	const [, , own = never()] = await offersApart(market);
	expect((await market.rent({image}, own.id)).status).toBe(200);
});
