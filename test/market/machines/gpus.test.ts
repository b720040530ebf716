import {expect, test} from 'vitest';
import {openHostMarket, testPublication} from '../../helpers/host/hosts.ts';

const uuids = ['GPU-1', 'GPU-2'];

/** Publishes a machine with these GPUs, and has it heard. */
async function openWorld() {
	const market = await openHostMarket();
	const offered = async (id: number) =>
		(await market.search({machine_id: {eq: id}, rentable: {}, verified: {}})).length;
	return {
		...market,
		offered,
		async publish(name: string, gpus: readonly string[] = uuids) {
			const {id} = await market.host.publish(testPublication({name, gpu_uuids: [...gpus]}));
			await market.host.heartbeat([id]);
			return id;
		},
	};
}

test('GPUs are not offered as two machines of an account at once', async () => {
	await using market = await openWorld();
	const rig = await market.publish('rig');
	await expect(market.publish('copy', ['GPU-2', 'GPU-3'])).rejects.toThrow(
		`The GPU GPU-2 is offered already, as machine ${rig}, rig.`,
	);
	const {machines} = await market.host
		.list()
		.then(list => ({machines: list.map(({name}) => name)}));
	expect(machines).toEqual(['rig']);
	expect(await market.publish('rig')).toBe(rig);
	expect(await market.offered(rig)).toBe(3);
	await market.publish('other', ['GPU-3', 'GPU-4']);
});

test('a machine under a new name has the GPUs of the old one, once that is gone', async () => {
	await using market = await openWorld();
	const before = await market.publish('rig');
	await market.host.disconnect([before]);
	const after = await market.publish('renamed');
	expect([await market.offered(before), await market.offered(after)]).toEqual([0, 3]);
	await expect(market.publish('rig')).rejects.toThrow('is offered already, as machine');
	// Others may have GPUs of these names, for nobody proves them to be their own.
	expect(await market.stranger.publish(testPublication({gpu_uuids: uuids}))).toMatchObject({
		name: 'rig',
	});
});
