import {mkdtempSync, rmSync} from 'node:fs';
import {createServer} from 'node:http';
import {connect} from 'node:net';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openMarket} from '../../source/market/open.ts';
import {openTestMarket, TEST_NOW} from '../helpers/market/market.ts';
import {placeOf} from '../helpers/market/postgres.ts';

/** A place for a file that is gone at the end of the test. */
function openPlace() {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-market-'));
	return {
		file: join(folder, 'market.db'),
		[Symbol.dispose]: () => rmSync(folder, {recursive: true}),
	};
}

test('a market listens on this machine alone, on a port that was free', async () => {
	await using market = await openTestMarket();
	expect(market.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('a market knows the keys that it made', async () => {
	await using market = await openTestMarket();
	const key = await market.createKey('second');
	expect(await market.knowsKey(market.key)).toBe(true);
	expect(await market.knowsKey(key)).toBe(true);
	expect(await market.knowsKey('f'.repeat(64))).toBe(false);
});

test('a market that is opened again has its offers and keys', async () => {
	using place = openPlace();
	const first = await openTestMarket({file: place.file, offers: 100});
	const body = {limit: 1000, order: [['id', 'asc']]};
	const offers = await first.search(body);
	await first.close();
	await using second = await openTestMarket({file: place.file, offers: 5, seed: 2});
	expect(await second.search(body)).toEqual(offers);
	expect(await second.knowsKey(first.key)).toBe(true);
});

test('a market that is opened again after years still has all its offers', async () => {
	using place = openPlace();
	const first = await openTestMarket({file: place.file, offers: 100});
	expect(await first.search({limit: 1000})).toHaveLength(100);
	first.clock.pass(10 * 365 * 86_400);
	expect(await first.search({limit: 1000})).toHaveLength(0);
	await first.close();
	const now = first.clock.now();
	await using second = await openTestMarket({file: place.file, offers: 100, now});
	const offers = await second.search({limit: 1000});
	expect(offers).toHaveLength(100);
	for (const {duration} of offers) expect(duration).toBeGreaterThan(86_400);
});

test('offers end as time passes', async () => {
	await using market = await openTestMarket({offers: 200});
	const soon = await market.search({duration: {lt: 10 * 86_400}, limit: 1000});
	expect(soon.length).toBeGreaterThan(10);
	market.clock.pass(10 * 86_400);
	expect(await market.search({limit: 1000})).toHaveLength(200 - soon.length);
	expect(market.clock.now()).toBe(TEST_NOW + 10 * 86_400);
});

test('a search returns no more offers than the market allows', async () => {
	await using market = await openTestMarket({offers: 100, searchLimit: 30});
	expect(await market.search({limit: 1000})).toHaveLength(30);
	expect(await market.search({limit: 20})).toHaveLength(20);
});

test('a port that is taken is said so, and the database is let go', async () => {
	using place = openPlace();
	const server = createServer();
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what a server on TCP has
	const {port} = server.address() as AddressInfo;
	await expect(openTestMarket({file: place.file, port})).rejects.toThrow(
		`Port ${port} of 127.0.0.1 cannot be listened on: another program listens there.`,
	);
	await new Promise(resolve => server.close(resolve));
	await using market = await openTestMarket({file: place.file, port});
	expect(market.url).toBe(`http://127.0.0.1:${port}`);
});

/** Longer than any test: what is not ended before is never ended. */
const NO_END_MS = 3_600_000;

test('closing ends connections that wait for nothing', async () => {
	const market = await openTestMarket({offers: 1, graceMs: NO_END_MS});
	await market.search({});
	const idle = connect(Number(new URL(market.url).port), '127.0.0.1');
	await new Promise(resolve => idle.once('connect', resolve));
	const ended = new Promise<boolean>(resolve => idle.once('close', resolve));
	await market.close();
	expect(await ended).toBeDefined();
});

test('closing lets a call that is being made finish', async () => {
	const market = await openTestMarket({offers: 300, graceMs: NO_END_MS});
	const {readable, writable} = new TransformStream<Uint8Array, Uint8Array>();
	const writer = writable.getWriter();
	const init = {method: 'POST', body: readable, duplex: 'half'} as const;
	const reply = market.call('/api/v0/bundles/', init);
	await writer.write(new TextEncoder().encode('{"limit": '));
	// The market has the beginning once it has answered another call.
	await market.search({});
	const closed = market.close();
	await writer.write(new TextEncoder().encode('3}'));
	await writer.close();
	expect(await reply).toMatchObject({status: 200});
	await closed;
});

test('an account that is filled up has so much, and one that has more is left alone', async () => {
	await using market = await openTestMarket({credit: 3});
	const credit = async () => (await market.call('/api/v0/users/current/')).body;
	await market.topUp(2);
	expect(await credit()).toMatchObject({credit: 3});
	await market.topUp(5);
	expect(await credit()).toMatchObject({credit: 5});
});

test('a call has one name in its reply and in the log, which may be given with it', async () => {
	const names: string[] = [];
	await using market = await openTestMarket({onCall: ({id}) => names.push(id)});
	const name = async (given?: string) => {
		const {headers} = await market.call('/healthz', {headers: {'x-request-id': given}});
		return headers.get('x-request-id');
	};
	const own = await name();
	expect(own).toMatch(/^[\da-f-]{36}$/);
	expect(await name('proxy-7')).toBe('proxy-7');
	expect(await name('two words')).not.toBe('two words');
	expect(names.slice(0, 2)).toEqual([own, 'proxy-7']);
});

test('of two processes that begin at once with nothing, one shows the first key', async () => {
	using place = openPlace();
	const file = await placeOf(place.file);
	const markets = [await openMarket({file}), await openMarket({file})];
	const keys = await Promise.all(markets.map(async market => market.createFirstKey('first')));
	expect(keys.filter(key => key !== undefined)).toHaveLength(1);
	for (const market of markets) await market.close();
});
