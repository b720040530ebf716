import {join} from 'node:path';
import {expect} from 'vitest';
import {noteRest} from '../host/at-rest.ts';
import {openClient} from '../../../source/client/client.ts';
import {openSimulation} from '../../../source/commands/practice/simulation.ts';
import {calmRates} from '../../../source/host/simulated/script.ts';
import {openMarket} from '../market/postgres.ts';
import {holdToDocument} from '../market/documented.ts';
import {openSshUser} from '../host/open-ssh.ts';

/** A market with hosts whose instances are real folders with a door for SSH, and somebody who rents there. */
export async function openPracticeWorld() {
	const rest = noteRest();
	const user = openSshUser();
	const market = await openMarket({file: ':memory:', offers: 30, rateScale: 0});
	const settle = holdToDocument(market.url);
	const instances = join(user.folder, 'instances');
	const simulation = await openSimulation(market, {
		seed: 1,
		trouble: calmRates,
		folder: instances,
	});
	const key = await market.createKey('renter');
	const client = openClient({url: market.url, key, paceScale: 0});

	/** Rents something that is entered directly, and waits until it runs. */
	async function rent(label: string): Promise<number> {
		const [offer] = (
			await client.offers.search({
				filter: [{field: 'rentable', operator: 'eq', value: true}],
				order: [],
				limit: 1,
				pricing: 'on-demand',
			})
		).offers;
		const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
			image: 'ubuntu:24.04',
			label,
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
		});
		const status = async () => (await client.instances.show(id))?.actual_status;
		await expect.poll(status).toBe('running');
		return id;
	}

	return {
		user,
		url: market.url,
		key,
		client,
		/** Where the instances are, a folder each. */
		instances,
		rent,
		async [Symbol.asyncDispose]() {
			await client.close();
			await simulation.close();
			await market.close();
			settle();
			user[Symbol.dispose]();
			await rest.end();
		},
	};
}
