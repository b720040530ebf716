import * as z from 'zod/mini';
import {expect, test} from 'vitest';
import {hearMachines, openTestMarketFile} from '../../helpers/market/instances.ts';
import {listVolumes, makeVolume, searchRoom} from '../../helpers/market/volumes.ts';

/** An offer that can be rented, with room on its machine and a volume there. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 30});
	await hearMachines(market.database);
	const offers = await market.search({rentable: {eq: true}, disk_space: {gte: 200}});
	const [offer = expect.fail('no offer')] = offers;
	const rooms = await searchRoom(market, {machine_id: {eq: offer.machine_id}});
	const [room = expect.fail('no room')] = rooms;
	const volume = await makeVolume(market, {id: room.id, size: 20});
	return {
		...market,
		room,
		volume,
		async rent(body: Readonly<Record<string, unknown>>) {
			const text = JSON.stringify({image: 'a/b', disk: 10, ...body});
			return market.call(`/api/v0/asks/${offer.id}/`, {method: 'PUT', body: text});
		},
	};
}

test('an instance is made with a volume of its renter and a new one', async () => {
	await using world = await openWorld();
	const {room, volume} = world;
	const reply = await world.rent({
		env: `-v V.${volume}:/data`,
		volume_info: {create_new: true, volume_id: room.id, mount_path: '/new', size: 15, name: null},
	});
	const {new_contract: id} = z.parse(z.looseObject({new_contract: z.int()}), reply.body);
	expect(await listVolumes(world)).toMatchObject([
		{id: volume, status: 'in-use', instances: [id]},
		{disk_space: 15, status: 'in-use', instances: [id]},
	]);
	await world.call(`/api/v0/instances/${id}/`, {method: 'DELETE'});
	expect(await listVolumes(world)).toMatchObject([{status: 'created'}, {status: 'created'}]);
});

test.each<readonly [body: Readonly<Record<string, unknown>>, msg: RegExp]>([
	[{volume_info: {volume_id: 1, mount_path: 'data'}}, /mount_path must be absolute/],
	[{volume_info: {volume_id: 1, mount_path: '/proc'}}, /mount_path must not be in \/proc/],
	[{volume_info: {volume_id: 99, mount_path: '/data'}}, /There is no volume 99/],
	[{env: '-v V.99:/data'}, /There is no volume 99/],
	[{volume_info: {create_new: true, volume_id: 99, mount_path: '/data'}}, /no volume offer 99/],
])('an instance with %j is not made, and costs nothing', async (body, msg) => {
	await using world = await openWorld();
	const reply = await world.rent(body);
	expect(reply).toMatchObject({status: 400, body: {success: false, error: 'invalid_args'}});
	expect(reply.body).toHaveProperty('msg', expect.stringMatching(msg));
	expect(await world.database.selectFrom('instances').selectAll().execute()).toEqual([]);
	expect(await listVolumes(world)).toMatchObject([{status: 'created'}]);
});
