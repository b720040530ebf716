import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {MarketError} from '../../source/client/exchange/errors.ts';
import {openDatabase} from '../helpers/market/postgres.ts';
import type {Database} from '../../source/market/database/database.ts';
import {openFolder} from '../helpers/folder.ts';
import {clientOf, startMarket} from '../helpers/market/market-process.ts';

const OPENING_CREDIT_MICROS = 100_000_000_000;
const ROUNDS = 3;
const RENTERS = 8;

/** What the market has promised to its callers so far. */
type Promised = {
	readonly rented: Set<number>;
	/** Those that somebody asked to destroy, answered or not. */
	readonly destroying: Set<number>;
	readonly destroyed: Set<number>;
	doubtful: number;
};

type Renter = ReturnType<typeof clientOf>;

/** Rents, and destroys every other one, until the market is gone. */
async function useUntilGone(client: Renter, asks: number[], promised: Promised): Promise<void> {
	for (;;) {
		const askId = asks.shift();
		if (askId === undefined) return;
		try {
			const order = {image: 'ubuntu:24.04', label: `ask ${askId}`};
			const {new_contract: id} = await client.instances.create(askId, order);
			promised.rented.add(id);
			if (id % 2 === 0) {
				promised.destroying.add(id);
				await client.instances.destroy(id);
				promised.destroyed.add(id);
			}
		} catch (error) {
			if (!(error instanceof MarketError)) throw error;
			// It was taken, or the market was killed while it answered: then either may be true.
			promised.doubtful++;
		}
	}
}

/** Everything that is wrong with what is kept, in words. */
async function problemsIn(database: Database, promised: Promised): Promise<readonly string[]> {
	const instances = await database.selectFrom('instances').selectAll().execute();
	const keys = await database.selectFrom('api_keys').selectAll().execute();
	const present = new Set(instances.map(({id}) => id));
	const kept = [...promised.rented].filter(id => !present.has(id)).map(id => `${id} is lost`);
	const parts = instances.flatMap(({id, destroyed_at: destroyedAt, current, revision}) => {
		const live = keys.filter(key => key.instance_id === id && key.deleted_at === null);
		const isGone = destroyedAt !== null;
		return [
			...(promised.destroyed.has(id) && !isGone ? [`${id} came back`] : []),
			...(isGone === (current === 'unloaded') ? [] : [`${id} is half destroyed`]),
			...(live.length === (isGone ? 0 : 1) ? [] : [`${id} has ${live.length} keys`]),
			...(revision > 0 ? [] : [`no host hears of ${id}`]),
		];
	});
	return [...kept, ...parts, ...(await problemsWithGpus(database)), ...(await lostCents(database))];
}

async function problemsWithGpus(database: Database): Promise<readonly string[]> {
	const held = await database
		.selectFrom('instances')
		.innerJoin('offers', 'offers.id', 'instances.ask_id')
		.select(['instances.ask_id', 'instances.current', 'offers.rentable', 'offers.rented'])
		.where('instances.destroyed_at', 'is', null)
		.execute();
	const wrong = held.filter(({current, rentable, rented}) =>
		current === 'running' ? rentable === 1 || rented === 0 : false,
	);
	const doubles = held.length - new Set(held.map(({ask_id}) => ask_id)).size;
	return [
		...wrong.map(({ask_id}) => `${ask_id} is rented and offered`),
		...(doubles === 0 ? [] : [`${doubles} offers are rented twice`]),
	];
}

async function lostCents(database: Database): Promise<readonly string[]> {
	const charges = await database.selectFrom('charges').select('amount_micros').execute();
	const {credit_micros: credit} = await database
		.selectFrom('accounts')
		.select('credit_micros')
		.where('role', '=', 'renter')
		.executeTakeFirstOrThrow();
	const spent = charges.reduce((sum, {amount_micros}) => sum + amount_micros, 0);
	const missing = OPENING_CREDIT_MICROS - spent - credit;
	return missing === 0 ? [] : [`${missing} micro-dollars are missing`];
}

test('a market that is killed at any moment keeps what it has promised', async () => {
	using folder = openFolder();
	const file = join(folder.path, 'market.db');
	const args = ['--offers', '1500', '--trouble', 'none', '--credit', '100000'];
	const promised: Promised = {
		rented: new Set(),
		destroying: new Set(),
		destroyed: new Set(),
		doubtful: 0,
	};
	let key: string | undefined;
	for (let round = 1; round <= ROUNDS; round++) {
		await using market = await startMarket(file, ...args);
		key ??= await market.key();
		await using client = clientOf(market.url, key);
		const filter = [{field: 'rentable', operator: 'eq', value: true}] as const;
		const {offers} = await client.offers.search({filter, limit: 1000, columns: ['id']});
		const asks = offers.map(({id}) => id);
		const users = Array.from({length: RENTERS}, async () => useUntilGone(client, asks, promised));
		// In the middle of its work, wherever that is.
		const enough = promised.rented.size + 9 + 7 * round;
		while (promised.rented.size < enough && asks.length > 0) await sleep(1);
		await market.end('SIGKILL');
		await Promise.all(users);
	}
	expect(promised.rented.size).toBeGreaterThan(20);
	expect(promised.destroyed.size).toBeGreaterThan(10);

	// Opened once more, it settles the clocks that ran meanwhile.
	await using market = await startMarket(file, ...args);
	await using client = clientOf(market.url, key ?? '');
	const ids = (await client.instances.list()).instances.map(({id}) => id);
	const alive = [...promised.rented].filter(id => !promised.destroying.has(id));
	expect(alive.filter(id => !ids.includes(id))).toEqual([]);
	const destroyed = [...promised.destroyed];
	expect(destroyed.filter(id => ids.includes(id))).toEqual([]);
	expect(await market.end()).toBe(0);
	const database = await openDatabase(file);
	expect(await problemsIn(database, promised)).toEqual([]);
	await database.destroy();
});
