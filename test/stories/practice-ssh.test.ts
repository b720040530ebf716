import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {openSimulation} from '../../source/commands/simulation.ts';
import {calmRates} from '../../source/host/simulated/rates.ts';
import {openMarket} from '../../source/market/open.ts';
import {noOpenSsh, openSshUser} from '../helpers/open-ssh.ts';

/** A market with hosts whose instances are real folders, and somebody who rents there. */
async function openWorld() {
	const user = openSshUser();
	const market = await openMarket({file: ':memory:', offers: 30, rateScale: 0});
	const instances = join(user.folder, 'instances');
	const simulation = await openSimulation(market, {
		seed: 1,
		trouble: calmRates,
		folder: instances,
	});
	const client = openClient({url: market.url, key: await market.createKey('renter')});
	return {
		user,
		client,
		instances,
		async [Symbol.asyncDispose]() {
			await client.close();
			await simulation.close();
			await market.close();
			user[Symbol.dispose]();
		},
	};
}

test.skipIf(noOpenSsh !== undefined)(
	'what is rented on the practice market is entered with OpenSSH, until it is stopped',
	{timeout: 60_000},
	async () => {
		await using world = await openWorld();
		const {user, client, instances} = world;
		const key = user.makeKey('laptop');
		await client.sshKeys.create(key.publicKey);
		const [offer] = await client.offers.search({
			filter: [{field: 'rentable', operator: 'eq', value: true}],
			order: [],
			limit: 1,
			pricing: 'on-demand',
		});
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		});
		const show = async () => client.instances.show(id);
		await expect.poll(async () => (await show())?.actual_status, {timeout: 40_000}).toBe('running');

		const port = Number((await show())?.ssh_port);
		const inside = async (command: string) => user.ssh(port, key.file, [command]);
		expect(await inside('echo "$CONTAINER_ID"; echo kept > file')).toMatchObject({
			out: `${id}\n`,
			code: 0,
		});
		expect(existsSync(join(instances, String(id), 'home', 'file'))).toBe(true);

		await client.instances.stop(id);
		await expect.poll(async () => (await inside('true')).code, {timeout: 20_000}).toBe(255);
		await client.instances.destroy(id);
		const isThere = () => existsSync(join(instances, String(id)));
		await expect.poll(isThere, {timeout: 20_000}).toBe(false);
	},
);
