import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test} from 'vitest';
import {openFleetMarket, type FleetMarket} from '../../../helpers/fleet/fleet.ts';
import {openFolder} from '../../../helpers/folder.ts';
import {sshKeyText} from '../../../helpers/host/ssh-keys.ts';
import {openRunning} from './open-running.ts';

/** The list of somebody whose home is this folder, and who has one key there. */
async function openWithKey(market: FleetMarket, home: string, hasKeyFile = true) {
	mkdirSync(join(home, '.ssh'), {recursive: true});
	if (hasKeyFile) {
		writeFileSync(join(home, '.ssh', 'work'), 'private');
		writeFileSync(join(home, '.ssh', 'work.pub'), sshKeyText(1, 'laptop'));
	}
	const environment = {LANG: 'C', HOME: home, PATH: process.env['PATH']};
	return openRunning(market, {environment, answers: {'203.0.113.24': 61}});
}

async function keysOf(market: FleetMarket, path: string): Promise<string> {
	return JSON.stringify((await market.call(path)).body);
}

test('s where no key is let in offers those of this machine, and the chosen one is let in at once', async () => {
	await using market = await openFleetMarket();
	using folder = openFolder();
	await using rentty = await openWithKey(market, folder.path);
	rentty.type('s');
	expect(await rentty.sees('LET A KEY INTO 1 TRAIN-A')).toContain('laptop ed25519');
	rentty.type('\r');
	await rentty.sees('The key is let into 1 train-a: s enters it.');
	const [type = '', body = ''] = sshKeyText(1).split(' ');
	expect(await keysOf(market, `/api/v0/instances/${market.running.id}/ssh/`)).toContain(body);
	expect(await keysOf(market, '/api/v0/ssh/')).toContain(`${type} ${body}`);
	expect(rentty.commands).toEqual([]);
	rentty.type('s');
	await rentty.sees('Back from 1 train-a.');
	expect(rentty.commands).toHaveLength(1);
});

test('J lets a further key in, which may be pasted, and Esc lets none in', async () => {
	await using market = await openFleetMarket();
	using folder = openFolder();
	await using rentty = await openWithKey(market, folder.path, false);
	rentty.type('J');
	expect(await rentty.sees('LET A KEY INTO 1 TRAIN-A')).toContain('make a new one');
	rentty.type('\u001B');
	await rentty.sees('3 of 4');
	const path = `/api/v0/instances/${market.running.id}/ssh/`;
	const [, body = ''] = sshKeyText(2).split(' ');
	expect(await keysOf(market, path)).not.toContain(body);
	rentty.type('J');
	await rentty.sees('> make a new one');
	rentty.type('j');
	await rentty.sees('> another one: paste');
	rentty.type('\r');
	await rentty.sees('public key>');
	rentty.type(sshKeyText(2, 'desk'));
	rentty.type('\r');
	await rentty.sees('The key is let into 1 train-a: s enters it.');
	expect(await keysOf(market, path)).toContain(body);
});
