import {expect, test} from 'vitest';
import {createWorkSignal} from '../../../source/market/base/work-signal.ts';
import {createApp} from '../../../source/market/service/server.ts';
import {createKey} from '../../../source/market/api-keys/store.ts';
import {testServices, TEST_NOW} from '../../helpers/market/market.ts';
import {openSharedMachine} from '../../helpers/market/shared-machine.ts';

test.each([
	['PUT', '#/', {state: 'stopped'}],
	['PUT', '', {state: 'stopped', ids: ['#']}],
	['POST', 'start/', {IDs: ['#']}],
	['PUT', 'reboot/#/', {}],
	['PUT', 'recycle/#/', {}],
	['PUT', 'update_template/#/', {image: 'a/b'}],
	['PUT', 'bid_price/#/', {price: 3}],
	['DELETE', '#/', {}],
	['DELETE', '', {instance_ids: ['#']}],
] as const)('the host of an instance is woken by %s /instances/%s', async (method, path, body) => {
	await using machine = await openSharedMachine();
	const id = await machine.rent({gpus: [0], bid: 2});
	const {account_id: accountId, host_account_id: host} = await machine.row(id);
	const {value} = await createKey(machine.database, {accountId, name: 'x', now: TEST_NOW});
	const signalled: number[] = [];
	const workSignal = {...createWorkSignal(), send: (name: number) => signalled.push(name)};
	const app = createApp(
		{...testServices(machine.database, machine.clock), workSignal},
		() => undefined,
	);
	const withId = (text: string) => text.replace('#', String(id));
	const reply = await app.request(`/api/v0/instances/${withId(path)}`, {
		method,
		headers: {authorization: `Bearer ${value}`, 'content-type': 'application/json'},
		body: withId(JSON.stringify(body)),
	});
	expect(reply.status).toBe(200);
	expect(signalled).toEqual([host]);
});
