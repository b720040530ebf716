import {expect, test} from 'vitest';
import {ApiError} from '../../../source/client/exchange/errors.ts';
import {messages} from '../../../source/market/lifecycle/rules.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';
import {openTestClient, openToldService} from '../../helpers/services/told-service.ts';

/** A service that answers everything with one body, and keeps what it was asked. */
async function openService(body: unknown) {
	const asked: string[] = [];
	const service = await openToldService((request, response) => {
		request.setEncoding('utf8');
		let text = '';
		request.on('data', (part: string) => (text += part));
		request.on('end', () => {
			asked.push(`${request.method} ${request.url} ${text}`);
			response.end(JSON.stringify(body));
		});
	});
	return {...service, asked};
}

test('an instance of a real market is acted on', async () => {
	await using machine = await openSharedMachine();
	await using client = openTestClient(machine);
	const id = await machine.rent({gpus: [0], bid: 0.5});
	const {instances} = client;
	await instances.label(id, 'Ünïcode');
	await instances.changeBid(id, 0.7);
	expect(await machine.row(id)).toMatchObject({label: 'Ünïcode', gpu_micros: 700_000});
	await instances.changeBid(id);
	await instances.reboot(id);
	await instances.recycle(id);
	await instances.rebuild(id, {image: 'c/d', env: [['A', '1']], arguments: {list: ['x']}});
	expect(await machine.row(id)).toMatchObject({
		gpu_micros: 100_000,
		image: 'c/d',
		boot: 4,
		container: 3,
	});
	await instances.stop(id);
	expect(await instances.start(id)).toEqual({isQueued: false, message: undefined});
	expect(await instances.deposit(id)).toEqual({refundable: 0, discount: 0, months: 0});
	await expect(instances.prepay(id, 5)).rejects.toThrow('not paid ahead');
	await instances.destroy(id);
	await expect(instances.destroy(id)).rejects.toThrow(`404 Instance ${id} not found.`);
});

test('a start that has to wait is told from one that does not', async () => {
	await using machine = await openSharedMachine();
	await using client = openTestClient(machine);
	await machine.rent({gpus: [0]});
	const id = await machine.halt({gpus: [0]});
	const queued = {isQueued: true, message: messages.queued};
	expect(await client.instances.start(id)).toEqual(queued);
	expect(await client.instances.change(id, {state: 'running', label: 'x'})).toEqual(queued);
	await client.instances.stop(id);
	expect(await machine.row(id)).toMatchObject({intended: 'stopped', label: 'x'});
});

test('several instances are acted on', async () => {
	await using machine = await openSharedMachine();
	await using client = openTestClient(machine);
	const ids = [await machine.rent({gpus: [0]}), await machine.halt({gpus: [0, 1]})];
	const [, queued] = ids;
	expect(await client.instances.changeMany(ids, 'running')).toEqual({queued: [queued], ended: []});
	await client.instances.changeMany(ids, 'stopped');
	expect(await machine.running(...ids)).toEqual([false, false]);
	await client.instances.destroyMany([...ids, 99_999]);
	await client.instances.destroyMany([]);
	await expect(client.instances.stop(ids[0] ?? 0)).rejects.toThrow('not found');
});

test('many are named in several calls', async () => {
	await using service = await openService({success: true, queued: [3]});
	await using client = openTestClient({url: service.url, key: 'k'});
	const ids = Array.from({length: 130}, (_, index) => index);
	const moved = await client.instances.changeMany(ids, 'running');
	expect(moved).toEqual({queued: [3, 3, 3], ended: []});
	expect(service.asked.map(line => line.split(',').length - 1)).toEqual([64, 64, 2]);
	await client.instances.destroyMany(ids.slice(0, 2));
	expect(service.asked[3]).toBe('DELETE /api/v0/instances/ {"instance_ids":[0,1]}');
});

test('a failure that is told with the status of a success is one', async () => {
	await using service = await openService({success: false, error: 'oops', msg: 'Not today.'});
	await using client = openTestClient({url: service.url, key: 'k'});
	const {instances} = client;
	const attempts = await Promise.allSettled([
		instances.stop(1),
		instances.start(1),
		instances.label(1, 'x'),
		instances.changeMany([1], 'stopped'),
		instances.destroy(1),
		instances.destroyMany([1]),
		instances.reboot(1),
		instances.recycle(1),
		instances.rebuild(1, {image: 'a'}),
		instances.changeBid(1, 2),
		instances.prepay(1, 2),
	]);
	for (const attempt of attempts) {
		const reason: unknown = attempt.status === 'rejected' ? attempt.reason : undefined;
		expect(reason).toBeInstanceOf(ApiError);
		expect(String(reason)).toMatch(
			/Could not .*: the service refused \(200 Not today\.\)\. Nothing was changed/,
		);
	}
});

test('a service that has no word for waiting says it in a sentence', async () => {
	const msg = 'Required resources are currently unavailable, state change queued.';
	await using service = await openService({success: false, msg});
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.instances.start(1)).toEqual({isQueued: true, message: msg});
});

test('what is paid in advance elsewhere is told', async () => {
	const body = {success: true, timescale: 3, discount_rate: 0.3};
	await using service = await openService(body);
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.instances.prepay(1, 20)).toEqual({months: 3, discountRate: 0.3});
});
