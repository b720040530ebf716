import {expect, test} from 'vitest';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {hearMachines, openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';
import {openTestMarket, refusal, TEST_NOW} from '../../helpers/market/market.ts';
import {
	anyRoom,
	callVolumes,
	listVolumes,
	makeVolume,
	readVolume,
	searchRoom,
} from '../../helpers/market/volumes.ts';

const HOUR = 3600;

test('a volume is made, listed and deleted', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {id, machine_id, host_id, storage_cost, end_date, cpu_name} = await anyRoom(market);
	const made = await callVolumes(market, 'PUT', {id, size: 40, name: 'my_data'});
	expect(made).toMatchObject({
		status: 200,
		body: {success: true, volume_name: 'V.1', volume_id: 1},
	});
	const listed = {
		id: 1,
		label: 'my_data',
		start_date: TEST_NOW,
		end_date,
		disk_space: 40,
		status: 'created',
		instances: [],
		machine_id,
		host_id,
		cpu_name,
		cluster_id: null,
		type: 'machine',
		storage_cost,
		storage_total_cost: ((storage_cost ?? 0) * 40) / 720,
	};
	expect(await listVolumes(market)).toMatchObject([listed]);
	const slashless = await market.call('/api/v0/volumes?owner=me&type=all_volume');
	expect(slashless).toMatchObject({status: 200, body: {volumes: [listed]}});
	expect(await listVolumes(market, '?type=local_volume')).toMatchObject([listed]);
	expect(await listVolumes(market, '?type=network_volume')).toEqual([]);
	const gone = await callVolumes(market, 'DELETE', {}, '?id=1');
	expect(gone).toMatchObject({status: 200, body: {success: true}});
	expect(await listVolumes(market)).toEqual([]);
});

test('a volume has 15 GB and no name unless it is given them', async () => {
	await using market = await openTestMarket({offers: 20});
	const {id} = await anyRoom(market);
	await makeVolume(market, {id: String(id), size: null, name: null});
	await makeVolume(market, {id, size: '20'});
	expect(await listVolumes(market)).toMatchObject([
		{label: null, disk_space: 15},
		{label: null, disk_space: 20},
	]);
});

test.each<readonly [body: Readonly<Record<string, unknown>>, msg: RegExp]>([
	[{id: null}, /^id: must be the id of an offer/],
	[{id: 'x'}, /^id: must be the id of an offer/],
	[{size: 0}, /^size: must be a whole number/],
	[{size: 1.5}, /^size: must be a whole number/],
	[{size: 'large'}, /^size: must be a whole number/],
	[{size: 1e9}, /^The machine has room for \d+ GB, and not for 1000000000\.$/],
	[{name: ''}, /^name: a name has 1 to 64 letters, digits and _$/],
	[{name: 'my data'}, /^name: a name has/],
	[{name: 'x'.repeat(65)}, /^name: a name has/],
	[{name: 'naïve'}, /^name: a name has/],
])('a volume with %j is refused', async (body, msg) => {
	await using market = await openTestMarket({offers: 20});
	const {id} = await anyRoom(market);
	const reply = await callVolumes(market, 'PUT', {id, ...body});
	expect(reply).toMatchObject({status: 400, body: {success: false, error: 'invalid_args'}});
	expect(reply.body).toHaveProperty('msg', expect.stringMatching(msg));
	expect(await listVolumes(market)).toEqual([]);
});

test('a volume is not made of an offer that stands for no room', async () => {
	await using market = await openTestMarketFile({offers: 50});
	const room = new Set((await searchRoom(market, {limit: 1000})).map(({id}) => id));
	const offers = await market.search({limit: 1000});
	const share = offers.find(({id}) => !room.has(id)) ?? expect.fail('there are only machines');
	for (const id of [share.id, 7]) {
		const reply = await callVolumes(market, 'PUT', {id});
		expect(reply).toMatchObject({
			status: 404,
			body: refusal('invalid_args', `no_such_ask There is no volume offer ${id}.`),
		});
	}
	const [first = expect.fail('no room')] = room;
	await market.database.updateTable('offers').set({listed: 0}).execute();
	expect(await callVolumes(market, 'PUT', {id: first})).toMatchObject({status: 404});
});

test('a volume costs no more than was agreed to', async () => {
	await using market = await openTestMarket({offers: 20});
	const {id, storage_cost} = await anyRoom(market);
	const perGb = storage_cost ?? expect.fail('it has no price');
	expect(await callVolumes(market, 'PUT', {id, most_storage_cost: perGb / 2})).toMatchObject({
		status: 400,
		body: {msg: 'This room costs more by now: look for room again.'},
	});
	expect(await listVolumes(market)).toEqual([]);
	expect(await callVolumes(market, 'PUT', {id, most_storage_cost: perGb})).toMatchObject({
		status: 200,
	});
});

test('whoever has no credit makes no volume', async () => {
	await using market = await openTestMarket({offers: 20, credit: 0});
	const {id} = await anyRoom(market);
	expect(await callVolumes(market, 'PUT', {id})).toMatchObject({
		status: 400,
		body: {success: false, error: 'insufficient_credit'},
	});
});

test('a volume is charged for until it is deleted, and its host is told', async () => {
	await using market = await openTestMarketFile({offers: 20, patience: forever});
	await hearMachines(market.database);
	const {id, storage_cost} = await anyRoom(market);
	const volume = await makeVolume(market, {id, size: 100});
	await market.pass(HOUR);
	const before = await readVolume(market.database, volume);
	market.clock.pass(HOUR);
	await callVolumes(market, 'DELETE', {id: volume});
	const after = await readVolume(market.database, volume);
	expect(after.destroyed_at).toBe(TEST_NOW + 2 * HOUR);
	expect(after.revision).toBe(before.revision + 1);
	await market.pass(HOUR);
	const charges = await market.database.selectFrom('charges').selectAll().execute();
	const spent = charges.reduce((sum, {amount_micros: amount}) => sum + amount, 0);
	const hourly = ((storage_cost ?? 0) * 100) / 720;
	expect(spent / 1_000_000).toBeCloseTo(hourly * 2, 5);
});

const forever = {silentAfter: 1e9, lostAfter: 2e9};

test('a volume that an instance has is in use and stays', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const {id} = await anyRoom(market);
	const volume = await makeVolume(market, {id});
	const instance = await rentDirectly(market.database, {ask_id: id});
	await market.database
		.insertInto('mounts')
		.values({instance_id: instance.id, volume_id: volume, path: '/data'})
		.execute();
	expect(await listVolumes(market)).toMatchObject([
		{id: volume, status: 'in-use', instances: [instance.id]},
	]);
	expect(await callVolumes(market, 'DELETE', {}, `?id=${volume}`)).toMatchObject({
		status: 400,
		body: refusal(
			'invalid_args',
			`Volume ${volume} is in use: destroy instance ${instance.id} first.`,
		),
	});
	await market.database.updateTable('instances').set({destroyed_at: TEST_NOW}).execute();
	expect(await listVolumes(market)).toMatchObject([{status: 'created', instances: []}]);
	expect(await callVolumes(market, 'DELETE', {}, `?id=${volume}`)).toMatchObject({status: 200});
});

test.each<readonly [body: unknown, query: string, status: number, error: string]>([
	[{}, '', 400, 'invalid_args'],
	[undefined, '', 400, 'invalid_args'],
	[{id: null}, '', 400, 'invalid_args'],
	[{id: 'x'}, '', 400, 'invalid_args'],
	[{}, '?id=x', 400, 'invalid_args'],
	[{id: 2}, '?id=1', 400, 'invalid_args'],
	[{id: 9}, '', 404, 'no_such_volume'],
	[{}, '?id=9', 404, 'no_such_volume'],
])('deleting %j with %j is refused', async (body, query, status, error) => {
	await using market = await openTestMarket({offers: 20});
	await makeVolume(market, {id: (await anyRoom(market)).id});
	const reply = await callVolumes(market, 'DELETE', body, query);
	expect(reply).toMatchObject({status, body: {success: false, error}});
	expect(await listVolumes(market)).toHaveLength(1);
});

test('a volume is deleted once', async () => {
	await using market = await openTestMarket({offers: 20});
	const volume = await makeVolume(market, {id: (await anyRoom(market)).id});
	expect(await callVolumes(market, 'DELETE', {id: volume})).toMatchObject({status: 200});
	expect(await callVolumes(market, 'DELETE', {id: volume})).toMatchObject({status: 404});
});

test('nobody sees or deletes the volumes of others', async () => {
	await using market = await openTestMarketFile({offers: 20});
	const volume = await makeVolume(market, {id: (await anyRoom(market)).id});
	const {id: other} = await soleAccount(market.database, 'host', TEST_NOW);
	await market.database.updateTable('volumes').set({account_id: other}).execute();
	expect(await listVolumes(market)).toEqual([]);
	expect(await callVolumes(market, 'DELETE', {id: volume})).toMatchObject({status: 404});
});
