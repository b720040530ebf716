import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openService} from '../../source/commands/service.ts';
import {foldersOf} from '../../source/renter/folders.ts';
import {openTestMarket} from '../helpers/market.ts';
import {openFolder} from '../helpers/market-process.ts';

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
