import {expect, test} from 'vitest';
import {createWorkSignal, type WorkSignal} from '../../../source/market/base/work-signal.ts';
import {waitForWork} from '../../../source/market/hosts/take-work.ts';
import {hashOf} from '../../../source/market/api-keys/store.ts';
import {nextRevision} from '../../../source/market/database/numbering.ts';
import {callLate} from '../../helpers/market/after-read.ts';
import {
	askHost,
	destroyDirectly,
	openHostMarket,
	openRentedMarket,
	reportOf,
	testPublication,
} from '../../helpers/host/hosts.ts';
import {readInstance, rentDirectly} from '../../helpers/market/instances.ts';
import {TEST_END, TEST_NOW} from '../../helpers/market/market.ts';

test('a host takes what its instances shall be', async () => {
	await using market = await openRentedMarket({gpu_mask: 2, handover: 'own key'});
	const {database, renter, instance, machine} = market;
	await renter.secrets.create({key: 'TOKEN', value: 'of-the-account'});
	const work = {
		instance_id: instance.id,
		machine_id: machine.id,
		wanted: 'running',
		image: 'ubuntu:24.04',
		env: [['TOKEN', 'of-the-account']],
		api_key: 'own key',
		gpu_ids: [1],
		public_keys: [],
		mounts: [],
	};
	expect(await market.host.takeWork({after: 0})).toMatchObject({
		revision: instance.revision,
		work: [work],
		volumes: [],
		tasks: [],
	});
	await database.updateTable('machines').set({num_gpus: 0}).execute();
	expect((await market.host.takeWork({after: 0})).work[0]?.gpu_ids).toEqual([]);
});

test('an instance comes with its SSH keys and volumes', async () => {
	await using market = await openRentedMarket();
	const {database, instance, machine} = market;
	const blob = {account_id: instance.account_id, created_at: TEST_NOW, deleted_at: null};
	const keys = await database
		.insertInto('ssh_keys')
		.values([
			{...blob, public_key: 'ssh-ed25519 A', blob: 'A'},
			{...blob, public_key: 'ssh-ed25519 B', blob: 'B'},
			{...blob, public_key: 'ssh-ed25519 C', blob: 'C'},
		])
		.returning('id')
		.execute();
	await database
		.insertInto('instance_ssh_keys')
		.values(keys.slice(0, 2).map(({id}) => ({instance_id: instance.id, ssh_key_id: id})))
		.execute();
	const {id: volumeId} = await database
		.insertInto('volumes')
		.values({
			account_id: instance.account_id,
			ask_id: instance.ask_id,
			machine_id: machine.id,
			host_account_id: instance.host_account_id,
			label: null,
			size_gb: 30,
			storage_micros: 0,
			created_at: TEST_NOW,
			end_date: TEST_END,
			destroyed_at: null,
			billed_until: TEST_NOW,
			revision: await nextRevision(database, instance.host_account_id),
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	await database
		.insertInto('mounts')
		.values({instance_id: instance.id, volume_id: volumeId, path: '/data'})
		.execute();
	const kept = {volume_id: volumeId, machine_id: machine.id, wanted: 'kept', size: 30};
	expect(await market.host.takeWork({after: 0})).toMatchObject({
		work: [
			{
				public_keys: ['ssh-ed25519 A', 'ssh-ed25519 B'],
				mounts: [{volume_id: volumeId, mount_path: '/data', size: 30}],
			},
		],
		volumes: [kept],
	});
	const byOthers = await market.host.takeWork({after: 0, except: [machine.id]});
	expect(byOthers).toMatchObject({work: [], volumes: []});
	const revision = await nextRevision(database, instance.host_account_id);
	await database.updateTable('volumes').set({destroyed_at: TEST_NOW, revision}).execute();
	expect((await market.host.takeWork({after: 0})).volumes).toEqual([]);
	expect(await market.host.takeWork({after: revision - 1})).toMatchObject({
		work: [],
		volumes: [{...kept, wanted: 'gone'}],
	});
});

test('what is rented has a serial of its own, and what was rented before there were any has none', async () => {
	await using market = await openRentedMarket();
	const {database, instance, host} = market;
	const second = await rentDirectly(database);
	const {work} = await host.takeWork({after: 0});
	const serials = work.map(({serial}) => serial);
	expect(serials).toEqual([instance.serial, second.serial]);
	expect(new Set(serials).size).toBe(2);
	await database.updateTable('instances').set({serial: null}).execute();
	const {work: old} = await host.takeWork({after: 0});
	expect(old.map(order => 'serial' in order)).toEqual([false, false]);
});

test('only what changed behind a revision is told', async () => {
	await using market = await openRentedMarket();
	const second = await rentDirectly(market.database, {current: 'stopped'});
	const {revision, work} = await market.host.takeWork({after: market.instance.revision});
	expect(revision).toBe(second.revision);
	expect(work).toMatchObject([{instance_id: second.id, wanted: 'stopped', image: 'ubuntu:24.04'}]);
	expect(await market.host.takeWork({after: revision})).toEqual({
		revision,
		work: [],
		copies: [],
		copy_doors: [],
		unread: [],
		volumes: [],
		tasks: [],
	});
});

test('what was destroyed is told to whoever had it, and to nobody else', async () => {
	await using market = await openRentedMarket();
	const {revision: before} = market.instance;
	await destroyDirectly(market.database, market.instance);
	const {revision} = await readInstance(market.database, market.instance.id);
	expect(revision).toBeGreaterThan(before);
	expect(await market.host.takeWork({after: before})).toMatchObject({
		revision,
		work: [
			{
				instance_id: market.instance.id,
				machine_id: market.machine.id,
				wanted: 'gone',
				boot: 1,
				container: 1,
			},
		],
	});
	expect(await market.host.takeWork({after: 0})).toMatchObject({revision, work: []});
});

test('a host with the revision of another market is told everything', async () => {
	await using market = await openRentedMarket();
	const taken = await market.host.takeWork({after: 500, waitSeconds: 20});
	const {id, revision} = market.instance;
	expect(taken).toMatchObject({revision, work: [{instance_id: id}]});
});

test("another account's hosts get none of it", async () => {
	await using market = await openRentedMarket();
	const {database, instance, stranger} = market;
	await askHost(database, instance, {kind: 'logs', tail: 1});
	const theirs = await stranger.publish(testPublication());
	const [ask] = theirs.asks;
	const other = await rentDirectly(database, {ask_id: ask?.id ?? expect.fail('has no ask')});
	expect(await stranger.takeWork({after: 0})).toMatchObject({
		revision: other.revision,
		work: [{instance_id: other.id, machine_id: theirs.id}],
		volumes: [],
		tasks: [],
	});
	expect(await stranger.report([reportOf(instance)])).toEqual([instance.id]);
	expect(await readInstance(database, instance.id)).toEqual(instance);
});

test('a host that waits is told when something is new', async () => {
	await using market = await openRentedMarket();
	const {host, database} = market;
	await using bystander = await openHostMarket();
	const waiting = host.takeWork({after: market.instance.revision, waitSeconds: 20});
	// Long enough for the call to be waiting, or not: it is answered in either case.
	await bystander.host.list();
	const second = await rentDirectly(database);
	const {id, revision} = second;
	expect(await waiting).toMatchObject({revision, work: [{instance_id: id}]});
});

test('a work signal ends the wait at once', async () => {
	await using market = await openRentedMarket();
	const {database, instance} = market;
	const workSignal = createWorkSignal();
	// Only the signal ends it: it looks again never by itself.
	const patient: WorkSignal = {...workSignal, wait: async name => workSignal.wait(name, 1_000_000)};
	const taking = waitForWork(
		{database, workSignal: patient},
		{
			accountId: instance.host_account_id,
			after: instance.revision,
			waitMs: 1000,
			signal: new AbortController().signal,
		},
	);
	const second = await rentDirectly(database);
	workSignal.send(instance.host_account_id);
	const {id, revision} = second;
	expect(await taking).toMatchObject({revision, work: [{instance_id: id}]});
});

test('a host that waits for nothing is told so in the end', async () => {
	await using market = await openRentedMarket();
	const {revision} = market.instance;
	expect(await market.host.takeWork({after: revision, waitSeconds: 1})).toMatchObject({
		revision,
		work: [],
	});
});

test('a market that closes keeps nobody waiting', async () => {
	await using market = await openRentedMarket();
	const {revision} = market.instance;
	const waiting = market.host.takeWork({after: revision, waitSeconds: 25});
	await market.host.list();
	const closing = market.close();
	expect(await waiting).toMatchObject({revision, work: []});
	await closing;
});

test('a host that waits for work gets none once its key has ended', async () => {
	await using market = await openRentedMarket();
	const {database, file, hostKey: key} = market;
	const late = {
		file,
		key,
		of: 'num_gpus',
		act: async () =>
			database
				.updateTable('api_keys')
				.set({deleted_at: TEST_NOW})
				.where('hash', '=', hashOf(key))
				.execute(),
	};
	const reply = await callLate(late, 'GET', '/hosts/work/?after=0&wait=20');
	expect(reply).toMatchObject({status: 401, body: {error: 'auth_error'}});
});

test('hosts that share an account take each the work of its own machines', async () => {
	await using market = await openRentedMarket();
	const {host, database, instance, machine} = market;
	const other = await host.publish(testPublication({name: 'other'}));
	await rentDirectly(database, {machine_id: other.id});
	await askHost(database, instance, {kind: 'logs'});
	const takes = async (share: {machines?: number[]; except?: number[]}) => {
		const {work, tasks, revision} = await host.takeWork({after: 0, ...share});
		return {of: work.map(({machine_id}) => machine_id), tasks: tasks.length, revision};
	};
	const {revision} = await takes({});
	expect(await takes({machines: [machine.id]})).toEqual({of: [machine.id], tasks: 1, revision});
	expect(await takes({except: [machine.id]})).toEqual({of: [other.id], tasks: 0, revision});
	expect(await takes({machines: [99]})).toEqual({of: [], tasks: 0, revision});
});

test.each(['1;2', '', '1,', 'x', Array.from({length: 65}, () => '1').join(',')])(
	'machines are named by numbers, and not by %j',
	async machines => {
		await using market = await openHostMarket();
		const query = new URLSearchParams({after: '0', machines}).toString();
		expect(await market.callAsHost('GET', `work/?${query}`)).toMatchObject({status: 400});
	},
);
