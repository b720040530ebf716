import {existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openService} from '../../source/commands/service.ts';
import {foldersOf} from '../../source/renter/files/folders.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openFolder} from '../helpers/folder.ts';

test('a change that cannot be written down is done, and it is said that nothing shows it', async () => {
	await using market = await openTestMarket();
	using folder = openFolder();
	const folders = {...foldersOf({}), state: join(folder.path, 'state')};
	writeFileSync(folders.state, 'in the way');
	const said: string[] = [];
	const {client, close} = await openService({
		remote: {
			url: market.url,
			key: {kind: 'value', value: market.key},
			mode: 'read-write',
			profile: undefined,
		},
		folders,
		version: 'test',
		environment: {},
		onTrouble: sentence => said.push(sentence),
	});
	await client.secrets.create({key: 'NAME', value: 'hunter2'});
	expect(Object.keys((await client.secrets.list()).secrets)).toContain('NAME');
	await close();
	expect(said[0]).toContain(`cannot be written down in ${folders.state}`);
	expect(said[0]).not.toMatch(/hunter2/);
});

test('a practice market that is left at once opens no hosts, and one that stays opens them', async () => {
	using folder = openFolder();
	const folders = foldersOf({XDG_DATA_HOME: folder.path, XDG_STATE_HOME: folder.path});
	const open = async () =>
		openService({remote: undefined, folders, version: 'test', environment: {}});
	const keys = join(folders.data, 'practice', 'this-machine');
	const left = await open();
	expect((await left.client.offers.search({limit: 3})).offers).toHaveLength(3);
	await left.close();
	expect(existsSync(keys)).toBe(false);
	const stays = await open();
	await expect.poll(() => existsSync(keys)).toBe(true);
	await stays.close();
});

test('a practice market that was just opened rents what it offers, and what was rented runs', async () => {
	using folder = openFolder();
	const folders = foldersOf({XDG_DATA_HOME: folder.path, XDG_STATE_HOME: folder.path});
	const {client, close} = await openService({
		remote: undefined,
		folders,
		version: 'test',
		environment: {},
	});
	const [offer] = (await client.offers.search({limit: 1})).offers;
	const {new_contract: id} = await client.instances.create(offer?.id ?? 0, {
		image: 'ubuntu:24.04',
		cancelUnavailable: true,
	});
	const seen = new Set<string | null | undefined>();
	const status = async () => {
		const {actual_status: shown} = (await client.instances.show(id)) ?? {};
		seen.add(shown);
		return shown;
	};
	await expect.poll(status).toBe('running');
	expect(seen.isDisjointFrom(new Set(['offline', 'unknown']))).toBe(true);
	await close();
});
