import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {sql} from 'kysely';
import {expect, test} from 'vitest';
import {openDatabase, type Database} from '../../source/market/database/database.ts';
import {isPostgres} from '../../source/market/database/postgres/address.ts';
import {openFolder} from '../helpers/folder.ts';
import {startMarket} from '../helpers/market/market-process.ts';
import {openAccounts, openWorkload} from '../helpers/market/mixed-workload.ts';
import {problemsAfter} from '../helpers/market/workload-problems.ts';
import {createServer, noPostgres} from '../helpers/market/postgres-server.ts';
import {databaseOnPostgres, onPostgres} from '../helpers/market/postgres.ts';

const WORKERS = 8;
const CALLS = 24;

const seconds = () => Date.now() / 1000;

type Started = Awaited<ReturnType<typeof startMarket>>;

/** Lets so many processes work at one database, and answers what is wrong in the end. */
async function workOn(place: string, processes: number) {
	const database = await openDatabase(place);
	const markets: Started[] = [];
	try {
		const keys = await openAccounts(database, seconds());
		for (let index = 0; index < processes; index++) markets.push(await startMarket(place));
		const urls = markets.map(({url}) => url);
		await using workload = await openWorkload(() => urls, keys);
		const {work, answered} = workload;
		await Promise.all(Array.from({length: WORKERS}, async (_, seed) => work(seed + 1, CALLS)));
		const deadlocks = isPostgres(place) ? await deadlocksOf(database) : 0;
		return {answered, deadlocks, problems: await problemsAfter(database, answered)};
	} finally {
		for (const market of markets) await market[Symbol.asyncDispose]();
		await database.destroy();
	}
}

async function deadlocksOf(database: Database): Promise<number> {
	const {rows} = await sql<{readonly deadlocks: number}>`
		select deadlocks from pg_stat_database where datname = current_database()`.execute(database);
	return rows[0]?.deadlocks ?? NaN;
}

test.skipIf(onPostgres).each([1, 2])(
	'whatever %i processes do at one file, nothing is rented twice and no money is lost',
	async processes => {
		using folder = openFolder();
		const {answered, problems} = await workOn(join(folder.path, 'market.db'), processes);
		expect(problems).toEqual([]);
		expect(answered).toMatchObject({doubtful: 0, refused: 0});
		// How many is a matter of the machine.
		expect(answered.rented.size).toBeGreaterThan(0);
	},
	120_000,
);

test.skipIf(noPostgres !== undefined).each([1, 2, 4])(
	'whatever %i processes do on one PostgreSQL, nothing is rented twice and no money is lost',
	async processes => {
		const place = await databaseOnPostgres();
		const {answered, deadlocks, problems} = await workOn(place, processes);
		expect(problems).toEqual([]);
		expect(deadlocks).toBe(0);
		expect(answered).toMatchObject({doubtful: 0, refused: 0});
		// How many is a matter of the machine.
		expect(answered.rented.size).toBeGreaterThan(0);
	},
	120_000,
);

test.skipIf(noPostgres !== undefined)(
	'killed processes, and a PostgreSQL that starts again, lose nothing that was answered',
	async () => {
		const folder = mkdtempSync(join(tmpdir(), 'rentty-restarted-'));
		// What is committed is to be there after a crash of the server, though not of the machine.
		const server = createServer(folder, ['fsync=off']);
		await server.start();
		const place = server.address('postgres');
		await (await openDatabase(place)).destroy();
		await using one = await startMarket(place);
		await using other = await startMarket(place);
		const accounts = await openDatabase(place);
		const keys = await openAccounts(accounts, seconds());
		await accounts.destroy();
		const urls = [one.url, other.url];
		await using workload = await openWorkload(() => urls, keys);
		const {work, answered} = workload;
		const working = Promise.all(
			Array.from({length: WORKERS}, async (_, seed) => work(seed + 1, 60)),
		);
		const after = async (calls: number) => {
			await expect.poll(() => answered.calls, {interval: 20}).toBeGreaterThan(calls);
		};
		await after(80);
		await server.stop('immediate');
		await server.start();
		await after(220);
		await other.end('SIGKILL');
		urls.pop();
		await working;
		const database = await openDatabase(place);
		expect(await problemsAfter(database, answered)).toEqual([]);
		// How many is a matter of the machine.
		expect(answered.rented.size).toBeGreaterThan(0);
		// Whoever is left goes on as before.
		await work(99, 10);
		expect(await problemsAfter(database, answered)).toEqual([]);
		await database.destroy();
		await one.end();
		await server.stop('fast');
		rmSync(folder, {recursive: true});
	},
	180_000,
);
