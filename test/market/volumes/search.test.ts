import {expect, test} from 'vitest';
import type {OfferFacts} from '../../../source/market/database/schema.ts';
import {openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';
import {idsOf, openTestMarket, refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';
import {anyRoom, callVolumes, makeVolume, searchRoom} from '../../helpers/market/volumes.ts';

test('every machine has its room once, on its offer with the most GPUs', async () => {
	await using market = await openTestMarketFile({offers: 100});
	const offers = await searchRoom(market, {limit: 1000});
	const all = await market.database
		.selectFrom('offers')
		.select(['id', 'machine_id', 'num_gpus'])
		.orderBy('num_gpus', 'desc')
		.orderBy('id')
		.execute();
	const whole = [...Map.groupBy(all, row => row.machine_id).values()].map(([row]) => row?.id);
	expect(new Set(offers.map(({id}) => id))).toEqual(new Set(whole));
	expect(offers.length).toBeGreaterThan(20);
});

test('room is found as offers are, with what it has of its machine', async () => {
	await using market = await openTestMarket({offers: 100});
	const found = await searchRoom(market, {
		verified: {eq: true},
		external: {eq: false},
		disk_space: {gte: '200'},
		cuda_vers: {gte: '12.0'},
		geolocation: {in: ['US', 'DE', 'FR', 'CZ', 'SE', 'JP', 'KR', 'GB', 'NL', 'PL', 'CA']},
		order: [['storage_cost', 'asc']],
		allocated_storage: 10,
	});
	expect(found.length).toBeGreaterThan(2);
	const costs = found.map(offer => offer.storage_cost ?? expect.fail('has no price'));
	expect(costs).toEqual(costs.toSorted((a, b) => a - b));
	for (const offer of found) {
		expect(offer.disk_space).toBeGreaterThanOrEqual(200);
		expect(offer.cuda_max_good).toBeGreaterThanOrEqual(12);
		expect(offer.verification).toBe('verified');
		expect(offer.storage_total_cost).toBeCloseTo(((offer.storage_cost ?? 0) * 10) / 720, 12);
		expect(offer).toMatchObject({ask_contract_id: offer.id, external: false, vericode: '1'});
	}
	const [first] = found;
	const names = Object.keys(first ?? {});
	for (const name of ['bundle_id', 'duration', 'driver_vers', 'disk_bw', 'mobo_name', 'host_id']) {
		expect(names).toContain(name);
	}
	expect(names).not.toContain('gpu_name');
});

test('room shrinks by what volumes and instances have of it, until there is none', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {id, free, machine_id} = await anyRoom(market);
	const search = {machine_id: {eq: machine_id}};
	await makeVolume(market, {id, size: 40});
	expect(await searchRoom(market, search)).toMatchObject([{id, disk_space: free - 40}]);
	await rentDirectly(market.database, {ask_id: id, disk_gb: 30});
	expect(await searchRoom(market, search)).toMatchObject([{id, disk_space: free - 70}]);
	const least = {...search, allocated_storage: Math.floor(free - 70)};
	expect(await searchRoom(market, least)).toHaveLength(1);
	expect(await searchRoom(market, {...search, allocated_storage: free - 69.5})).toEqual([]);
	expect(await searchRoom(market, {...search, disk_space: {lt: free - 60}})).toHaveLength(1);
	await makeVolume(market, {id, size: Math.floor(free - 70)});
	expect(await searchRoom(market, search)).toEqual([]);
});

test.each<readonly [search: unknown, msg: string]>([
	[{dph_total: {lt: 1}}, 'Error in query parameters: dph_total is not a valid search key'],
	[{disk_space: {like: 1}}, 'like is not a valid search op'],
	[
		{order: [['dph_base', 'asc']]},
		'Error in query parameters: order: "dph_base" is not a valid search key',
	],
	[{order: 'score'}, 'order takes a list of [field, direction]'],
	[{limit: 0}, 'Error in query parameters: limit takes a whole number of at least 1'],
	[{allocated_storage: -1}, 'allocated_storage takes a number of at least 0'],
])('a search of room with %j is refused by name', async (search, msg) => {
	await using market = await openTestMarket({offers: 1});
	const reply = await callVolumes(market, 'POST', search, 'search/');
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_request', msg)});
});

test('a search returns 64 offers of room unless it asks for another number', async () => {
	await using market = await openTestMarket({offers: 300});
	expect(await searchRoom(market)).toHaveLength(64);
	expect(await searchRoom(market, {limit: '70'})).toHaveLength(70);
	const reply = await callVolumes(market, 'POST', {limit: 3}, 'search');
	expect(idsOf(reply)).toHaveLength(3);
});

test('what is deleted or destroyed leaves room again', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {id, free, machine_id} = await anyRoom(market);
	const volume = await makeVolume(market, {id, size: 40});
	const instance = await rentDirectly(market.database, {ask_id: id, disk_gb: 30});
	await callVolumes(market, 'DELETE', {id: volume});
	const search = {machine_id: {eq: machine_id}};
	expect(await searchRoom(market, search)).toMatchObject([{disk_space: free - 30}]);
	await market.database
		.updateTable('instances')
		.set({destroyed_at: TEST_NOW})
		.where('id', '=', instance.id)
		.execute();
	expect(await searchRoom(market, search)).toMatchObject([{disk_space: free}]);
});

test('the room of a machine stands on another of its offers where the largest is over', async () => {
	await using market = await openTestMarketFile({offers: 200});
	const {database} = market;
	const offers = await database.selectFrom('offers').select(['id', 'machine_id']).execute();
	const shared = [...Map.groupBy(offers, ({machine_id}) => machine_id).values()].find(
		({length}) => length > 2,
	);
	const [first, second, third] = shared ?? expect.fail('no machine has three offers');
	const standing = async () =>
		(await searchRoom(market, {machine_id: {eq: first?.machine_id}})).map(({id}) => id);
	const change = async (offer: typeof first, values: Partial<OfferFacts>) =>
		database
			.updateTable('offers')
			.set(values)
			.where('id', '=', offer?.id ?? 0)
			.execute();
	for (const offer of shared ?? []) await change(offer, {num_gpus: 1});
	expect(await standing()).toEqual([first?.id]);
	await change(first, {listed: 0});
	expect(await standing()).toEqual([second?.id]);
	await change(second, {end_date: TEST_NOW});
	expect(await standing()).toEqual([third?.id]);
	await change(third, {num_gpus: 2});
	await change(first, {listed: 1, num_gpus: 3});
	expect(await standing()).toEqual([first?.id]);
	const machines = database.updateTable('machines').set({listed: 0});
	await machines.where('id', '=', first?.machine_id ?? 0).execute();
	expect(await standing()).toEqual([]);
});

test('offers name the room of their machine as a search for room does, whatever becomes of it', async () => {
	await using market = await openProvided();
	const {renter, host} = market;
	const [one, other] = market.machine.asks;
	/** GB that are free, by every offer of the machine; undefined where none names room. */
	async function free() {
		const [room] = (await renter.volumes.search()).offers;
		const shown = {
			avail_vol_ask_id: room?.id ?? null,
			avail_vol_dph: room === undefined ? null : (room.storage_cost ?? 0) / 720,
			avail_vol_size: room?.disk_space ?? null,
		};
		const offers = await market.offers();
		for (const offer of offers) expect(offer).toMatchObject(shown);
		const tests = Object.entries(shown).map(([name, value]) => [name, {eq: value}]);
		expect(await market.search(Object.fromEntries(tests))).toHaveLength(offers.length);
		return room?.disk_space ?? undefined;
	}
	expect(await free()).toBe(1000);
	const rent = async (ask: {readonly id: number} | undefined, target: 'running' | 'stopped') => {
		const order = {image: 'ubuntu', disk: 30, target} as const;
		return (await renter.instances.create(ask?.id ?? 0, order)).new_contract;
	};
	const running = await rent(one, 'running');
	expect(await free()).toBe(970);
	const stopped = await rent(other, 'stopped');
	expect(await free()).toBe(940);
	await renter.instances.destroy(stopped);
	await market.list({vol_size: 100, vol_price: 0.05});
	expect(await free()).toBe(100);
	const room = (await renter.volumes.search()).offers[0]?.id ?? 0;
	const volume = await renter.volumes.create({offerId: room, sizeGb: 60});
	expect(await free()).toBe(40);
	await renter.volumes.delete(Number(volume.slice(2)));
	expect(await free()).toBe(100);
	await market.list({vol_size: 0});
	expect(await free()).toBeUndefined();
	await market.list({vol_size: 2000});
	expect(await free()).toBe(970);
	await market.pass(3600);
	expect(await free()).toBeUndefined();
	await host.heartbeat([market.id]);
	expect(await free()).toBe(970);
	await renter.instances.destroy(running);
	expect(await free()).toBe(1000);
	await market.callAsProvider('DELETE', `${market.id}/asks/`, {});
	expect(await free()).toBeUndefined();
});

test('offers name the room that a search finds, also where their largest one is over', async () => {
	await using market = await openProvided();
	const [one, other, whole] = market.machine.asks;
	await market.database
		.updateTable('offers')
		.set({end_date: TEST_NOW + 60})
		.where('id', '=', whole?.id ?? 0)
		.execute();
	const {renter} = market;
	const named = async () => (await market.offers()).map(offer => offer.avail_vol_ask_id);
	const found = async () => (await renter.volumes.search()).offers.map(({id}) => id);
	expect(await found()).toEqual([whole?.id]);
	await market.pass(61);
	await market.host.heartbeat([market.id]);
	await renter.instances.create(other?.id ?? 0, {image: 'ubuntu', disk: 30, target: 'running'});
	expect(await found()).toEqual([one?.id]);
	expect(await named()).toEqual([one?.id, one?.id]);
});
