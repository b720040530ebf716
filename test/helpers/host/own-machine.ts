import {mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {removeFolder} from '../remove-folder.ts';
import {expect} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openPracticeHosts, ownFolder} from '../../../source/commands/practice/hosts.ts';
import type {InstanceOrder} from '../../../source/contract/nouns/creation-request.ts';
import type {Offer} from '../../../source/contract/nouns/offers.ts';
import {openMarket} from '../market/postgres.ts';
import {holdToDocument} from '../market/documented.ts';

/** The practice market with its hosts, and somebody who rents there. */
export async function openOwnMachine() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-own-'));
	const market = await openMarket({file: ':memory:', offers: 20, rateScale: 0});
	const settle = holdToDocument(market.url);
	/** Hosts, as each console opens them that has the market open. */
	const openHosts = async () => openPracticeHosts({...market, seed: 1}, folder);
	const hosts = await openHosts();
	const key = await market.createKey('renter');
	const client = openClient({url: market.url, key, paceScale: 0});

	async function rent(isWanted: (offer: Offer) => boolean, order: Partial<InstanceOrder>) {
		const {offers} = await client.offers.search({limit: 100});
		const {new_contract: id} = await client.instances.create(offers.find(isWanted)?.id ?? 0, {
			image: 'ubuntu:24.04',
			launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
			...order,
		});
		return id;
	}

	return {
		market,
		client,
		folder,
		hosts,
		openHosts,
		/** Rents the machine that this runs on, which alone costs nothing. */
		rentOwn: async (order: Partial<InstanceOrder> = {}) =>
			rent(({storage_cost: storage}) => storage === 0, order),
		/** Rents a machine that is made up. */
		rentMadeUp: async () => rent(({storage_cost: storage}) => storage !== 0, {}),
		own: (id: number) => join(ownFolder(folder), 'instances', String(id)),
		async becomes(id: number, status: string): Promise<void> {
			const shown = async () => (await client.instances.show(id))?.actual_status;
			await expect.poll(shown).toBe(status);
		},
		/** The port of SSH as the market has it. */
		port: async (id: number) => Number((await client.instances.show(id))?.ssh_port),
		async [Symbol.asyncDispose]() {
			await client.close();
			await hosts.close();
			await market.close();
			settle();
			removeFolder(folder);
		},
	};
}
