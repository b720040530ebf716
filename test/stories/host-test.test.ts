import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openOwnHost} from '../../source/commands/host/own-host.ts';
import {testMachine} from '../../source/commands/host/test.ts';
import {openMarket} from '../helpers/market/postgres.ts';
import {noProcesses, noSandbox} from '../helpers/host/local-host.ts';
import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {removeFolder} from '../helpers/remove-folder.ts';
import {skipWithout} from '../helpers/missing.ts';

const noPython = skipWithout('python3');

test.skipIf((noProcesses ?? noSandbox ?? noPython) !== undefined)(
	'a provider has its machine tested by the market, which reaches into it and verifies it',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-test-'));
		const market = await openMarket({
			file: ':memory:',
			rateScale: 0,
			webhooks: {targets: 'any'},
		});
		const key = await market.createKey('provider');
		const host = await openOwnHost({
			url: market.url,
			key,
			folder,
			reach: {address: '127.0.0.1'},
			name: 'rig',
			prices: {perGpuHour: 0.5, storage: 0.1},
			runtime: 'sandbox',
			endsOnClose: true,
		});
		const client = openClient({url: market.url, key, paceScale: 0});
		const lines: string[] = [];
		const {machineId} = host;
		const testing = {
			client,
			machineId,
			say: (...cells: readonly string[]) => void lines.push(cells.join('\t')),
		};
		const isPassed = await testMachine(testing);
		const said = lines.join('\n');
		expect(said).toMatch(/^port\s+passed\s+market\s+the instance answers at port \d+$/m);
		expect(said).toMatch(/^ssh_direct\s+passed\s+market\s+SSH answers/m);
		expect(said).toMatch(/^disk\s+passed\s+host\s+\d+ MB\/s written/m);
		expect(said).toMatch(/^inet_up\s+passed\s+market\s+[\d.]+ Mbit\/s or more$/m);
		expect(isPassed).toBe(true);
		const filters = {verified: {eq: true}, disk_space: {gte: 1}};
		const body = JSON.stringify(filters);
		const headers = {authorization: `Bearer ${key}`, 'content-type': 'application/json'};
		const reply = await fetch(`${market.url}/api/v0/bundles/`, {method: 'POST', headers, body});
		expect(await reply.json()).toMatchObject({offers: [{machine_id: machineId}]});
		await client.close();
		await host.close();
		await market.close();
		removeFolder(folder);
	},
);
