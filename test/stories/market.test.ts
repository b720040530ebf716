import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';
import {onPostgres} from '../helpers/market/postgres.ts';

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
	if (!onPostgres) expect(readFileSync(file, 'latin1')).not.toContain(key);
});

test('the key of the first start is kept in a file where that is named, and never over another', async () => {
	using folder = openFolder();
	const keyFile = join(folder.path, 'keys', 'first');
	const args = ['--key-file', keyFile];
	const file = join(folder.path, 'market.db');
	{
		await using market = await startMarket(file, ...args);
		await expect.poll(market.out).toContain(`API key, kept for you alone in ${keyFile}\n`);
		const key = readFileSync(keyFile, 'utf8').trim();
		expect(statSync(keyFile).mode & 0o777).toBe(0o600);
		await using client = clientOf(market.url, key);
		expect(await client.account.current()).toMatchObject({credit: 1000});
		expect(await market.end()).toBe(0);
		expect(market.out() + market.log()).not.toContain(key);
	}
	{
		// The same command line starts it again.
		await using market = await startMarket(file, ...args);
		expect(await market.end()).toBe(0);
		expect(market.out()).toBe(`rentty market listens on ${market.url}\n`);
	}
	const before = readFileSync(keyFile, 'utf8');
	await using other = await startMarket(join(folder.path, 'other.db'), ...args);
	await expect
		.poll(other.out)
		.toMatch(/shown this once \(\S+ is there already, and left as it is\): \w/);
	expect(readFileSync(keyFile, 'utf8')).toBe(before);
	await expect(
		startMarket(join(folder.path, 'third.db'), '--key-file', join(keyFile, 'below')),
	).rejects.toThrow('a part of that path is a file and no folder. Nothing was started.');
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
		await expect.poll(status).toBe(wanted);
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
});
