import {expect, test} from 'vitest';
import {createKey} from '../../../source/market/api-keys/store.ts';
import type {PermissionsRecord} from '../../../source/contract/grammar/permissions.ts';
import {openInstanceLists, type InstanceLists} from '../../helpers/fleet/instance-lists.ts';
import {refusal, TEST_END, TEST_NOW} from '../../helpers/market/market.ts';

/** One account's instance that somebody else's and a destroyed one stand beside. */
async function addThree(lists: InstanceLists): Promise<number> {
	await lists.add({account_id: lists.other});
	await lists.add({destroyed_at: TEST_NOW, current: 'unloaded'});
	return (await lists.add()).id;
}

test('the list has what the account rents, the older first, and nothing of others', async () => {
	await using lists = await openInstanceLists();
	expect(await lists.read('/api/v0/instances/')).toEqual({
		status: 200,
		body: {success: true, instances_found: 0, instances: []},
	});
	const first = await addThree(lists);
	const {id: second} = await lists.add({created_at: TEST_NOW - 60});
	for (const path of ['/api/v0/instances/', '/api/v0/instances?owner=me', '/api/v1/instances/']) {
		expect((await lists.read(path)).body).toMatchObject({
			success: true,
			instances_found: 2,
			instances: [{id: first}, {id: second}],
		});
	}
});

test('an instance is shown by its number, with and without an owner', async () => {
	await using lists = await openInstanceLists();
	const id = await addThree(lists);
	const reply = await lists.read(`/api/v0/instances/${id}/`);
	expect(reply).toMatchObject({status: 200, body: {instances: {id}}});
	expect(await lists.read(`/api/v0/instances/${id}?owner=me`)).toEqual(reply);
});

test('an instance that is unknown, destroyed or of somebody else is shown as null', async () => {
	await using lists = await openInstanceLists();
	const foreign = await lists.add({account_id: lists.other});
	const destroyed = await lists.add({destroyed_at: TEST_NOW});
	for (const id of [foreign.id, destroyed.id, 999, '999999999999999']) {
		const reply = await lists.read(`/api/v0/instances/${id}/?owner=me`);
		expect(reply).toEqual({status: 200, body: {instances: null}});
	}
});

test.each(['x', '1.5', '-1', '99999999999999999999'])('%s is no number to show', async id => {
	await using lists = await openInstanceLists();
	const reply = await lists.read(`/api/v0/instances/${id}/`);
	const body = refusal('invalid_args', 'id: must be a whole number');
	expect(reply).toEqual({status: 400, body});
});

test('the volumes of an instance are listed with it, in every way of reading it', async () => {
	await using lists = await openInstanceLists();
	const [{id: without}, {id}] = [await lists.add(), await lists.add()];
	const addVolume = async (label: string | null, destroyed_at: number | null) => {
		const {id: volume} = await lists.database
			.insertInto('volumes')
			.values({
				account_id: lists.mine,
				ask_id: 1,
				machine_id: 7,
				host_account_id: lists.other,
				label,
				size_gb: 20,
				storage_micros: 1,
				created_at: TEST_NOW,
				end_date: TEST_END,
				destroyed_at,
				billed_until: TEST_NOW,
				revision: 1,
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		await lists.database
			.insertInto('mounts')
			.values({instance_id: id, volume_id: volume, path: '/data'})
			.execute();
		return volume;
	};
	const volume = await addVolume('data', null);
	await addVolume('gone', TEST_NOW);
	const info = [{id: volume, label: 'data', avail_space: null, total_space: 20}];
	expect(await lists.show(id)).toMatchObject({volume_info: info});
	for (const path of ['/api/v0/instances/', '/api/v1/instances/']) {
		expect((await lists.read(path)).body['instances']).toMatchObject([
			{id: without, volume_info: []},
			{id, volume_info: info},
		]);
	}
});

test('the filters are what instances differ in, each combination once', async () => {
	await using lists = await openInstanceLists([
		{gpu_name: 'A', verification: 'verified'},
		{gpu_name: 'B', verification: null},
	]);
	expect(await lists.read('/api/v0/instances/filters/')).toEqual({
		status: 200,
		body: {filters: []},
	});
	await lists.add({actual: 'running'});
	await lists.add({actual: 'running'});
	await lists.add({ask_id: 2, actual: null});
	await lists.add({ask_id: 2, account_id: lists.other, actual: 'exited'});
	await lists.add({ask_id: 2, destroyed_at: TEST_NOW, actual: 'exited'});
	expect((await lists.read('/api/v0/instances/filters')).body).toEqual({
		filters: [
			{actual_status: null, verification: null, gpu_name: 'B'},
			{actual_status: 'running', verification: 'verified', gpu_name: 'A'},
		],
	});
});

const paths = ['/api/v0/instances/', '/api/v1/instances/', '/api/v0/instances/filters/'];

test.each([...paths, '/api/v0/instances/1/'])(
	'%s takes a key that may read instances',
	async path => {
		await using lists = await openInstanceLists();
		const keyWith = async (permissions: PermissionsRecord) => {
			const request = {accountId: lists.mine, name: 'y', permissions, now: TEST_NOW};
			return (await createKey(lists.database, request)).value;
		};
		expect(await lists.read(path)).toMatchObject({status: 200});
		expect(await lists.read(path, await keyWith({instance_write: true}))).toMatchObject({
			status: 403,
			body: {success: false, error: 'not_authorized'},
		});
		expect(await lists.read(path, 'nonsense')).toMatchObject({status: 401});
	},
);
