/** Markets that begin with the same content, which are cheap to make. */
import {DatabaseSync} from 'node:sqlite';
import {Kysely, sql} from 'kysely';
import {createApp} from '../../../source/market/service/server.ts';
import {copyDatabase} from '../../../source/market/database/copy.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {Tables} from '../../../source/market/database/schema.ts';
import {createDialect} from '../../../source/market/database/sqlite-dialect.ts';
import {createHandClock, testServices, TEST_NOW} from '../market/market.ts';
import {onPostgres, openDatabase} from '../market/postgres.ts';

export const PAYMENT_SECRET = 'what a payment service signs its word with';

const nothing = async () => undefined;

function openContent(content: Uint8Array) {
	const sqlite = new DatabaseSync(':memory:');
	sqlite.deserialize(content);
	return {sqlite, database: new Kysely<Tables>({dialect: createDialect(sqlite)})};
}

/** A market without a socket, that says how many posts it sent. */
export function openUnder(database: Database) {
	let posts = 0;
	const post = async () => void posts++;
	const services = {
		...testServices(database, createHandClock(TEST_NOW)),
		signUp: 'open' as const,
		paymentSecret: PAYMENT_SECRET,
		// What is kept of calls comes a moment later, and sends go nowhere.
		history: {see: () => undefined, note: () => undefined, flush: nothing, stop: nothing},
		poster: {objection: () => undefined, post},
	};
	return {app: createApp(services, () => undefined), posts: () => posts};
}

/** The same in a database of its own with this content. */
export function openCopy(content: Uint8Array) {
	const {sqlite, database} = openContent(content);
	const {app, posts} = openUnder(database);
	const counted = sqlite.prepare('select total_changes() as count');
	return {
		app,
		changes: () => posts() + Number(counted.get()?.['count'] ?? 0),
		close: async () => database.destroy(),
	};
}

/** A database with this content, on PostgreSQL where tests are on it. */
export async function databaseWith(content: Uint8Array): Promise<Database> {
	const {database} = openContent(content);
	if (!onPostgres) return database;
	const copy = await openDatabase(':memory:');
	await copyDatabase(database, copy);
	await database.destroy();
	return copy;
}

/** Rows of every table, but for what is noted beside the changes themselves. */
export async function rowsOf(database: Database) {
	const tables = await database.introspection.getTables();
	const all: Array<readonly [string, readonly string[]]> = [];
	for (const {name} of tables.filter(({name: table}) => table !== 'changes')) {
		const {rows} = await sql`select * from ${sql.table(name)}`.execute(database);
		all.push([name, rows.map(row => JSON.stringify(row)).toSorted()]);
	}
	return all;
}
