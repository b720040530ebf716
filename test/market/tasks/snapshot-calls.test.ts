import {expect, test} from 'vitest';
import {textAt} from '../../../source/contract/grammar/json.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {
	openTestMarketFile,
	readInstance,
	rentDirectly,
	rentRunning,
} from '../../helpers/market/instances.ts';
import {refusal, TEST_NOW, type TestMarket} from '../../helpers/market/market.ts';
import {openTestHost} from '../../helpers/market/tasks.ts';

/** A market in which an instance runs, with its host. */
async function openWorld() {
	const market = await openTestMarketFile({offers: 10});
	const instance = await rentRunning(market.database);
	return {...market, instance, host: await openTestHost(market)};
}

/** Has the machines publish that they push to these registries. */
async function publishRegistries({database}: {readonly database: Database}, names: string[]) {
	const publication = JSON.stringify({facts: {}, busy_gpus: [], asks: [], push_registries: names});
	await database.updateTable('machines').set({publication}).execute();
}

const order = {
	container_registry: 'ghcr.io',
	personal_repo: 'me/mine',
	docker_login_user: 'somebody',
	docker_login_pass: 'very-hidden',
	pause: 'false',
};

async function snapshot(world: Pick<TestMarket, 'call'>, id: number, body: unknown) {
	const path = `/api/v0/instances/take_snapshot/${id}/`;
	return world.call(path, {method: 'POST', body: JSON.stringify(body)});
}

test('a snapshot is a task of the host, which is told the login once', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	await publishRegistries(world, ['registry.example.org', 'ghcr.io']);
	const image = `ghcr.io/me/mine:${id}-${TEST_NOW}`;
	const reply = await snapshot(world, id, order);
	expect(reply).toMatchObject({status: 200, body: {success: true, image}});
	const task = {id: 1, instance_id: id, kind: 'snapshot', image, pause: false, needs_login: true};
	const login = {username: 'somebody', password: 'very-hidden'};
	expect(await world.host.tasks()).toEqual([{...task, login}]);
	expect(await world.host.tasks()).toEqual([task]);
	const running = {status: 409, body: {error: 'snapshot_running'}};
	expect(await snapshot(world, id, order)).toMatchObject(running);
	await world.host.answer('Snapshot pushed');
	expect(await snapshot(world, id, {personal_repo: 'me/mine'})).toMatchObject({status: 200});
	const [open] = await world.host.tasks();
	expect(open).toMatchObject({
		image: `registry.example.org/me/mine:${id}-${TEST_NOW}`,
		needs_login: false,
	});
});

test('a snapshot that is refused leaves the login of the one that is being made', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	await publishRegistries(world, ['ghcr.io']);
	expect(await snapshot(world, id, order)).toMatchObject({status: 200});
	const other = {...order, docker_login_user: 'another'};
	expect(await snapshot(world, id, other)).toMatchObject({status: 409});
	await world.database.updateTable('instances').set({contact: 'lost'}).execute();
	expect(await snapshot(world, id, other)).toMatchObject({status: 200, body: {success: false}});
	const login = {username: 'somebody', password: 'very-hidden'};
	expect(await world.host.tasks()).toMatchObject([{login}]);
});

test('the login of a snapshot is written nowhere', async () => {
	await using world = await openWorld();
	await publishRegistries(world, ['ghcr.io']);
	const {body} = await snapshot(world, world.instance.id, order);
	const tasks = await world.database.selectFrom('tasks').selectAll().execute();
	const calls = await world.call('/api/v0/audit_logs/');
	const written = JSON.stringify([body, tasks, calls, world.log]);
	expect(written).not.toMatch(/very-hidden|somebody/);
});

test.each([
	[{...order, container_registry: 'quay.io'}, /is one of ghcr\.io\.$/],
	[{...order, personal_repo: '../etc'}, /personal_repo/],
	[{...order, personal_repo: 'Me'}, /personal_repo/],
	[{...order, docker_login_pass: ''}, /given together/],
	[{personal_repo: 'me/mine'}, /^ghcr\.io takes no image without a login/],
	[{...order, personal_repo: null}, /^personal_repo/],
	[{...order, personal_repo: ''}, /^personal_repo: must be the name of a repository/],
	[{...order, pause: 'perhaps'}, /pause/],
])('a snapshot that cannot be is refused: %j', async (body, msg) => {
	await using world = await openWorld();
	await publishRegistries(world, ['ghcr.io']);
	const reply = await snapshot(world, world.instance.id, body);
	expect(reply).toMatchObject({status: 400, body: {success: false}});
	expect(textAt(reply.body, 'msg')).toMatch(msg);
	expect(await world.host.tasks()).toEqual([]);
});

test('a snapshot needs an own instance that has run, on a machine that pushes', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	const none = refusal('not_supported', 'This machine cannot push images.');
	expect(await snapshot(world, id, order)).toMatchObject({status: 400, body: none});
	const missing = await snapshot(world, id + 1, order);
	expect(missing).toMatchObject({status: 404, body: {error: 'no_such_instance'}});
	await publishRegistries(world, ['ghcr.io']);
	const early = await rentDirectly(world.database, {reported: null});
	const refused = await snapshot(world, early.id, order);
	expect(refused.status).toBe(400);
	expect(textAt(refused.body, 'msg')).toContain('never ran');
});

test('a host tells how far a snapshot is by the status message alone', async () => {
	await using world = await openWorld();
	const {id} = world.instance;
	const {boot} = await readInstance(world.database, id);
	const reports = [{instance_id: id, boot, status_msg: 'Snapshot: reading the disk'}];
	await world.host.report(reports);
	const row = await readInstance(world.database, id);
	expect(row).toMatchObject({message: 'Snapshot: reading the disk', current: 'running'});
});
