import {expect, test} from 'vitest';
import {MarketError, ReplyError, TimeoutError} from '../../../source/client/exchange/errors.ts';
import {openTestMarketFile, rentDirectly, rentRunning} from '../../helpers/market/instances.ts';
import {sshKeyText} from '../../helpers/host/ssh-keys.ts';
import {openTestHost} from '../../helpers/market/tasks.ts';
import {openTestClient, openToldService} from '../../helpers/services/told-service.ts';

type Answer = (
	path: string,
	key: string | undefined,
) => {readonly status: number; readonly text: string};

/** A service that answers each path as it is told. */
async function openService(answer: Answer) {
	return openToldService(({url = '', headers}, response) => {
		const {status, text} = answer(url, headers.authorization);
		response.writeHead(status).end(text);
	});
}

test('logs and the words of commands are what a host answers', async () => {
	await using market = await openTestMarketFile({offers: 10});
	await using client = openTestClient(market);
	const {id} = await rentRunning(market.database);
	const host = await openTestHost(market);
	const logs = client.instances.logs(id, {tail: 5, filter: 'x', daemon: true});
	const said = client.instances.execute(id, 'ls /workspace');
	await expect.poll(async () => host.tasks()).toHaveLength(2);
	expect(await host.tasks()).toMatchObject([
		{kind: 'logs', tail: 5, filter: 'x', daemon_logs: true},
		{kind: 'execute', command: 'ls /workspace'},
	]);
	await host.answer('some\ntext');
	expect(await logs).toBe('some\ntext');
	expect(await said).toBe('some\ntext');
});

test('a question that no host is asked fails with the words of the service', async () => {
	await using market = await openTestMarketFile({offers: 10});
	await using client = openTestClient(market);
	const {id} = await rentDirectly(market.database);
	const logs = client.instances.logs(id);
	await expect(logs).rejects.toBeInstanceOf(MarketError);
	await expect(logs).rejects.toThrow(
		`Could not read the logs of an instance: Instance ${id} was not started yet`,
	);
	await expect(client.instances.execute(id, 'reboot')).rejects.toMatchObject({status: 400});
});

test('a host that does not answer is not waited for without end', async () => {
	await using market = await openTestMarketFile({offers: 10});
	await using client = openTestClient(market);
	const {id} = await rentRunning(market.database);
	const logs = client.instances.logs(id, {}, {answerMs: 50});
	await expect(logs).rejects.toBeInstanceOf(TimeoutError);
	const caller = new AbortController();
	const stopped = client.instances.logs(id, {}, {signal: caller.signal});
	await expect
		.poll(async () => market.database.selectFrom('tasks').selectAll().execute())
		.toHaveLength(2);
	caller.abort();
	await expect(stopped).rejects.toMatchObject({name: 'AbortError'});
});

test('the address of an answer is never called with the key', async () => {
	const keys: Array<string | undefined> = [];
	await using answers = await openService((_, key) => {
		keys.push(key);
		return keys.length < 3 ? {status: 403, text: ''} : {status: 200, text: 'ready'};
	});
	await using service = await openService(() => ({
		status: 200,
		text: JSON.stringify({success: true, result_url: `${answers.url}/logs`}),
	}));
	await using client = openTestClient({url: service.url, key: 'k'});
	expect(await client.instances.logs(1)).toBe('ready');
	expect(keys).toEqual([undefined, undefined, undefined]);
});

test.each(['file:///etc/passwd', 'nowhere'])('the address %s is not called', async address => {
	await using service = await openService(() => ({
		status: 200,
		text: JSON.stringify({success: true, result_url: address}),
	}));
	await using client = openTestClient({url: service.url, key: 'k'});
	await expect(client.instances.logs(1)).rejects.toBeInstanceOf(ReplyError);
});

test('keys of an instance are attached, listed and detached', async () => {
	await using market = await openTestMarketFile({offers: 10});
	await using client = openTestClient(market);
	const {id} = await rentRunning(market.database);
	await client.instances.attachSshKey(id, sshKeyText(1, 'ann'));
	const {keys} = await client.instances.sshKeys(id);
	expect(keys).toEqual([{id: 1, name: 'ann', public_key: sshKeyText(1, 'ann')}]);
	await client.instances.detachSshKey(id, 1);
	expect((await client.instances.sshKeys(id)).keys).toEqual([]);
	await expect(client.instances.detachSshKey(id, 1)).rejects.toMatchObject({
		code: 'no_such_ssh_key',
	});
	await expect(client.instances.attachSshKey(id, 'rubbish')).rejects.toMatchObject({
		code: 'no_ssh_key',
	});
});

test.each<readonly [sent: unknown, isRead: boolean]>([
	[[{id: 5, public_key: 'x'}], true],
	['[{"id": 5, "public_key": "x"}]', true],
	['rubbish', false],
	['{"id": 5}', false],
])('keys that come as %j are read, or refused', async (sent, isRead) => {
	await using service = await openService(() => ({
		status: 200,
		text: JSON.stringify({success: true, ssh_keys: sent}),
	}));
	await using client = openTestClient({url: service.url, key: 'k'});
	const keys = client.instances.sshKeys(1);
	if (isRead) expect((await keys).keys).toEqual([{id: 5, public_key: 'x'}]);
	else await expect(keys).rejects.toBeInstanceOf(ReplyError);
});

test('the names of GPUs are listed', async () => {
	await using market = await openTestMarketFile({offers: 10});
	await using client = openTestClient(market);
	expect((await client.offers.gpuNames()).names.length).toBeGreaterThan(1);
});
