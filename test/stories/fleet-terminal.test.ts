import {mkdtempSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openClient} from '../../source/client/client.ts';
import {keepSeen, openFleetMarket} from '../helpers/fleet/fleet.ts';
import type {FleetMarket} from '../helpers/fleet/fleet.ts';
import {agree} from '../helpers/console/pty.ts';
import {openPty} from '../helpers/console/pty.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** A user who rents somewhere, and leaves the list of it open. */
function openUser({url, key}: Pick<FleetMarket, 'url' | 'key'>) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-home-'));
	const keyFile = join(folder, 'key');
	writeFileSync(keyFile, key, {mode: 0o600});
	const env = {
		HOME: folder,
		XDG_DATA_HOME: join(folder, 'data'),
		XDG_CONFIG_HOME: join(folder, 'config'),
		XDG_STATE_HOME: join(folder, 'state'),
		XDG_CACHE_HOME: join(folder, 'cache'),
	};
	return {
		open: () => openPty(rentty, ['--url', url, '--key-file', keyFile], {env}),
		folder: join(folder, 'state', 'rentty'),
		kept: () => readdirSync(join(folder, 'state', 'rentty')),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true, force: true}),
	};
}

test('in a real terminal a stuck boot is in the title, swept after a moment, and in Activity', async () => {
	await using market = await openFleetMarket();
	using user = openUser(market);
	const service = {name: new URL(market.url).host, url: market.url};
	keepSeen(user.folder, service, market.seen(Date.now()));
	await using terminal = user.open();
	await terminal.sees(/1 of \d\d/);
	terminal.type('2');
	await terminal.sees('✖ stuck loading');
	await expect.poll(terminal.raw).toContain('rentty 1!');
	terminal.type('X');
	await terminal.sees('SWEEP: DESTROY INSTANCE');
	// Too soon to have been read, and so not listened to.
	terminal.type('y');
	await terminal.sees('were dropped (1)');
	await agree(terminal, 'SWEEP: DESTROY INSTANCE');
	await terminal.sees('Destroying 1 in');
	await terminal.sees('2 is gone.');
	const client = openClient(market);
	expect((await client.instances.list()).instances.map(({id}) => id)).not.toContain(2);
	await client.close();
	terminal.type('5');
	await terminal.sees(/destroy[^]*gone/);
	terminal.type('q');
	expect(await terminal.ends()).toBe(0);
	// What was seen of this service is kept in a file of its own.
	expect(user.kept().filter(name => name.startsWith('fleet-'))).toHaveLength(1);
});
