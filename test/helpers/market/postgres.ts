/**
 * A real PostgreSQL for tests: one server for a whole run, started by whoever wants it first, in a
 * folder that the end of the run takes away, with a database for each test.
 */
import {hash, randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import type {MarketOptions} from '../../../source/market/service/options.ts';
import {openMarket as openAt, type Market} from '../../../source/market/open.ts';
import {createChanges, type ChangeNumbers} from '../../../source/market/database/changes.ts';
import {
	openDatabase as openPlace,
	type Database,
} from '../../../source/market/database/database.ts';
import {insertVolume} from '../../../source/market/volumes/store.ts';
import {nextRevision} from '../../../source/market/database/numbering.ts';
import {writingOn} from '../../../source/market/database/writing.ts';
import {isPostgres, readAddress} from '../../../source/market/database/postgres/address.ts';
import {connect, type Client} from '../../../source/market/database/postgres/connections.ts';
import {openFolder} from '../folder.ts';
import {createServer, RUN} from './postgres-server.ts';

/** Whether every test that wants a database is to have one there. */
export const onPostgres = process.env['MARKET_DATABASE'] === 'postgres';

/** Times as long as on a file, for tests that make many databases. */
export const slowness = onPostgres ? 10 : 1;

const TEMPLATE = 'market_template';

/** Databases of earlier tests, of which a property makes hundreds, each as large as a market's. */
const made: string[] = [];
const MOST_MADE = 4;

let shared: Promise<Client> | undefined;

/** A connection to the server of this run, which is started by whoever comes first. */
async function connectToRun(): Promise<Client> {
	const server = createServer(join(RUN, 'server'));
	const begins = mkdirSync(RUN, {recursive: true}) !== undefined;
	const ready = join(RUN, 'ready');
	if (begins) {
		await server.start();
		const client = await connect(readAddress(server.address('postgres')));
		await client.query(`create database ${TEMPLATE}`);
		await client.end();
		await (await openPlace(server.address(TEMPLATE))).destroy();
		writeFileSync(ready, '');
	}
	while (!existsSync(ready)) await sleep(20);
	return connect(readAddress(server.address('postgres')));
}

/** Takes away what nobody has open. */
async function dropOld(client: Client): Promise<void> {
	const names = made.splice(0, Math.max(0, made.length - MOST_MADE));
	for (const name of names) {
		await client.query(`drop database if exists ${name}`).catch(() => made.push(name));
	}
}

/** The address of a database with the tables of a market in it, which is made where it is not there. */
export async function databaseOnPostgres(name = `t${randomBytes(8).toString('hex')}`) {
	shared ??= connectToRun();
	const client = await shared;
	await dropOld(client);
	try {
		await client.query(`create database ${name} template ${TEMPLATE}`);
		made.push(name);
	} catch (error) {
		if (!String(error).includes('already exists')) throw error;
	}
	return createServer(join(RUN, 'server')).address(name);
}

/** Content of the file of a market with nothing in it. */
let blank: Promise<Buffer> | undefined;

async function makeBlank(): Promise<Buffer> {
	using folder = openFolder();
	const file = join(folder.path, 'blank.db');
	await (await openPlace(file)).destroy();
	return readFileSync(file);
}

/** Begins a file with all tables, where it is a new one. */
async function beginFile(file: string): Promise<string> {
	const isNew = file !== ':memory:' && !isPostgres(file) && !existsSync(file);
	if (isNew) writeFileSync(file, await (blank ??= makeBlank()), {mode: 0o600});
	return file;
}

/** Where the database of a file is: there, unless all are to be on PostgreSQL. */
export async function placeOf(file: string): Promise<string> {
	if (!onPostgres || isPostgres(file)) return beginFile(file);
	return databaseOnPostgres(
		file === ':memory:' ? undefined : `f${hash('sha256', file).slice(0, 20)}`,
	);
}

/** Opens the database of a file, wherever that is. */
export async function openDatabase(file: string, changes?: ChangeNumbers): Promise<Database> {
	return openPlace(await placeOf(file), changes);
}

/** Opens a market at the database of a file, wherever that is. */
export async function openMarket(options: MarketOptions): Promise<Market> {
	return openAt({...options, file: await placeOf(options.file)});
}

/** Two processes at one database, each with what it knows of changes. */
export async function openTwo() {
	const place = await databaseOnPostgres();
	const open = async () => {
		const changes = createChanges();
		return {changes, database: await openPlace(place, changes)};
	};
	const [one, other] = [await open(), await open()];
	return {
		place,
		one,
		other,
		async [Symbol.asyncDispose]() {
			await one.database.destroy();
			await other.database.destroy();
		},
	};
}

/** Work for a host, who is also its renter here. */
export async function makeVolume(database: Database, id: number, size = 1) {
	return writingOn(database, {accounts: [id]}, async transaction => {
		const revision = await nextRevision(transaction, id);
		const place = {account_id: id, host_account_id: id, ask_id: 1, machine_id: 1};
		const facts = {label: null, size_gb: size, storage_micros: 0, end_date: 9};
		const times = {created_at: 1, destroyed_at: null, billed_until: 1};
		await insertVolume(transaction, {...place, ...facts, ...times, revision});
		return revision;
	});
}
