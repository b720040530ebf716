import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {expect, test, vi} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {runAccounts} from '../../../source/commands/market/accounts.ts';
import {checkMarket} from '../../../source/commands/market/database.ts';
import {runMarketMachines} from '../../../source/commands/market/machines.ts';
import {jsonOf} from '../../helpers/commands/commands.ts';
import {testPublication} from '../../helpers/host/hosts.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {openDatabase, placeOf} from '../../helpers/market/postgres.ts';

test('rentty market check says which sums are wrong, and makes no market where there is none', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'market.db');
	await expect(checkMarket(['--data', file])).rejects.toThrow(`There is no market at ${file}.`);
	const place = await placeOf(file);
	const database = await openDatabase(file);
	const check = async () => said(checkMarket, ['--data', place]);
	expect(await check()).toBe('Every balance is the sum of what moved it.\n');
	const {id} = await soleAccount(database, 'renter', 1);
	await database.updateTable('accounts').set({credit_micros: 5}).execute();
	expect(await check()).toBe(`credit of account ${id}: wrong by 5 micro-dollars\n`);
	await database.destroy();
});

type Command = (words: readonly string[]) => Promise<number>;

/** What a command prints. */
async function said(command: Command, words: readonly string[]): Promise<string> {
	const written: string[] = [];
	const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
		written.push(String(text));
		return true;
	});
	try {
		await command(words);
	} finally {
		spy.mockRestore();
	}
	return written.join('');
}

const machines = async (...words: readonly string[]) => said(runMarketMachines, words);

/** A market in a file with a provider's machine, and how an operator reaches it. */
async function openOperated() {
	const folder = openFolder();
	const file = await placeOf(join(folder.path, 'market.db'));
	const account = ['add', '--kind', 'operator', '--name', 'lab', '--data', file];
	const shown = await said(runAccounts, account);
	const keyFile = join(folder.path, 'operator.key');
	writeFileSync(keyFile, /shown this once: (\S+)/.exec(shown)?.[1] ?? '');
	const market = await openTestMarket({file, now: Date.now() / 1000 + 60});
	const host = openClient({url: market.url, key: await market.createKey('host', 'host')});
	const {id} = await host.hosts.publish(testPublication());
	await host.hosts.heartbeat([id]);
	const facts = async () => host.machines.show(id);
	let isOpen = true;
	async function stop(): Promise<void> {
		if (!isOpen) return;
		isOpen = false;
		await host.close();
		await market[Symbol.asyncDispose]();
	}
	return {
		id: String(id),
		facts,
		running: ['--market', market.url, '--key-file', keyFile],
		stopped: ['--data', file],
		stop,
		async [Symbol.asyncDispose]() {
			await stop();
			folder[Symbol.dispose]();
		},
	};
}

test('an operator verifies, quarantines and releases a machine of a market that runs', async () => {
	await using market = await openOperated();
	const {id, running} = market;
	expect(await machines('list', ...running)).toMatch(
		new RegExp(`^${id}\taccount \\d+\trig\tunverified\t`),
	);
	expect(await machines('verify', id, '--why', 'Seen in its rack', ...running)).toMatch(/\S/);
	expect(await market.facts()).toMatchObject({verification: 'verified', quarantine: null});
	await machines('quarantine', id, '--why', 'It smokes', ...running);
	expect(await market.facts()).toMatchObject({quarantine: 'It smokes'});
	expect(await machines('list', ...running)).toMatch(/\tquarantined\t.*It smokes/);
	const shown = await machines('show', id, ...running);
	expect(shown).toMatch(new RegExp(`^Machine ${id}\tverified\tquarantined: It smokes\n`));
	expect(shown).toMatch(/\tverified\toperator\tSeen in its rack\n/);
	await machines('release', id, ...running);
	await machines('deverify', id, ...running);
	expect(await market.facts()).toMatchObject({verification: 'deverified', quarantine: null});
	const record = jsonOf({out: await machines('show', id, '--json', ...running), err: '', code: 0});
	expect(record[0]).toMatchObject({verification: 'deverified', quarantine: null});
});

test('an operator overrules and leaves machines to their tests where the market does not run', async () => {
	await using market = await openOperated();
	const {id, stopped} = market;
	await market.stop();
	await machines('verify', id, ...stopped);
	expect(await machines('list', ...stopped)).toMatch(/\trig\tverified\t/);
	await machines('quarantine', id, '--why', 'It smokes', ...stopped);
	expect(await machines('show', id, ...stopped)).toMatch(/quarantined: It smokes/);
	await machines('release', id, ...stopped);
	await machines('leave', id, ...stopped);
	expect(await machines('list', ...stopped)).toMatch(/\trig\tunverified\t/);
});

test.each([
	[['paint', '1'], /takes one of list, show, verify/],
	[['verify'], /verify needs the number of a machine/],
	[['verify', 'rig'], /verify needs the number of a machine/],
	[['list', '7'], /takes one of list/],
	[['list'], /needs --data/],
	[['list', '--data', 'x', '--market', 'http://127.0.0.1:1'], /give no database beside it/],
	[['list', '--market', 'http://127.0.0.1:1'], /needs --key-file/],
])('rentty market machines %j says what is missing', async (words, says) => {
	await expect(machines(...words)).rejects.toThrow(says);
});

test('a machine that there is not cannot be marked', async () => {
	await using market = await openOperated();
	const none = ['verify', '999'];
	await expect(machines(...none, ...market.running)).rejects.toThrow(/No such machine/);
	await market.stop();
	await expect(machines(...none, ...market.stopped)).rejects.toThrow(/No such machine/);
});
