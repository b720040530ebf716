import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient, type Client} from '../../source/client/client.ts';
import {openPracticeHosts} from '../../source/commands/practice/hosts.ts';
import {replaceFileNow} from '../../source/client/files/files.ts';
import {openPracticeMarket} from '../../source/market/practice.ts';
import {openDatabase} from '../../source/market/database/database.ts';
import {openFolder} from '../helpers/folder.ts';

/** The practice market of a folder, without its hosts. */
async function openPractice(folder: string) {
	const market = await openPracticeMarket(folder, replaceFileNow);
	const client = openClient({url: market.url, key: market.key, paceScale: 0});
	const closeAll = async () => {
		await client.close();
		await market.close();
	};
	return {market, client, closeAll};
}

/** Of each instance: its state, its message, and since when it runs. */
async function seen(client: Client, folder: string) {
	const list = (await client.instances.list()).instances;
	const database = await openDatabase(join(folder, 'market.db'));
	const rows = await database.selectFrom('instances').select(['id', 'running_since']).execute();
	await database.destroy();
	const since = new Map(rows.map(({id, running_since}) => [id, running_since]));
	return list.map(({id, actual_status: status, status_msg: message}) => {
		return {status, message, since: since.get(id)};
	});
}

test('a practice market that is opened again shows its instances as they were, at every look', async () => {
	using place = openFolder();
	const folder = join(place.path, 'practice');
	const first = await openPractice(folder);
	const hosts = await openPracticeHosts(first.market, folder);
	const {client} = first;
	const [one, other] = (await client.offers.search({limit: 2})).offers;
	const rent = async (id = 0) => client.instances.create(id, {image: 'ubuntu:24.04'});
	await rent(one?.id);
	const {new_contract: stopped} = await rent(other?.id);
	const states = async () => (await seen(client, folder)).map(({status}) => status).join(' ');
	await expect.poll(states).toBe('running running');
	await client.instances.stop(stopped);
	await expect.poll(states).toBe('running exited');
	const before = await seen(client, folder);
	await hosts.close();
	await first.closeAll();

	const second = await openPractice(folder);
	expect(await seen(second.client, folder)).toEqual(before);
	const opening = openPracticeHosts(second.market, folder);
	for (let look = 0; look < 5; look++) {
		expect(await seen(second.client, folder)).toEqual(before);
	}
	const opened = await opening;
	expect(await seen(second.client, folder)).toEqual(before);
	await opened.close();
	await second.closeAll();
});
