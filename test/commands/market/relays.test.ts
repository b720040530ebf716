import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {createInterface} from 'node:readline';
import {expect, test, vi} from 'vitest';
import {runMarketRelays} from '../../../source/commands/market/relays.ts';
import {openFolder} from '../../helpers/folder.ts';
import {openTestMarket} from '../../helpers/market/market.ts';
import {placeOf} from '../../helpers/market/postgres.ts';
import {freePorts, HERE} from '../../helpers/market/relay.ts';

/** What the command prints. */
async function said(...words: readonly string[]): Promise<string> {
	const written: string[] = [];
	const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => {
		written.push(String(text));
		return true;
	});
	try {
		await runMarketRelays(words);
	} finally {
		spy.mockRestore();
	}
	return written.join('');
}

const KEY = /shown this once: ([\da-f]{64})/;

test('an operator adds, closes, renews and removes relays, on the database or by the market', async () => {
	using folder = openFolder();
	const file = await placeOf(join(folder.path, 'market.db'));
	await using market = await openTestMarket({file});
	const data = ['--data', file];
	const added = await said('add', 'north', '--relay', 'north.example', ...data);
	expect(added).toMatch(/^Relay north is number \d+\. Its key/);
	const operatorKey = join(folder.path, 'operator.key');
	writeFileSync(operatorKey, await market.createOperatorKey('operator'), {mode: 0o600});
	const there = ['--market', market.url, '--key-file', operatorKey];
	expect(await said('list', ...there)).toMatch(
		/^\d+\tnorth\tnorth\.example 42000-49999\topen\tnever heard\t0 instances\t/,
	);
	await said('close', 'north', ...there);
	expect(await said('list', ...data)).toContain('\tclosed\t');
	await said('open', 'north', ...there);
	const renewed = await said('renew', 'north', ...there);
	expect(KEY.exec(renewed)?.[1]).not.toBe(KEY.exec(added)?.[1]);
	await expect(said('close', 'south', ...there)).rejects.toThrow('There is no relay south.');
	await expect(said('add', 'south', ...there)).rejects.toThrow('add needs --relay');
	expect(await said('remove', 'north', ...there)).toContain('its key has ended');
	expect(await said('list', ...there)).toBe('');
});

const rentty = join(import.meta.dirname, '..', '..', '..', 'bin', 'rentty');

test('rentty relay says what it leads, counts, and stops where its key has ended', async () => {
	using folder = openFolder();
	await using market = await openTestMarket();
	const files = {
		operator: join(folder.path, 'operator.key'),
		relay: join(folder.path, 'relay.key'),
	};
	writeFileSync(files.operator, await market.createOperatorKey('operator'), {mode: 0o600});
	const there = ['--market', market.url, '--key-file', files.operator];
	const port = await freePorts(2);
	const added = await said('add', 'near', '--relay', HERE, ...there);
	writeFileSync(files.relay, KEY.exec(added)?.[1] ?? '', {mode: 0o600});
	const listening = ['--host', HERE, '--port', String(port), '--metrics-port', String(port + 1)];
	const words = ['relay', '--market', market.url, '--key-file', files.relay, ...listening];
	const env = {PATH: process.env['PATH'], HOME: folder.path};
	const child = spawn(rentty, words, {stdio: ['ignore', 'pipe', 'inherit'], env});
	const ended = once(child, 'exit');
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const [first, second] = [await lines.next(), await lines.next()];
	expect(first.value).toBe(
		`rentty relay near leads ports 42000-49999, and takes agents at http://${HERE}:${port}`,
	);
	const metrics = await fetch(/http\S+/.exec(String(second.value))?.[0] ?? '');
	expect(await metrics.text()).toContain('rentty_relay_sessions 0\n');
	expect((await fetch(`http://${HERE}:${port}/healthz`)).status).toBe(200);
	expect((await fetch(`http://${HERE}:${port}/api/v0/instances/`)).status).toBe(404);
	expect(await said('list', ...there)).toMatch(/\topen\theard 20\d\d-/);
	await said('remove', 'near', ...there);
	expect(await ended).toEqual([1, null]);
});
