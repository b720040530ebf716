/** What `rentty host` says where it cannot offer a machine, or may not do so any longer. */
import {spawn} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {startHost} from '../helpers/host/host-process.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** Starts a host with a key, and waits for its end. */
async function offer(url: string, key: string, folder: string) {
	const keyFile = join(folder, 'key');
	writeFileSync(keyFile, key);
	const where = ['--market', url, '--key-file', keyFile, '--folder', join(folder, 'host')];
	const child = spawn(rentty, ['host', ...where, '--runtime', 'process', '--trusted'], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: {...process.env, HOME: folder},
	});
	const code = new Promise<number | null>(resolve => child.on('close', resolve));
	const said = await text(child.stderr);
	return {code: await code, said: said.replace(keyFile, 'KEY').replace(url, 'URL')};
}

test.skipIf(noProcesses !== undefined)(
	'a market that is away is named, with what to do',
	async () => {
		using folder = openFolder();
		expect(await offer('http://127.0.0.1:9', 'f'.repeat(64), folder.path)).toEqual({
			code: 1,
			said: 'rentty: No market answers at URL: nothing listens at its address (connection refused). Nothing is offered. What runs on this machine goes on. Start the market, or name another one with --market.\n',
		});
	},
);

test.skipIf(noProcesses !== undefined)(
	'a key that is not accepted is named by its file, and one that is revoked ends the host',
	async () => {
		using folder = openFolder();
		await using market = await startMarket(join(folder.path, 'market.db'));
		expect(await offer(market.url, 'f'.repeat(64), folder.path)).toEqual({
			code: 1,
			said: 'rentty: The market at URL does not accept the key in KEY. Nothing is offered. Use a key of the account that provides the machine.\n',
		});
		await using client = clientOf(market.url, await market.key());
		const {id, key} = await client.apiKeys.create({name: 'rig'});
		const keyFile = join(folder.path, 'rig-key');
		writeFileSync(keyFile, key);
		const hosting = {url: market.url, keyFile, folder: join(folder.path, 'rig')} as const;
		const host = await startHost({...hosting, runtime: 'process'});
		await client.apiKeys.delete(id);
		expect(await host.ended).toBe(1);
		expect(host.said()).toContain('The host stops.');
	},
);
