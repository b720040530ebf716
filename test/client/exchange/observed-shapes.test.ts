import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {answered} from '../../helpers/services/faults.ts';
import {openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';

async function openWorld() {
	const market = await openTestMarketFile({offers: 400});
	const proxy = await openFaultProxy(market.url);
	const client = openClient({url: proxy.url, key: market.key, paceScale: 0, repeats: 0});
	return {
		market,
		proxy,
		client,
		async [Symbol.asyncDispose]() {
			await client.close();
			await proxy.close();
			await market[Symbol.asyncDispose]();
		},
	};
}

test('offers are read as a list, one, several by name, or a list by itself', async () => {
	await using world = await openWorld();
	const shapes = [
		{offers: [{id: 1}]},
		{offers: {id: 1, gpu_name: 'H100'}},
		{offers: {first: {id: 1}, second: {id: 2}}},
		[{id: 1}],
		{offers: []},
	];
	const found = [];
	for (const body of shapes) {
		world.proxy.next({}, answered({status: 200, body}));
		found.push((await world.client.offers.search()).offers.map(({id}) => id));
	}
	expect(found).toEqual([[1], [1], [1, 2], [1], []]);
});

test('a deletion is believed in each of the ways in which it is told', async () => {
	await using world = await openWorld();
	const {instances, apiKeys, sshKeys, templates} = world.client;
	const told = [{success: true}, {}, 'Successfully Deleted', {msg: 'gone'}, null, true];
	for (const body of told) {
		world.proxy.next({}, answered({status: 200, body: JSON.stringify(body)}), 3);
		await instances.destroy(1);
		await templates.delete(1);
		if (body === null || body === true) continue;
		await apiKeys.delete(1);
		world.proxy.next({}, answered({status: 200, body: JSON.stringify(body)}));
		await sshKeys.delete(1);
	}
	world.proxy.calm();
	world.proxy.next({}, answered({status: 204, body: ''}));
	await instances.destroy(1);
	world.proxy.next({}, answered({status: 200, body: {error: 'not_today'}}));
	await expect(instances.destroy(1)).rejects.toMatchObject({status: 200, code: 'not_today'});
	world.proxy.next({}, answered({status: 200, body: ''}));
	await expect(instances.destroy(1)).rejects.toMatchObject({mayHaveActed: true});
});

test('instances are shown by themselves or in a list, with states that nobody knows', async () => {
	await using world = await openWorld();
	const instance = {id: 7, actual_status: 'frozen'};
	for (const body of [{instances: instance}, {instances: [instance]}, instance]) {
		world.proxy.next({}, answered({status: 200, body}));
		expect(await world.client.instances.show(7)).toEqual(instance);
	}
	for (const body of [{instances: null}, {instances: []}]) {
		world.proxy.next({}, answered({status: 200, body}));
		expect(await world.client.instances.show(7)).toBeUndefined();
	}
	world.proxy.next({}, answered({status: 200, body: {success: true}}));
	await expect(world.client.instances.show(7)).rejects.toThrow('is not what the service documents');
});

test('instances are listed by v1, and by v0 for as long as v1 is gone', async () => {
	await using world = await openWorld();
	const ids: number[] = [];
	for (let made = 0; made < 30; made++) {
		ids.push((await rentDirectly(world.market.database)).id);
	}
	const v0 = {method: 'GET', path: '/api/v0/instances/'};
	const v1 = {method: 'GET', path: '/api/v1/instances/'};
	const list = async () =>
		new Set((await world.client.instances.list()).instances.map(({id}) => id));
	const asked = () => world.proxy.requests.splice(0).map(({path}) => path.slice(5, 7));
	const all = new Set(ids);
	expect(await list()).toEqual(all);
	expect(asked()).toEqual(['v1', 'v1']);
	world.proxy.next(v1, answered({status: 410, body: {msg: 'Gone'}}), 99);
	expect(await list()).toEqual(all);
	expect(asked()).toEqual(['v1', 'v0']);
	expect(await list()).toEqual(all);
	expect(asked()).toEqual(['v0']);
	world.proxy.calm();
	world.proxy.next(v0, answered({status: 404}), 99);
	expect(await list()).toEqual(all);
	expect(await list()).toEqual(all);
	expect(asked()).toEqual(['v0', 'v1', 'v1', 'v1', 'v1']);
	world.proxy.next(v1, answered({status: 410}), 99);
	await expect(list()).rejects.toMatchObject({status: 410});
	world.proxy.calm();
	world.proxy.next(v1, answered({status: 404, body: {error: 'auth_error'}}));
	await expect(list()).rejects.toMatchObject({status: 404, code: 'auth_error'});
	expect(await list()).toEqual(all);
});
