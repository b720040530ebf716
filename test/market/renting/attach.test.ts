import {expect, test} from 'vitest';
import {
	attachVolumes,
	planVolumes,
	type AttachOrder,
} from '../../../source/market/renting/attach.ts';
import {Refusal} from '../../../source/market/base/refusal.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {openTestMarketFile, rentDirectly} from '../../helpers/market/instances.ts';
import {TEST_NOW} from '../../helpers/market/market.ts';
import {anyRoom, makeVolume, readVolume, searchRoom} from '../../helpers/market/volumes.ts';

/** A machine with room, a volume on it, and an instance that is being made there. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 30});
	const {database} = market;
	const {id: offerId, machine_id: machineId, free} = await anyRoom(market);
	const volumeId = await makeVolume(market, {id: offerId, size: 20});
	const [other = expect.fail('one machine')] = await searchRoom(market, {
		machine_id: {neq: machineId},
	});
	const {id: accountId} = await soleAccount(database, 'renter', TEST_NOW);
	const order: AttachOrder = {
		volumeInfo: undefined,
		env: [],
		accountId,
		machineId: machineId ?? expect.fail('no machine'),
		isVm: false,
		diskGb: 10,
		now: TEST_NOW,
	};
	return {
		...market,
		offerId,
		volumeId,
		free,
		other: other.id,
		plan: async (wanted: Partial<AttachOrder>) => planVolumes(database, {...order, ...wanted}),
		async attach(wanted: Partial<AttachOrder>) {
			const plan = await planVolumes(database, {...order, ...wanted});
			const {id} = await rentDirectly(database, {ask_id: offerId});
			await attachVolumes(database, plan, {instanceId: id, now: TEST_NOW});
			return id;
		},
		mounts: async () => database.selectFrom('mounts').selectAll().execute(),
	};
}

test('an instance gets a volume of its renter', async () => {
	await using world = await openWorld();
	const {volumeId} = world;
	const instance = await world.attach({volumeInfo: {volume_id: volumeId, mount_path: '/data'}});
	expect(await world.mounts()).toEqual([
		{instance_id: instance, volume_id: volumeId, path: '/data'},
	]);
});

test('a flag of the environment does the same', async () => {
	await using world = await openWorld();
	const instance = await world.attach({env: [[`-v V.${world.volumeId}:/data`, '1']]});
	expect(await world.mounts()).toMatchObject([{instance_id: instance, path: '/data'}]);
});

test('an instance gets a new volume, of which its host is told', async () => {
	await using world = await openWorld();
	const volumeInfo = {
		create_new: true,
		volume_id: world.offerId,
		size: 30,
		mount_path: '/new',
		name: 'fresh',
	};
	const instance = await world.attach({volumeInfo});
	const [mount = expect.fail('nothing was mounted')] = await world.mounts();
	expect(mount).toMatchObject({instance_id: instance, path: '/new'});
	const made = await readVolume(world.database, mount.volume_id);
	const known = await readVolume(world.database, world.volumeId);
	expect(made).toMatchObject({size_gb: 30, label: 'fresh', billed_until: TEST_NOW});
	expect(made.revision).toBeGreaterThan(known.revision);
});

test('planning changes nothing', async () => {
	await using world = await openWorld();
	const before = await world.database.selectFrom('volumes').selectAll().execute();
	await world.plan({volumeInfo: {create_new: true, volume_id: world.offerId, mount_path: '/n'}});
	expect(await world.database.selectFrom('volumes').selectAll().execute()).toEqual(before);
	expect(await world.mounts()).toEqual([]);
});

async function refusedFor(promise: Promise<unknown>): Promise<string> {
	const error = await promise.then(
		() => expect.fail('it was accepted'),
		(thrown: unknown) => thrown,
	);
	if (!(error instanceof Refusal)) throw error;
	expect(error.reason).toBe('badArguments');
	return error.message;
}

test('a volume of somebody else, or that is gone, is none', async () => {
	await using world = await openWorld();
	const volumeInfo = {volume_id: world.volumeId, mount_path: '/data'};
	const missing = world.plan({volumeInfo: {...volumeInfo, volume_id: 99}});
	expect(await refusedFor(missing)).toBe('There is no volume 99.');
	const foreign = world.plan({volumeInfo, accountId: 99});
	expect(await refusedFor(foreign)).toBe(`There is no volume ${world.volumeId}.`);
	await world.database.updateTable('volumes').set({destroyed_at: TEST_NOW}).execute();
	expect(await refusedFor(world.plan({volumeInfo}))).toMatch(/^There is no volume/);
});

test('a volume is for instances of its own machine', async () => {
	await using world = await openWorld();
	const volumeInfo = {volume_id: world.volumeId, mount_path: '/data'};
	expect(await refusedFor(world.plan({volumeInfo, machineId: 99}))).toMatch(
		/^Volume \d+ is on machine \d+, and the offer on machine 99\.$/,
	);
	const elsewhere = {create_new: true, volume_id: world.other, mount_path: '/data'};
	expect(await refusedFor(world.plan({volumeInfo: elsewhere}))).toMatch(
		/^Volume offer \d+ is of machine/,
	);
});

test('a volume is for one instance at a time', async () => {
	await using world = await openWorld();
	const volumeInfo = {volume_id: world.volumeId, mount_path: '/data'};
	const holder = await world.attach({volumeInfo});
	expect(await refusedFor(world.plan({volumeInfo}))).toBe(
		`Volume ${world.volumeId} is in use: instance ${holder} has it.`,
	);
	await world.database.updateTable('instances').set({destroyed_at: TEST_NOW}).execute();
	await expect(world.plan({volumeInfo})).resolves.toBeDefined();
});

test('a new volume must fit beside the disk of its instance', async () => {
	await using world = await openWorld();
	const size = Math.floor(world.free - 20 - 10);
	const volumeInfo = {create_new: true, volume_id: world.offerId, mount_path: '/new', size};
	await expect(world.plan({volumeInfo})).resolves.toBeDefined();
	expect(await refusedFor(world.plan({volumeInfo, diskGb: 11}))).toMatch(/^The machine has room/);
	const nowhere = {...volumeInfo, volume_id: 99};
	expect(await refusedFor(world.plan({volumeInfo: nowhere}))).toBe('There is no volume offer 99.');
});

test('a VM takes no volumes, and may ask for none', async () => {
	await using world = await openWorld();
	const volumeInfo = {volume_id: world.volumeId, mount_path: '/data'};
	expect(await refusedFor(world.plan({volumeInfo, isVm: true}))).toBe('VMs take no volumes');
	const env = [[`-v V.${world.volumeId}:/data`, '1']] as const;
	expect(await refusedFor(world.plan({env, isVm: true}))).toBe('VMs take no volumes');
	await expect(world.plan({volumeInfo: {}, isVm: true})).resolves.toMatchObject({mounts: []});
});

test('what cannot be understood is refused', async () => {
	await using world = await openWorld();
	const volumeInfo = {volume_id: world.volumeId, mount_path: '/a/../etc'};
	expect(await refusedFor(world.plan({volumeInfo}))).toBe('mount_path must not have .. in it');
});
