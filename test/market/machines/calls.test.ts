import {expect, test} from 'vitest';
import {contract} from '../../../source/contract/index.ts';
import {asksOf} from '../../helpers/market/accounts.ts';
import {testPublication} from '../../helpers/host/hosts.ts';
import {readInstance, rentRunning} from '../../helpers/market/instances.ts';
import {TEST_NOW, wholeReply} from '../../helpers/market/market.ts';
import {openProvided} from '../../helpers/market/provided.ts';

const DAY = 86_400;

test('a machine is shown with its hardware, terms, use and earnings', async () => {
	await using market = await openProvided();
	const [, , whole] = market.machine.asks;
	await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	await market.pass(3600);
	await market.host.heartbeat([market.id]);
	const reply = await market.callAsProvider('GET', '?owner=me');
	const {machines} = wholeReply(contract.machines.list, reply.body);
	expect(machines).toHaveLength(1);
	expect(machines[0]).toMatchObject({
		id: market.id,
		machine_id: market.id,
		name: 'rig',
		hostname: null,
		num_gpus: 2,
		gpu_name: 'RTX 4090',
		listed: true,
		listed_gpu_cost: 0.4,
		min_bid_price: 0.2,
		listed_storage_cost: 0.15,
		listed_min_gpu_count: 1,
		gpu_occupancy: 'D x',
		current_rentals_running: 1,
		current_rentals_on_demand: 1,
		max_disk_space: 1863,
		alloc_disk_space: 16,
		timeout: 0,
		error_description: null,
		verification: 'unverified',
	});
	expect(machines[0]?.earn_hour).toBeCloseTo(0.4 + (16 * 0.15) / 720, 9);
	expect(machines[0]?.earn_day).toBeGreaterThan(0);
	const one = await market.callAsProvider('GET', `${market.id}/?owner=me`);
	expect(one.body).toEqual([expect.objectContaining({id: market.id})]);
	expect(whole).toBeDefined();
});

test('machines that there are not, and those of others, are 404 alike', async () => {
	await using market = await openProvided();
	const foreign = await market.stranger.publish(testPublication());
	for (const id of [foreign.id, 999]) {
		const body: unknown = expect.objectContaining({
			success: false,
			error: 'not_found',
			msg: 'No such machine id',
			machine_id: id,
		});
		const refused = {status: 404, body};
		expect(await market.callAsProvider('GET', `${id}/`)).toMatchObject(refused);
		expect(await market.callAsProvider('DELETE', `${id}/asks/`, {})).toMatchObject(refused);
		expect(await market.callAsProvider('PUT', `${id}/minbid/`, {price: 1})).toMatchObject(refused);
		expect(await market.list({machine: id})).toMatchObject(refused);
	}
	expect(await market.machines.list()).toMatchObject({machines: [{id: market.id}]});
});

test('terms of a provider replace those of its host, and offers keep their ids', async () => {
	await using market = await openProvided();
	const before = await market.offers();
	const nothing = {price_disk: null, duration: null, vol_size: null, min_chunk: null};
	const reply = await market.list({
		...nothing,
		price_gpu: 0.7,
		price_inetu: 0.01,
		price_min_bid: 0.3,
	});
	expect(reply).toMatchObject({status: 200, body: {success: true, extended: 0}});
	const after = await market.offers();
	expect(after.map(({id}) => id)).toEqual(before.map(({id}) => id));
	expect(after.map(({dph_base: price}) => price)).toEqual([0.7, 0.7, 1.4]);
	// What was not given stays as its host asked for it.
	expect(after.map(({storage_cost: price}) => price)).toEqual([0.15, 0.15, 0.15]);
	expect(after[2]).toMatchObject({inet_up_cost: 0.01, inet_down_cost: 0.002, disk_space: 1000});
	// Its host knows nothing of it, and publishes it again at its own price.
	await market.host.publish(testPublication());
	expect((await market.offers()).map(({dph_base: price}) => price)).toEqual([0.7, 0.7, 1.4]);
	expect(await market.list({price_gpu: null, price_disk: 0.2})).toMatchObject({status: 200});
	expect((await market.offers())[0]).toMatchObject({dph_base: 0.7, storage_cost: 0.2});
});

test('the smallest part that is rented makes new offers, and takes others off the list', async () => {
	await using market = await openProvided();
	await market.list({min_chunk: 2});
	const [whole, ...rest] = await market.offers();
	expect(rest).toEqual([]);
	expect(whole).toMatchObject({num_gpus: 2, dph_base: 1, id: market.machine.asks[2]?.id});
	expect(await market.list({min_chunk: 4})).toMatchObject({status: 400});
});

test.each([
	['a price of nothing', {price_gpu: 0}, /price_gpu: must be at least 0.001/],
	['a price beyond all', {price_gpu: 129}, /price_gpu: must be at most 128/],
	['parts of three', {min_chunk: 3}, /min_chunk: must be 1, 2, 4/],
	['an end that is over', {end_date: TEST_NOW}, /end_date is over/],
	['two ends', {end_date: TEST_NOW + DAY, duration: '3 days'}, /cannot both be given/],
	['a time in words', {duration: 'a while'}, /duration: must be such as 3 months/],
	['a price of no room', {vol_size: 0, vol_price: 1}, /vol_price cannot be given/],
])('%s is no term of a listing', async (_, terms, words) => {
	await using market = await openProvided();
	const reply = await market.list(terms);
	const msg: unknown = expect.stringMatching(words);
	expect(reply).toMatchObject({status: 400, body: {error: 'invalid_args', msg}});
});

test('a machine for which nothing was ever asked is listed with a price, or not at all', async () => {
	await using market = await openProvided();
	const {id} = await market.host.publish(testPublication({name: 'other', asks: []}));
	expect(await market.list({machine: id, price_gpu: null})).toMatchObject({
		status: 400,
		body: {error: 'invalid_args', msg: 'price_gpu is needed: dollars per GPU and hour.'},
	});
});

test('a listing ends at its date, and one with a duration goes on day by day', async () => {
	await using market = await openProvided();
	await market.list({duration: '3 days'});
	expect((await market.offers())[0]?.end_date).toBe(TEST_NOW + 3 * DAY);
	await market.pass(DAY + 1);
	await market.host.heartbeat([market.id]);
	expect((await market.offers())[0]?.end_date).toBe(TEST_NOW + 4 * DAY + 1);
	await market.list({end_date: TEST_NOW + 2 * DAY});
	await market.pass(2 * DAY);
	await market.host.heartbeat([market.id]);
	expect(await market.offers()).toEqual([]);
	expect(await market.machines.show(market.id)).toMatchObject({
		listed: false,
		listed_gpu_cost: null,
	});
	// It is listed again by its provider alone, and not by its host.
	await market.host.publish(testPublication());
	expect(await market.offers()).toEqual([]);
	expect(await market.host.heartbeat([market.id])).toMatchObject({unknown: []});
	await market.list();
	expect(await market.offers()).toHaveLength(3);
});

test('a later end extends what is rented, and no change of terms touches it otherwise', async () => {
	await using market = await openProvided();
	await market.list({end_date: TEST_NOW + DAY});
	const {id} = await rentRunning(market.database, {ask_id: market.machine.asks[0]?.id ?? 0});
	const rented = await readInstance(market.database, id);
	expect(rented).toMatchObject({end_date: TEST_NOW + DAY, gpu_micros: 500_000});
	expect(await market.list({price_gpu: 0.6, end_date: TEST_NOW + 9 * DAY})).toMatchObject({
		body: {extended: 0},
	});
	expect(await readInstance(market.database, id)).toEqual(rented);
	expect(await market.list({price_gpu: 0.5})).toMatchObject({body: {extended: 1}});
	expect(await readInstance(market.database, id)).toMatchObject({end_date: TEST_NOW + 9 * DAY});
	await market.machines.unlist(market.id);
	await market.machines.unlist(market.id);
	expect(await market.offers()).toEqual([]);
	expect(await readInstance(market.database, id)).toMatchObject({
		current: 'running',
		end_date: TEST_NOW + 9 * DAY,
	});
});

test('a machine that was listed by nobody but its host keeps its prices when it comes back', async () => {
	await using market = await openProvided();
	await market.machines.unlist(market.id);
	expect(await market.offers()).toEqual([]);
	await market.machines.offer({machine: market.id});
	expect((await market.offers()).map(({dph_base: price}) => price)).toEqual([0.4, 0.4, 0.8]);
});

test('a floor is a term of the offers alone', async () => {
	await using market = await openProvided();
	await market.machines.setFloor(market.id, {price: 0.35});
	const [one, , both] = await market.offers();
	expect([one?.min_bid, both?.min_bid, one?.dph_base]).toEqual([0.35, 0.7, 0.4]);
	expect(await market.callAsProvider('PUT', `${market.id}/minbid/`, {price: null})).toMatchObject({
		status: 400,
	});
	await market.machines.unlist(market.id);
	expect(await market.callAsProvider('PUT', `${market.id}/minbid/`, {price: 1})).toMatchObject({
		status: 400,
		body: {msg: 'The machine is not listed.'},
	});
});

test('a listing says how much room there is for volumes, and what it costs', async () => {
	await using market = await openProvided();
	const room = async () => (await market.renter.volumes.search()).offers;
	expect(await room()).toMatchObject([{disk_space: 1000, storage_cost: 0.15}]);
	await market.list({vol_size: 100, vol_price: 0.05, price_disk: 0.2});
	const [offer] = await room();
	expect(offer).toMatchObject({disk_space: 100, storage_cost: 0.05});
	await market.renter.volumes.create({offerId: offer?.id ?? 0, sizeGb: 60});
	expect(await room()).toMatchObject([{disk_space: 40}]);
	const {volumes} = await market.renter.volumes.list();
	expect(volumes).toMatchObject([{disk_space: 60, storage_cost: 0.05}]);
	const cheap = {filter: [{field: 'storage_cost', operator: 'lte', value: 0.06}]} as const;
	expect((await market.renter.volumes.search(cheap)).offers).toHaveLength(1);
	await market.list({vol_size: 0});
	expect(await room()).toEqual([]);
});

test('room for volumes is listed on all machines or none, and unlisted while volumes stay', async () => {
	await using market = await openProvided();
	const volumes = asksOf(market.call)(market.hostKey);
	const list = async (body: object) => volumes('/volumes/', 'POST', body);
	const room = {machine: market.id, size: 50, price_disk: 0.05};
	const both = await list({...room, machine: [market.id, 999]});
	expect(both).toMatchObject({status: 404, body: {error: 'not_found', machine_id: 999}});
	expect(await list({...room, size: 5000})).toMatchObject({status: 400});
	const [{id} = {id: 0}] = (await market.renter.volumes.search()).offers.filter(
		({machine_id: machine, storage_cost: cost}) => machine === market.id && cost !== 0.05,
	);
	const made = await list(room);
	expect(made).toMatchObject({
		status: 200,
		body: {volume_offers: [{id, machine_id: market.id, size: 50, price_disk: 0.05}]},
	});
	await market.renter.volumes.create({offerId: id, sizeGb: 20});
	const again = await list({...room, machine: [market.id], price_disk: null});
	expect(again.body).toMatchObject({volume_offers: [{id, size: 50, price_disk: 0.1}]});
	const unlist = async (body: object) => volumes('/volumes/unlist/', 'POST', body);
	expect((await unlist({id})).body).toEqual({success: true, msg: `Unlisted Volume ${id}.`});
	expect(await market.renter.volumes.list()).toMatchObject({volumes: [{disk_space: 20}]});
	for (const wrong of [{id}, {id: 99_999}]) {
		const msg = 'Volume listing does not exist';
		expect(await unlist(wrong)).toMatchObject({status: 400, body: {msg}});
	}
	const unnamed = await unlist({});
	expect(unnamed.status).toBe(400);
	expect(unnamed.text).toContain('You must pass in `id` in the body of the request');
	expect(await market.offers()).not.toEqual([]);
});

test('room is not listed of a machine that is off the list', async () => {
	await using market = await openProvided();
	await market.callAsProvider('DELETE', `${market.id}/asks/`, {});
	const ask = asksOf(market.call)(market.hostKey);
	const reply = await ask('/volumes/', 'POST', {machine: market.id, size: 15});
	expect(reply).toMatchObject({status: 400, body: {error: 'invalid_args'}});
	expect(await market.offers()).toEqual([]);
});
