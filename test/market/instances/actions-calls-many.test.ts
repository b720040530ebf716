import {expect, test} from 'vitest';
import {refusal} from '../../helpers/market/market.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';

test('of several instances, those of the caller are stopped and started', async () => {
	await using machine = await openSharedMachine();
	const ids = [await machine.rent({gpus: [0]}), await machine.rent({gpus: [1]})];
	const foreign = await machine.rent({gpus: [2], account_id: 1});
	const stopped = await machine.act('PUT', '', {state: 'stopped', ids: [...ids, foreign, 99_999]});
	expect(stopped).toMatchObject({status: 200, body: {success: true}});
	expect(await machine.running(...ids, foreign)).toEqual([false, false, true]);
	const started = await machine.act('PUT', '', {state: 'running', ids: ids.map(String)});
	expect(started).toMatchObject({status: 200, body: {success: true, queued: [], ended: []}});
	expect(await machine.running(...ids)).toEqual([true, true]);
});

test('of several that are stopped together, none gets the GPUs of another', async () => {
	await using machine = await openSharedMachine();
	const up = await machine.rent({gpus: [0]});
	const waiting = await machine.wait({gpus: [0]});
	const {revision} = await machine.row(waiting);
	await machine.act('PUT', '', {state: 'stopped', ids: [up, waiting]});
	// Its host has heard nothing of it.
	expect(await machine.row(waiting)).toMatchObject({current: 'stopped', boot: 1, revision});
});

test('of several that are started together, those without GPUs wait', async () => {
	await using machine = await openSharedMachine();
	await machine.rent({gpus: [3]});
	const [first, second] = [await machine.halt({gpus: [0]}), await machine.halt({gpus: [0, 1]})];
	const bulk = {IDs: [first, second, first]};
	const reply = await machine.act('POST', 'start', bulk);
	expect(reply).toMatchObject({status: 200, body: {success: true, queued: [second], ended: []}});
	expect(await machine.running(first, second)).toEqual([true, false]);
});

const tooMany = Array.from({length: 1001}, () => 1);

test.each([
	['PUT', '', {ids: [1]}, "state: must be 'running' or 'stopped'"],
	['PUT', '', {state: 'stopped'}, 'ids: must be a list of instance ids'],
	['PUT', '', {state: 'stopped', ids: 7}, 'ids: must be a list of instance ids'],
	['PUT', '', {state: 'stopped', ids: [1.5]}, 'ids.0: must be a whole number'],
	['PUT', '', {state: 'stopped', ids: [1, 'x']}, 'ids.1: must be a whole number'],
	['PUT', '', {state: 'stopped', ids: tooMany}, 'ids: has at most 1000 ids'],
	['POST', 'start/', {ids: [1]}, 'IDs: must be a list of instance ids'],
	['DELETE', '', {}, 'instance_ids: must be a list of instance ids'],
	['DELETE', '', {instance_ids: ['a']}, 'instance_ids.0: must be a whole number'],
])('%s /instances/%s is refused where it is %o: %s', async (method, path, body, msg) => {
	await using machine = await openSharedMachine();
	const reply = await machine.act(method, path, body);
	expect(reply).toMatchObject({status: 400, body: refusal('invalid_args', msg)});
});
