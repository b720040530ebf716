/** Whether a machine is offered to people whom its provider does not know. */
import {spawn} from 'node:child_process';
import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {isolationProblem} from '../../source/commands/host/host.ts';
import type {HostIsolation} from '../../source/commands/host/own-host.ts';
import {findNetworkTools} from '../../source/host/sandbox/own-network.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noGroups, noProcesses, noSandbox} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

const all: HostIsolation = {how: 'sandbox', lacking: [], sharedNetwork: undefined};

test.each<[why: string, walls: Partial<HostIsolation>, said: string | undefined]>([
	['all walls', {}, undefined],
	['containers', {how: 'container'}, undefined],
	['no limit for the disk', {lacking: ['disk']}, undefined],
	['plain processes', {how: 'none'}, 'Install bubblewrap, Docker or Podman.'],
	['a shared network', {sharedNetwork: 'ip is not installed'}, '(ip is not installed). Install'],
	['no limits', {lacking: ['memory', 'processes', 'disk']}, 'limits their memory and processes.'],
])('what strangers need is named, with what helps: %s', (_why, walls, said) => {
	const missing = isolationProblem({...all, ...walls});
	if (said === undefined) expect(missing).toBe(undefined);
	else expect(missing).toContain(said);
});

test.skipIf(noProcesses !== undefined)(
	'plain processes are offered to nobody unless they are trusted, even on loopback',
	async () => {
		using folder = openFolder();
		await using market = await startMarket(join(folder.path, 'market.db'));
		const keyFile = join(folder.path, 'key');
		const key = await market.key();
		writeFileSync(keyFile, key);
		const hostFolder = join(folder.path, 'host');
		const where = ['--market', market.url, '--key-file', keyFile, '--folder', hostFolder];
		const child = spawn(rentty, ['host', ...where, '--runtime', 'process'], {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {...process.env, HOME: folder.path},
		});
		const code = new Promise<number | null>(resolve => child.on('close', resolve));
		expect(await text(child.stderr)).toContain(
			'This machine is not offered to strangers: nothing keeps instances apart from it. Install bubblewrap, Docker or Podman. Or offer it to people you trust, with --trusted.',
		);
		expect(await code).toBe(2);
		await using client = clientOf(market.url, key);
		expect(await client.hosts.list()).toEqual([]);
		expect(existsSync(join(hostFolder, 'instances'))).toBe(false);
	},
);

const tools = findNetworkTools();
const problem = noSandbox ?? noGroups ?? (typeof tools === 'string' ? `no ${tools}` : undefined);

test.skipIf(problem !== undefined)(
	'a machine with walls, limits and networks is offered to strangers, by the program as it is built',
	async () => {
		using folder = openFolder();
		await using market = await startMarket(join(folder.path, 'market.db'));
		const keyFile = join(folder.path, 'key');
		writeFileSync(keyFile, await market.key());
		const hostFolder = join(folder.path, 'host');
		const where = {url: market.url, keyFile, folder: hostFolder};
		await using host = await startHost({...where, runtime: 'sandbox', isTrusted: false});
		expect(host.said()).toMatch(/^networks +one for each instance$/m);
	},
);
