import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openDatabase, openMarket} from '../helpers/market/postgres.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {noProcesses, sleepers} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';

/** A little more than hosts leave between two words, and then a little more again. */
const patience = {silentAfter: 13, lostAfter: 17};

/** Milliseconds of computing that were charged so far. */
async function chargedMs(file: string): Promise<number> {
	const database = await openDatabase(file);
	const charges = await database
		.selectFrom('charges')
		.select('quantity')
		.where('item', '=', 'gpu')
		.execute();
	await database.destroy();
	return charges.reduce((sum, {quantity}) => sum + quantity, 0);
}

test.skipIf(noProcesses !== undefined)(
	'a host that falls silent is unknown, then offline, costs nothing, and goes on when it is back',
	async () => {
		using folder = openFolder();
		const file = join(folder.path, 'market.db');
		const market = await openMarket({file, offers: 0, rateScale: 0, patience});
		const keyFile = join(folder.path, 'key');
		writeFileSync(keyFile, await market.createKey('provider'));
		const hostFolder = join(folder.path, 'host');
		const hosting = {url: market.url, keyFile, folder: hostFolder, runtime: 'process'} as const;
		await using host = await startHost(hosting);
		const key = await market.createKey('renter');
		const client = openClient({url: market.url, key, paceScale: 0});
		const [offer] = (await client.offers.search({limit: 1})).offers;
		const seconds = `9000${process.pid}`;
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'args', sshDirect: false, jupyterDirect: false},
			arguments: {list: ['sh', '-c', `echo began >> starts; exec sleep ${seconds}`]},
		});
		const shown = async () => (await client.instances.show(id))?.actual_status;
		const becomes = async (status: string): Promise<void> => {
			await expect.poll(shown, {interval: 100}).toBe(status);
		};
		await becomes('running');
		process.kill(host.pid, 'SIGSTOP');
		await becomes('unknown');
		const charged = await chargedMs(file);
		expect(charged).toBeGreaterThan(0);
		await becomes('offline');
		expect(await chargedMs(file)).toBe(charged);
		process.kill(host.pid, 'SIGCONT');
		await becomes('running');
		const starts = join(hostFolder, 'instances', String(id), 'home', 'starts');
		expect([readFileSync(starts, 'utf8'), sleepers(seconds)]).toEqual(['began\n', 1]);

		await client.instances.destroy(id);
		await expect.poll(() => sleepers(seconds)).toBe(0);
		await host.end();
		await client.close();
		await market.close();
	},
);
