import {expect, test} from 'vitest';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import {publishMachine} from '../../../source/market/machines/publish.ts';
import {withdrawMachine} from '../../../source/market/machines/upkeep.ts';
import {afterRead} from '../../helpers/market/after-read.ts';
import {
	openHostMarket,
	readMachine,
	testAsk,
	testFacts,
	testPublication,
} from '../../helpers/host/hosts.ts';
import type {HostMarket} from '../../helpers/host/hosts.ts';
import {readInstance, rentDirectly} from '../../helpers/market/instances.ts';
import {refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {openDatabase} from '../../helpers/market/postgres.ts';

/** What everybody finds of a machine, the cheapest first. */
async function offersOf({search}: HostMarket, machineId: number) {
	return search({machine_id: {eq: machineId}, order: [['dph_base', 'asc']]});
}

/** Lets some of a machine's GPUs be taken at a fixed price. */
async function rentAsk({database}: HostMarket, askId: number | undefined) {
	return rentDirectly(database, {ask_id: askId ?? expect.fail('there is no such ask')});
}

test('a published machine is found as the offers that its asks are', async () => {
	await using market = await openHostMarket({offers: 5});
	const all = await market.database.selectFrom('offers').select('id').orderBy('id').execute();
	const last = all.at(-1)?.id ?? expect.fail('there are no offers');
	const machine = await market.host.publish(testPublication());
	expect(machine).toEqual({
		id: machine.id,
		name: 'rig',
		num_gpus: 2,
		asks: [
			{id: last + 1, gpu_ids: [0]},
			{id: last + 2, gpu_ids: [1]},
			{id: last + 3, gpu_ids: [0, 1]},
		],
	});
	const offers = await offersOf(market, machine.id);
	expect(offers.map(({id}) => id)).toEqual([last + 1, last + 2, last + 3]);
	const {account_id: account} = await readMachine(market.database, machine.id);
	expect(offers[0]).toMatchObject({
		host_id: account,
		num_gpus: 1,
		gpu_name: 'RTX 4090',
		gpu_frac: 0.5,
		gpu_total_ram: 24_564,
		cpu_cores_effective: 24,
		cpu_cores: 48,
		dlperf: 94.6,
		score: null,
		total_flops: 82,
		dph_base: 0.4,
		min_bid: 0.2,
		storage_cost: 0.15,
		disk_space: 500,
		verification: 'unverified',
		reliability: 0.95,
		rentable: true,
		rented: false,
		static_ip: true,
		vms_enabled: false,
		start_date: TEST_NOW,
	});
	const [{dph_total: total = null, dlperf_per_dphtotal: worth = null} = {}] = offers;
	expect(worth).toBeCloseTo(94.6 / (total ?? 0), 4);
	const found = await market.search({
		geolocation: {eq: 'SE'},
		gpu_name: {eq: 'RTX_4090'},
		reliability: {gt: '0.9'},
		driver_version: {gte: '570.0.0'},
	});
	expect(found.filter(offer => offer.machine_id === machine.id)).toHaveLength(3);
});

test('what a host says of its isolation is shown with its offers, and nowhere else', async () => {
	await using market = await openHostMarket();
	const facts = {...testFacts, isolation: 'sandbox, no limit of disk'};
	const {id} = await market.host.publish(testPublication({facts}));
	const other = await market.host.publish(testPublication({name: 'silent'}));
	const said = (await offersOf(market, id)).map(({isolation}) => isolation);
	expect(said).toEqual(Array.from({length: 3}, () => facts.isolation));
	const [silent] = await offersOf(market, other.id);
	expect(Object.hasOwn(silent ?? {}, 'isolation')).toBe(false);
	await market.host.publish(testPublication());
	expect(Object.hasOwn((await offersOf(market, id))[0] ?? {}, 'isolation')).toBe(false);
	const odd = testPublication({facts: {...testFacts, isolation: 'a fort\u001b[2J'}});
	await expect(market.host.publish(odd)).rejects.toThrow('isolation');
});

test('the first machine of an empty market is offered', async () => {
	await using market = await openHostMarket();
	const {id, asks} = await market.host.publish(testPublication());
	expect(asks.map(ask => ask.id)).toEqual([1, 2, 3]);
	expect(await offersOf(market, id)).toHaveLength(3);
});

test('a machine without GPUs is offered as a whole', async () => {
	await using market = await openHostMarket();
	const {id} = await market.host.publish(
		testPublication({facts: {...testFacts, num_gpus: 0}, asks: [testAsk({gpu_ids: []})]}),
	);
	const [offer] = await offersOf(market, id);
	expect(offer).toMatchObject({num_gpus: 0, gpu_frac: 1, gpu_ids: [], cpu_cores_effective: 48});
});

test('a machine that is published again keeps its asks by their GPUs', async () => {
	await using market = await openHostMarket();
	const first = await market.host.publish(testPublication());
	market.clock.pass(100);
	const again = await market.host.publish(
		testPublication({
			facts: {...testFacts, inet_up: 10},
			asks: [testAsk({gpu_ids: [1, 0], dph_base: 0.7}), testAsk({gpu_ids: [1], min_bid: null})],
		}),
	);
	expect(again.id).toBe(first.id);
	expect(again.asks).toEqual([first.asks[1], first.asks[2]]);
	const offers = await offersOf(market, first.id);
	expect(offers).toMatchObject([
		{id: first.asks[1]?.id, dph_base: 0.4, min_bid: null, inet_up: 10},
		{id: first.asks[2]?.id, dph_base: 0.7, min_bid: 0.2, start_date: TEST_NOW},
	]);
	const back = await market.host.publish(testPublication());
	expect(back.asks).toEqual(first.asks);
	expect((await offersOf(market, first.id))[0]).toMatchObject({
		id: first.asks[0]?.id,
		start_date: TEST_NOW + 100,
	});
});

test('what the market says of an offer stays when its machine is published again', async () => {
	await using market = await openHostMarket({offers: 20});
	const [machine] = await market.host.list();
	const [ask] = machine?.asks ?? [];
	if (machine === undefined || ask === undefined) return expect.fail('there is no machine');
	const {num_gpus, name} = machine;
	const read = async () =>
		market.database
			.selectFrom('offers')
			.select(['verification', 'reliability', 'bundle_id', 'host_id', 'start_date'])
			.where('id', '=', ask.id)
			.executeTakeFirstOrThrow();
	const before = await read();
	const facts = {...testFacts, num_gpus};
	await market.host.publish({name, facts, busy_gpus: [], asks: [testAsk({gpu_ids: ask.gpu_ids})]});
	expect(await read()).toEqual(before);
});

test('machines of two accounts may have one name', async () => {
	await using market = await openHostMarket();
	const mine = await market.host.publish(testPublication());
	const theirs = await market.stranger.publish(testPublication());
	expect(theirs.id).not.toBe(mine.id);
	expect((await market.host.list()).map(({id}) => id)).toEqual([mine.id]);
});

test('GPUs that are in use elsewhere are not to be had', async () => {
	await using market = await openHostMarket();
	const {id} = await market.host.publish(testPublication({busy_gpus: [1]}));
	const rentable = await market.search({
		machine_id: {eq: id},
		rentable: {},
		order: [['id', 'asc']],
	});
	expect(rentable.map(offer => [offer.rentable, offer.rented])).toEqual([
		[true, false],
		[false, true],
		[false, true],
	]);
	await market.host.publish(testPublication());
	expect(await market.search({machine_id: {eq: id}, rentable: {eq: true}})).toHaveLength(3);
});

test('what is rented keeps its price when its machine is published again', async () => {
	await using market = await openHostMarket();
	const {id, asks} = await market.host.publish(testPublication());
	const rented = await rentAsk(market, asks[0]?.id);
	await market.host.publish(testPublication({asks: [testAsk({dph_base: 9, storage_cost: 9})]}));
	expect(await readInstance(market.database, rented.id)).toEqual(rented);
	const [offer] = await market.search({machine_id: {eq: id}});
	expect(offer).toMatchObject({id: rented.ask_id, dph_base: 9, rentable: false, rented: true});
});

test('an instance gets the GPUs for which it waits when their machine is free again', async () => {
	await using market = await openHostMarket();
	const machine = await market.host.publish(testPublication({busy_gpus: [0]}));
	await market.host.heartbeat([machine.id]);
	const {id} = await rentDirectly(market.database, {
		ask_id: machine.asks[0]?.id ?? 0,
		current: 'stopped',
		waiting_since: TEST_NOW,
	});
	await market.host.publish(testPublication());
	expect(await readInstance(market.database, id)).toMatchObject({current: 'running', boot: 2});
});

test('a withdrawn machine is not offered, and what is rented of it goes on', async () => {
	await using market = await openHostMarket();
	const {id, asks} = await market.host.publish(testPublication());
	const rented = await rentAsk(market, asks[0]?.id);
	await market.host.withdraw(id);
	expect(await offersOf(market, id)).toEqual([]);
	expect(await readInstance(market.database, rented.id)).toEqual(rented);
	expect(await market.host.list()).toEqual([{id, name: 'rig', num_gpus: 2, asks: []}]);
	expect(await market.host.heartbeat([id])).toMatchObject({unknown: []});
	await market.database.updateTable('instances').set({destroyed_at: TEST_NOW}).execute();
	expect(await market.host.list()).toEqual([]);
	expect(await market.host.heartbeat([id])).toMatchObject({unknown: [id]});
	await market.host.withdraw(id);
	const again = await market.host.publish(testPublication());
	expect(again).toMatchObject({id, asks});
	expect(await market.host.list()).toEqual([again]);
});

test("a machine that is not the caller's is not withdrawn", async () => {
	await using market = await openHostMarket();
	const {id} = await market.stranger.publish(testPublication());
	expect(await market.callAsHost('DELETE', `machines/${id}/`)).toMatchObject({
		status: 404,
		body: expect.objectContaining(refusal('not_found', 'No such machine id')) as unknown,
	});
	expect(await offersOf(market, id)).toHaveLength(3);
});

test('a machine that is published while an earlier one of its name is removed is looked at', async () => {
	await using market = await openHostMarket();
	const {database} = market;
	const publication = testPublication({reach: {port: 41_000, word: 'a'.repeat(32)}});
	const {id} = await market.host.publish(publication);
	const {account_id: accountId} = await readMachine(database, id);
	const beside = await openDatabase(market.file);
	const act = async () => withdrawMachine(beside, {id, accountId}, TEST_NOW);
	const late = {
		database: afterRead(database, {of: 'publication', act}),
		workSignal: createWorkSignal(),
	};
	const made = await publishMachine(late, accountId, publication, TEST_NOW);
	await beside.destroy();
	expect(made.id).not.toBe(id);
	expect(await readMachine(database, made.id)).toMatchObject({reach_due_at: TEST_NOW});
});
