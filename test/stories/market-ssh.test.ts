import {existsSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';
import {noOpenSsh, openSshUser} from '../helpers/host/open-ssh.ts';
import {onPostgres} from '../helpers/market/postgres.ts';

const args = ['--offers', '30', '--trouble', 'none'];
const launch = {mode: 'ssh', sshDirect: true, jupyterDirect: false} as const;
const order = {image: 'ubuntu:24.04', launch};

/**
 * Makes numbers of instances that markets of other tests do not reach: an instance's port comes
 * from its number, and is kept over a restart only where nobody takes it meanwhile.
 */
async function countInstances({instances}: Client): Promise<void> {
	for (let count = 25 + (process.pid % 75); count > 0; count--) {
		const {new_contract: id} = await instances.launch({}, {image: 'ubuntu:24.04'});
		await instances.destroy(id);
	}
}

test.skipIf(onPostgres || noOpenSsh !== undefined)(
	'what is rented of a market that runs by itself is entered with OpenSSH, after a restart, too',
	async () => {
		using folder = openFolder();
		using user = openSshUser();
		const file = join(folder.path, 'market.db');
		const login = user.makeKey('laptop');
		let [id, key, before] = [0, '', {}];
		const enter = async (url: string, command: string) => {
			await using client = clientOf(url, key);
			const running = async () => (await client.instances.show(id))?.actual_status;
			await expect.poll(running).toBe('running');
			const {ssh_host, ssh_port} = (await client.instances.show(id)) ?? {};
			before = {ssh_host, ssh_port};
			const said = async () => (await user.ssh(Number(ssh_port), login.file, [command])).out;
			await expect.poll(said).toBe(`${id}\n`);
		};
		{
			await using market = await startMarket(file, ...args);
			key = await market.key();
			await using client = clientOf(market.url, key);
			await client.sshKeys.create(login.publicKey);
			await countInstances(client);
			id = (await client.instances.launch({}, order)).new_contract;
			await enter(market.url, 'echo kept > file; echo $CONTAINER_ID');
			expect(before).toMatchObject({ssh_host: '127.0.0.1'});
			await market.end();
		}
		expect(existsSync(join(`${file}.instances`, String(id), 'home', 'file'))).toBe(true);
		expect(statSync(`${file}.instances`).mode & 0o777).toBe(0o700);
		await using market = await startMarket(file, ...args);
		const first = before;
		await enter(market.url, 'test "$(cat file)" = kept && echo $CONTAINER_ID');
		expect(before).toEqual(first);
		await using client = clientOf(market.url, key);
		await client.instances.destroy(id);
		const isThere = () => existsSync(join(`${file}.instances`, String(id)));
		await expect.poll(isThere).toBe(false);
	},
);

function temporaryFolders(): readonly string[] {
	return readdirSync(tmpdir()).filter(name => name.startsWith('rentty-instances-'));
}

test('a market without a file leaves nothing of its instances', async () => {
	const before = temporaryFolders();
	await using market = await startMarket(':memory:', ...args);
	await using client = clientOf(market.url, await market.key());
	const {new_contract: id} = await client.instances.launch({}, order);
	const status = async () => (await client.instances.show(id))?.actual_status;
	await expect.poll(status).toBe('running');
	const own = temporaryFolders().find(name => !before.includes(name)) ?? '';
	expect(existsSync(join(tmpdir(), own, String(id)))).toBe(true);
	await market.end();
	expect(existsSync(join(tmpdir(), own))).toBe(false);
});

test.skipIf(onPostgres || noOpenSsh !== undefined)(
	'an instance of a new market finds nothing that another market has left in its place',
	async () => {
		using folder = openFolder();
		const file = join(folder.path, 'market.db');
		const home = join(`${file}.instances`, '1', 'home');
		const kept = {hostKey: '', port: 0, apiKey: 'of another market'};
		mkdirSync(home, {recursive: true});
		writeFileSync(join(home, 'secret'), 'x');
		writeFileSync(join(home, '..', 'instance.json'), JSON.stringify(kept));
		await using market = await startMarket(file, ...args);
		await using client = clientOf(market.url, await market.key());
		const {new_contract: id} = await client.instances.launch({}, order);
		const status = async () => (await client.instances.show(id))?.actual_status;
		await expect.poll(status).toBe('running');
		// A simulated machine puts the tool that tells of its GPUs there.
		const own = ['.local', '.local/bin', '.local/bin/nvidia-smi'];
		expect([id, readdirSync(home, {recursive: true})]).toEqual([1, own]);
	},
);

test.skipIf(onPostgres)(
	'a market that other machines can reach gives nobody a shell here',
	async () => {
		using folder = openFolder();
		const file = join(folder.path, 'market.db');
		await using market = await startMarket(file, ...args, '--host', '0.0.0.0');
		const url = market.url.replace('0.0.0.0', '127.0.0.1');
		await using client = clientOf(url, await market.key());
		const {new_contract: id} = await client.instances.launch({}, order);
		const show = async () => client.instances.show(id);
		await expect.poll(async () => (await show())?.actual_status).toBe('running');
		expect((await show())?.ssh_host).toMatch(/^ssh\d+\.example\.net$/);
		expect(market.log()).toContain('simulated instances are not entered by SSH');
		expect(readdirSync(`${file}.instances`)).toEqual(['agent.lock']);
	},
);

test('of two processes with one file, the one that is left works for the hosts', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'market.db');
	await using first = await startMarket(file, ...args);
	await using second = await startMarket(file, ...args);
	const key = await first.key();
	await using client = clientOf(second.url, key);
	expect(await first.end()).toBe(0);
	const {new_contract: id} = await client.instances.launch({}, order);
	const status = async () => (await client.instances.show(id))?.actual_status;
	await expect.poll(status).toBe('running');
});
