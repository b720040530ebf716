import {spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {jsonOf} from '../helpers/commands/commands.ts';
import {startHost} from '../helpers/host/host-process.ts';
import {allFaults} from '../helpers/market/ledger.ts';
import {noProcesses} from '../helpers/host/local-host.ts';
import {openFolder} from '../helpers/folder.ts';
import {openTestMarket} from '../helpers/market/market.ts';
import {openDatabase, placeOf} from '../helpers/market/postgres.ts';

const rentty = join(import.meta.dirname, '..', '..', 'bin', 'rentty');

/** A folder in which the built program is run, by people with homes of their own. */
function openHomes() {
	const folder = openFolder();

	async function run(who: string, words: readonly string[], environment = {}) {
		const home = join(folder.path, who);
		mkdirSync(home, {recursive: true});
		const child = spawn(rentty, words, {
			cwd: home,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {PATH: process.env['PATH'], HOME: home, ...environment},
		});
		const ended = new Promise<number | null>(resolve => child.on('close', resolve));
		const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
		expect([words, await ended, err]).toEqual([words, 0, expect.any(String)]);
		return out;
	}

	/** Writes down the key that a command has shown. */
	function keep(who: string, out: string): string {
		const file = join(folder.path, `${who}.key`);
		const key = /shown this once: (\S+)/.exec(out)?.[1] ?? '';
		writeFileSync(file, key, {mode: 0o600});
		return file;
	}

	return {...folder, run, keep};
}

const NEVER = {silentAfter: 1e9, lostAfter: 2e9};

test.skipIf(noProcesses !== undefined)(
	'a provider, two renters and an operator live on a market, from nothing to payout',
	async () => {
		using homes = openHomes();
		const file = await placeOf(join(homes.path, 'market.db'));
		const accounts = async (...words: readonly string[]) =>
			homes.run('operator', ['market', 'accounts', ...words]);
		const operatorKey = homes.keep(
			'operator',
			await accounts('add', '--kind', 'operator', '--name', 'lab', '--data', file),
		);
		// The operator's account was opened by this machine's clock.
		const now = Date.now() / 1000 + 60;
		const terms = {share: 0.1, credit: 0, patience: NEVER};
		await using market = await openTestMarket({file, now, ...terms});
		const {url} = market;
		const operated = ['--market', url, '--key-file', operatorKey];
		const open = async (who: string, kind: string) => {
			const email = `${who}@example.org`;
			const out = await accounts('add', '--kind', kind, '--email', email, ...operated);
			return {id: /Account (\d+)/.exec(out)?.[1] ?? '', keyFile: homes.keep(who, out)};
		};
		const provider = await open('provider', 'provider');
		const renters = [await open('ada', 'renter'), await open('bob', 'renter')];
		for (const {id} of renters) await accounts('credit', id, '50', ...operated);
		const folder = join(homes.path, 'instances');
		mkdirSync(folder);
		await using host = await startHost({
			url,
			keyFile: provider.keyFile,
			folder,
			runtime: 'process',
		});
		expect(host.said()).toContain('offers machine');
		for (const [index, {keyFile}] of renters.entries()) {
			const who = `renter ${index}`;
			const service = ['--url', url, '--key-file', keyFile];
			// The machine has one place: the first lets go of it before the second comes.
			const words = ['any', '--image', 'debian:12', '--disk', '8', '--yes', '--wait'];
			const out = await homes.run(who, ['rent', ...words, '--json', ...service]);
			const id = String(jsonOf({out, err: '', code: 0})[0]?.['id']);
			market.clock.pass(3600);
			await homes.run(who, ['destroy', id, '--yes', ...service]);
		}
		await market.pass(2 * 86_400);
		const list = await accounts('list', ...operated);
		expect(list).toMatch(/provider@example.org\tcredit \$0.00\tearnings \$0\.1[78]/);
		expect(list.match(/credit \$49\.90/g)).toHaveLength(2);
		await accounts('payout', provider.id, '0.15', '--note', 'bank', ...operated);
		const out = await accounts('balance', '--json', ...operated);
		const figures = jsonOf({out, err: '', code: 0})[0] ?? {};
		const names = ['share', 'credit', 'earnings', 'open', 'received'] as const;
		const [share = 0, credit = 0, earnings = 0, left = 0, received = 0] = names.map(name =>
			Number(figures[name]),
		);
		expect(received).toBe(99.85);
		expect(share).toBeCloseTo(0.02, 2);
		expect(share + credit + earnings + left).toBeCloseTo(received, 6);
		const database = await openDatabase(file);
		expect(await allFaults(database)).toEqual([]);
		await database.destroy();
		expect(market.log.filter(line => line.startsWith('ledger'))).toEqual([]);
	},
);
