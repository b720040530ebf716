import {openWorld} from '../../helpers/host/agent-world.ts';
import {expect, test} from 'vitest';
import {ApiError, NetworkError} from '../../../source/client/exchange/errors.ts';
import {openHostAgent} from '../../../source/host/agent/agent.ts';
import type {Illness} from '../../../source/host/base/runtime.ts';
import {openDesk} from '../../helpers/host/market-desk.ts';
import {createHandScheduler} from '../../helpers/hand-scheduler.ts';
import {openNotes, workOf} from '../../helpers/host/host.ts';

const away = new NetworkError('reach the market', new Error('away'));
const shutOut = new ApiError('reach the market', {
	status: 401,
	code: 'auth_error',
	serverSays: 'Invalid user key',
});

test('machines are shown to live when the agent is open, and as often as the market wants', async () => {
	await using world = await openWorld();
	expect(world.said.heartbeats).toEqual([[1, 2]]);
	await world.scheduler.pass(35);
	expect(world.said.heartbeats).toHaveLength(4);
	expect(world.said.lists).toBe(1);
});

test('machines are listed anew when the market does not know some', async () => {
	await using world = await openWorld();
	world.trouble.unknown = [2];
	await world.scheduler.pass(21);
	expect(world.said.lists).toBe(2);
});

test('a machine that cannot be heard is left out, and one that goes away is said to go, once', async () => {
	const unwell = new Map<number, Illness>();
	const notes = openNotes();
	const open: typeof notes.open = tell => ({...notes.open(tell), unwell: () => unwell});
	await using world = await openWorld({notes: {...notes, open}});
	unwell.set(1, 'silent').set(2, 'away');
	await world.scheduler.pass(21);
	expect(world.said.heartbeats.slice(1)).toEqual([[], []]);
	expect(world.said.disconnects).toEqual([[2]]);
	unwell.clear();
	await world.scheduler.pass(10);
	expect(world.said.heartbeats.at(-1)).toEqual([1, 2]);
});

test('a task is answered with its text, or with why there is none', async () => {
	await using world = await openWorld();
	world.ask({id: 1, instance_id: 7, kind: 'logs'});
	world.ask({id: 2, instance_id: 7, kind: 'execute', command: 'ls'});
	await world.scheduler.until(() => world.said.answers.size === 2);
	expect([...world.said.answers]).toEqual([
		[1, 'logs for 1'],
		[2, 'The host could not do it: no such command\n'],
	]);
});

test('a task that is told again while it is done is answered once, and later as often as asked', async () => {
	const asked: number[] = [];
	const done = Promise.withResolvers<string>();
	const notes = openNotes();
	const open: typeof notes.open = tell => ({
		...notes.open(tell),
		async logs({id}) {
			asked.push(id);
			return done.promise;
		},
	});
	await using world = await openWorld({notes: {...notes, open}});
	const task = {id: 1, instance_id: 7, kind: 'logs'} as const;
	world.ask(task);
	await world.scheduler.pass(1);
	world.ask(task);
	await world.scheduler.pass(1);
	expect(asked).toEqual([1]);
	done.resolve('text');
	await world.scheduler.until(() => world.said.answers.size === 1);
	world.ask(task);
	await world.scheduler.until(() => asked.length === 2);
});

test('nothing is lost while the market is away', async () => {
	await using world = await openWorld();
	world.want(workOf());
	await world.scheduler.until(() => world.steps.length === 1);
	world.trouble.failure = away;
	world.wake();
	world.tell({instance_id: 7, boot: 1, status: 'loading', status_msg: 'Pulling'});
	await world.scheduler.pass(60);
	world.tell({instance_id: 7, boot: 1, status: 'running', status_msg: 'success'});
	world.want(workOf({wanted: 'stopped'}));
	world.ask({id: 1, instance_id: 7, kind: 'logs'});
	await world.scheduler.pass(60);
	expect(world.said.reports).toEqual([]);
	delete world.trouble.failure;
	await world.scheduler.until(() => world.said.answers.size === 1);
	await world.scheduler.until(() => world.said.reports.length === 2);
	expect(world.statuses()).toEqual(['loading', 'running']);
	expect(world.steps).toEqual(['start 7 boot 1', 'stop 7']);
	const beats = world.said.heartbeats.length;
	await world.scheduler.until(() => world.said.heartbeats.length > beats);
	expect(world.log.filter(line => line.endsWith('Trying again.')).length).toBeLessThan(5);
	expect(world.log).toContain('It works again.');
});

test('reports that the market refuses are not sent for ever', async () => {
	await using world = await openWorld();
	const refused = new ApiError('report', {status: 400, code: undefined, serverSays: 'no'});
	world.trouble.failure = refused;
	world.tell({instance_id: 7, boot: 1, status: 'loading'});
	await world.scheduler.until(() => world.log.some(line => line.endsWith('is lost.')));
	delete world.trouble.failure;
	world.tell({instance_id: 8, boot: 1, status: 'running'});
	await world.scheduler.until(() => world.said.reports.length > 0);
	expect(world.said.reports).toEqual([{instance_id: 8, boot: 1, status: 'running'}]);
});

test('what the market says is gone is removed', async () => {
	await using world = await openWorld();
	world.want(workOf());
	await world.scheduler.until(() => world.steps.length === 1);
	world.trouble.gone = [7];
	world.tell({instance_id: 7, boot: 1, status: 'running'});
	await world.scheduler.until(() => world.steps.length === 2);
	expect(world.steps).toEqual(['start 7 boot 1', 'remove 7']);
});

test('an agent whose key is not accepted does not open', async () => {
	const desk = openDesk();
	desk.trouble.failure = shutOut;
	const notes = openNotes();
	await expect(openWorld({desk, notes})).rejects.toThrow('Invalid user key');
	expect(notes.steps).toEqual(['close']);
});

test('an agent whose key is withdrawn stops, and says so', async () => {
	await using world = await openWorld();
	world.trouble.failure = shutOut;
	await world.scheduler.pass(10);
	expect(await world.agent.ended).toContain('Invalid user key');
	expect(world.log.filter(line => line.endsWith('The host stops.'))).toHaveLength(1);
	expect(world.scheduler.planned()).toBe(0);
});

test('an agent opens although the market is away, and goes on trying', async () => {
	const desk = openDesk();
	desk.trouble.failure = away;
	await using world = await openWorld({desk});
	await world.scheduler.pass(30);
	delete desk.trouble.failure;
	await world.scheduler.until(() => desk.said.heartbeats.length > 0);
	expect(desk.said.heartbeats[0]).toEqual([1, 2]);
});

test('an agent that closes reports the rest, says that its machines go, and closes its runtime, once', async () => {
	const world = await openWorld();
	world.tell({instance_id: 7, boot: 1, status: 'running'});
	await world.agent.close();
	await world.agent.close();
	expect(world.statuses()).toEqual(['running']);
	expect(world.said.disconnects).toEqual([[1, 2]]);
	expect(world.steps).toEqual(['close']);
	expect(await world.agent.ended).toBeUndefined();
	expect(world.scheduler.planned()).toBe(0);
});

test('an agent closes although nobody answers', async () => {
	const world = await openWorld();
	world.trouble.failure = away;
	world.tell({instance_id: 7, boot: 1, status: 'running'});
	await world.agent.close();
	expect(world.steps).toEqual(['close']);
});

test('an agent that shares an account works and speaks for its own machines alone', async () => {
	const desk = openDesk();
	const notes = openNotes();
	const agent = await openHostAgent({
		calls: desk.calls,
		openRuntime: notes.open,
		share: {machines: [2]},
		scheduler: createHandScheduler(),
	});
	expect(desk.said.heartbeats).toEqual([[2]]);
	await agent.close();
	expect(desk.said.disconnects).toEqual([[2]]);
});
