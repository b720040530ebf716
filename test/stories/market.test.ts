import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {clientOf, openFolder, startMarket} from '../helpers/market-process.ts';

test('the market alone prints its address and, once, a key; its log has no secrets', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'market.db');
	let key = '';
	{
		await using market = await startMarket(file);
		key = await market.key();
		expect(market.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
		await using client = clientOf(market.url, key);
		expect(await client.account.current()).toMatchObject({credit: 1000});
		const old = await fetch(`${market.url}/api/v0/users/current?api_key=${key}`);
		expect(old.status).toBe(200);
		expect(await market.end()).toBe(0);
		const lines = market.log().trim().split('\n');
		const calls = lines.map((line): unknown => JSON.parse(line));
		expect(calls).toMatchObject([
			{event: 'call', method: 'GET', path: '/api/v0/users/current/', status: 200},
			{event: 'call', method: 'GET', path: '/api/v0/users/current', status: 200},
		]);
		expect(market.log()).not.toContain(key);
	}
	await using market = await startMarket(file);
	await using client = clientOf(market.url, key);
	expect(await client.account.current()).toMatchObject({credit: 1000});
	expect(await market.end('SIGINT')).toBe(0);
	expect(market.out()).toBe(`rentty market listens on ${market.url}\n`);
	expect(readFileSync(file, 'latin1')).not.toContain(key);
});

test('an instance boots on a simulated host, is stopped, started, and destroyed', async () => {
	using folder = openFolder();
	const args = ['--offers', '50', '--trouble', 'none'];
	await using market = await startMarket(join(folder.path, 'market.db'), ...args);
	await using client = clientOf(market.url, await market.key());
	const order = {image: 'ubuntu:24.04', label: 'story'};
	const {new_contract: id} = await client.instances.launch({}, order);
	const status = async () => (await client.instances.show(id))?.actual_status;
	const reaches = async (wanted: string) => {
		await expect.poll(status, {timeout: 60_000}).toBe(wanted);
	};
	await reaches('running');
	expect(await client.instances.show(id)).toMatchObject({
		label: 'story',
		intended_status: 'running',
		ssh_host: expect.stringMatching(/./) as unknown,
		ssh_port: expect.any(Number) as unknown,
	});
	await client.instances.stop(id);
	await reaches('exited');
	await client.instances.start(id);
	await reaches('running');
	await client.instances.destroy(id);
	expect(await client.instances.show(id)).toBeUndefined();
	expect((await client.instances.list()).instances).toEqual([]);
}, 120_000);
