import {expect, test} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import type {CallOptions} from '../../../source/client/exchange/call.ts';
import {TimeoutError} from '../../../source/client/exchange/errors.ts';
import {errorOf} from '../../../source/contract/rules/thrown.ts';
import {
	askHost,
	openHostMarket,
	openRentedMarket,
	testPublication,
} from '../../helpers/host/hosts.ts';
import {readInstance} from '../../helpers/market/instances.ts';
import {openFaultProxy} from '../../helpers/services/fault-proxy.ts';
import {createGate, silent} from '../../helpers/services/faults.ts';

test('a host publishes a machine, shows that it lives, works, and goes', async () => {
	await using market = await openRentedMarket();
	const {host, machine, instance, database} = market;
	expect(await host.list()).toEqual([machine]);
	expect(await host.heartbeat([machine.id])).toEqual({success: true, every: 10, unknown: []});
	const {revision, work} = await host.takeWork({after: 0});
	expect(work).toMatchObject([{instance_id: instance.id, wanted: 'running', boot: 1}]);
	const report = {instance_id: instance.id, boot: 1, status: 'running'} as const;
	expect(await host.report([report, {...report, instance_id: 99}])).toEqual([99]);
	expect(await readInstance(database, instance.id)).toMatchObject({actual: 'running'});
	const id = await askHost(database, instance, {kind: 'logs', tail: 10});
	const {tasks} = await host.takeWork({after: revision, waitSeconds: 5});
	expect(tasks).toEqual([{id, instance_id: instance.id, kind: 'logs', tail: 10}]);
	await host.answer(id, 'hello\n');
	await host.withdraw(machine.id);
	await host.disconnect([machine.id]);
	expect(await readInstance(database, instance.id)).toMatchObject({actual: 'offline'});
});

test('a call that waits may take as long as it waits beside its usual time', async () => {
	await using market = await openHostMarket();
	const proxy = await openFaultProxy(market.url);
	const end = createGate();
	proxy.next({}, silent(end.opened), Infinity);
	const client = openClient({url: proxy.url, key: market.hostKey, timeoutMs: 50});
	const longest = async (waitSeconds: number, options?: CallOptions) => {
		const error = await client.hosts.takeWork({after: 0, waitSeconds}, options).catch(errorOf);
		return error instanceof TimeoutError && error.why;
	};
	expect(await longest(1)).toBe('no answer within 1.05 s');
	expect(await longest(20, {waitMs: 0})).toBe('no answer within 0.05 s');
	end.open();
	await client.close();
	await proxy.close();
});

test('a call that waits is ended by whoever made it', async () => {
	await using market = await openHostMarket();
	const leaving = new AbortController();
	const taking = market.host.takeWork({after: 0, waitSeconds: 20}, {signal: leaving.signal});
	leaving.abort(new Error('enough'));
	await expect(taking).rejects.toThrow('enough');
});

test('what a host must not do is refused in words', async () => {
	await using market = await openHostMarket();
	const {id} = await market.stranger.publish(testPublication());
	await expect(market.host.withdraw(id)).rejects.toMatchObject({
		status: 404,
		code: 'not_found',
		serverSays: 'No such machine id',
	});
	await expect(market.host.answer(1, 'x')).rejects.toMatchObject({status: 404});
	await expect(market.host.publish(testPublication({busy_gpus: [9]}))).rejects.toMatchObject({
		status: 400,
		code: 'invalid_args',
	});
});
