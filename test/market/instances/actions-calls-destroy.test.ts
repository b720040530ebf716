import {expect, test} from 'vitest';
import {readInstanceSettings} from '../../../source/market/lifecycle/instance-rules.ts';
import {refusal, TEST_END, TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';

const done = {status: 200, body: {success: true}};

test('an instance is destroyed: it costs until then, and is not there any longer', async () => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], disk_gb: 0});
	const {revision} = await machine.row(id);
	machine.clock.pass(36);
	expect(await machine.act('DELETE', `${id}/`, {})).toMatchObject(done);
	const row = await machine.row(id);
	expect(row).toMatchObject({destroyed_at: TEST_NOW + 36, current: 'unloaded', next: 'unloaded'});
	expect(row.revision).toBeGreaterThan(revision);
	expect(await machine.offer(1)).toMatchObject({rentable: 1, rented: 0});
	await machine.pass(3600);
	const charges = await machine.database.selectFrom('charges').selectAll().execute();
	expect(charges).toMatchObject([{source_id: id, item: 'gpu', amount_micros: 10_000}]);
	expect(await machine.act('DELETE', `${id}`)).toMatchObject({
		status: 404,
		body: refusal('no_such_instance', `Instance ${id} not found.`),
	});
});

test.each([
	['runs', 'rent'],
	['waits', 'wait'],
	['is stopped', 'halt'],
] as const)('one that %s is destroyed, however its machine is', async (_, make) => {
	await using machine = await openSharedMachine();
	const id = await machine[make]({gpus: [0], contact: 'lost'});
	expect(await machine.act('DELETE', `${id}/`)).toMatchObject(done);
	expect(await machine.row(id)).toMatchObject({destroyed_at: TEST_NOW, current: 'unloaded'});
});

test('who waited for the GPUs of what is destroyed gets them', async () => {
	await using machine = await openSharedMachine();
	const [id, waiting] = [await machine.rent({gpus: [0]}), await machine.wait({gpus: [0, 1]})];
	await machine.act('DELETE', `${id}/`);
	expect(await machine.running(waiting)).toEqual([true]);
});

test('nothing secret is kept of what is destroyed', async () => {
	await using machine = await openSharedMachine();
	const {database} = machine;
	const secret = 'hunter2';
	const id = await machine.rent({
		gpus: [0],
		settings: {
			env: [['PASSWORD', secret]],
			onstart: `echo ${secret}`,
			args: [secret],
			jupyter_token: secret,
			image_login: `-u me -p ${secret}`,
			jupyter_dir: '/home',
		},
		handover: secret,
		access: `{"ssh_host":"${secret}"}`,
		usage: '{}',
	});
	const {id: keyId} = await database
		.insertInto('ssh_keys')
		.values({
			account_id: 2,
			public_key: sshKeyText(),
			blob: 'x',
			created_at: TEST_NOW,
			deleted_at: null,
			instance_id: id,
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	const attached = {instance_id: id, ssh_key_id: keyId};
	await database.insertInto('instance_ssh_keys').values(attached).execute();
	await machine.act('DELETE', `${id}/`);
	const row = await machine.row(id);
	expect(JSON.stringify(row)).not.toContain(secret);
	expect(readInstanceSettings(row.settings)).toMatchObject({env: [], jupyter_dir: '/home'});
	const keys = await database.selectFrom('ssh_keys').select(['id', 'deleted_at']).execute();
	expect(keys).toEqual([{id: keyId, deleted_at: TEST_NOW}]);
	expect(await database.selectFrom('instance_ssh_keys').selectAll().execute()).toEqual([]);
});

test('volumes of what is destroyed are free, and questions to it forgotten', async () => {
	await using machine = await openSharedMachine();
	const {database, machineId} = machine;
	const [id, other] = [await machine.rent({gpus: [0]}), await machine.rent({gpus: [1]})];
	const {account_id, ask_id, host_account_id} = await machine.row(id);
	for (const instance of [id, other]) {
		const {id: volume} = await database
			.insertInto('volumes')
			.values({
				account_id,
				ask_id,
				machine_id: machineId,
				host_account_id,
				label: null,
				size_gb: 10,
				storage_micros: 1,
				created_at: TEST_NOW,
				end_date: TEST_END,
				destroyed_at: null,
				billed_until: TEST_NOW,
				revision: 1,
			})
			.returning('id')
			.executeTakeFirstOrThrow();
		const mount = {instance_id: instance, volume_id: volume, path: '/data'};
		await database.insertInto('mounts').values(mount).execute();
		const task = {host_account_id, instance_id: instance, request: '{}', revision: 1};
		const tasks = [
			{...task, token_hash: `${instance} open`, created_at: TEST_NOW, answer: null},
			{...task, token_hash: `${instance} answered`, created_at: TEST_NOW, answer: 'ok'},
		];
		await database.insertInto('tasks').values(tasks).execute();
	}
	await machine.act('DELETE', `${id}/`);
	const mounts = await database.selectFrom('mounts').select('instance_id').execute();
	expect(mounts).toEqual([{instance_id: other}]);
	const tasks = await database.selectFrom('tasks').select('token_hash').orderBy('id').execute();
	const kept = [`${id} answered`, `${other} open`, `${other} answered`];
	expect(tasks.map(({token_hash}) => token_hash)).toEqual(kept);
	const volumes = await database.selectFrom('volumes').select('destroyed_at').execute();
	expect(volumes).toEqual([{destroyed_at: null}, {destroyed_at: null}]);
});

test('several are destroyed together, again and again', async () => {
	await using machine = await openSharedMachine();
	const ids = [await machine.rent({gpus: [0]}), await machine.wait({gpus: [0]})];
	const foreign = await machine.rent({gpus: [1], account_id: 1});
	for (let attempt = 0; attempt < 3; attempt++) {
		const body = {instance_ids: [...ids, foreign, 99_999, ...ids]};
		expect(await machine.act('DELETE', '', body)).toMatchObject(done);
		machine.clock.pass(1);
	}
	for (const id of ids) {
		// The one that waited did not get the GPUs of the other on the way.
		const gone = {destroyed_at: TEST_NOW, current: 'unloaded', boot: 1};
		expect(await machine.row(id)).toMatchObject(gone);
	}
	expect(await machine.running(foreign)).toEqual([true]);
	expect(await machine.act('DELETE', '', {instance_ids: []})).toMatchObject(done);
});
