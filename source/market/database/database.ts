import {setTimeout} from 'node:timers/promises';
import {Kysely, sql} from 'kysely';
import {
	APPLICATION_ID,
	claimFile,
	DatabaseRefused,
	refuseOthers,
	unopened,
} from './database-file.ts';
import {steps, VERSION} from './migrations/index.ts';
import {notedRows, type ChangeNumbers} from './changes.ts';
import type {Tables} from './schema.ts';
import {isPostgres} from './postgres/address.ts';
import {countOthers, createDialect, noteRows, openSqlite} from './sqlite-dialect.ts';

export type Database = Kysely<Tables>;

/**
 * Opens the market's database, made if missing. `destroy()` closes it.
 *
 * @param place A path, `:memory:`, or the address of a PostgreSQL.
 * @param changes Takes notes of changes.
 * @throws DatabaseRefused for another program's database, to which nothing is written.
 */
export async function openDatabase(place: string, changes?: ChangeNumbers): Promise<Database> {
	if (!isPostgres(place)) return openFile(place, changes);
	const {openPostgres} = await import('./postgres/open.ts');
	return openPostgres(place, changes);
}

/** Empty in-memory database, copied for each further one. */
let blank: Uint8Array | undefined;

async function openFile(file: string, changes?: ChangeNumbers): Promise<Database> {
	const inMemory = file === ':memory:';
	if (!inMemory) await claimFile(file);
	const sqlite = tryOpen(file);
	if (inMemory && blank !== undefined) sqlite.deserialize(blank);
	const database = new Kysely<Tables>({dialect: createDialect(sqlite)});
	try {
		const version = await readPragma(database, 'user_version');
		refuseOthers(file, version);
		if (version === 0) await begin(database, file);
		if (version < VERSION) await migrate(database);
		sqlite.enableDefensive(true);
		if (inMemory) blank ??= sqlite.serialize();
		changes?.watch(note => {
			noteRows(sqlite, notedRows, note);
			return {others: countOthers(sqlite)};
		});
		return database;
	} catch (error) {
		await database.destroy();
		throw error instanceof DatabaseRefused ? error : unopened(file, error);
	}
}

function tryOpen(file: string): ReturnType<typeof openSqlite> {
	try {
		return openSqlite(file);
	} catch (error) {
		throw unopened(file, error);
	}
}

/** Marks an empty file as ours, so that a process killed during migrations can begin again. */
async function begin(database: Database, file: string): Promise<void> {
	await database.transaction().execute(async transaction => {
		if ((await readPragma(transaction, 'user_version')) !== 0) return;
		const {rows} = await sql`select name from sqlite_master`.execute(transaction);
		if (rows.length > 0) throw new DatabaseRefused(`${file} is a database of another program`);
		await writePragma(transaction, 'application_id', APPLICATION_ID);
	});
	await writeAhead(database);
}

/** Migrates a file. Of several processes, the first one takes each step. */
async function migrate(database: Database): Promise<void> {
	for (const {to, take} of steps) {
		await database.transaction().execute(async transaction => {
			if ((await readPragma(transaction, 'user_version')) >= to) return;
			await take(transaction);
			await writePragma(transaction, 'user_version', to);
		});
	}
}

const SWITCH_PAUSE_MS = 10;
const SWITCH_ATTEMPTS = 500;

/** Sets write-ahead mode, which the file keeps: readers and a writer do not block each other. */
async function writeAhead(database: Database): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		try {
			await sql`pragma journal_mode = wal`.execute(database);
			return;
		} catch (error) {
			// The busy timeout does not apply to this pragma.
			if (attempt === SWITCH_ATTEMPTS || !isBusy(error)) throw error;
			await setTimeout(SWITCH_PAUSE_MS);
		}
	}
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
	return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}

type Pragma = 'application_id' | 'user_version';

async function readPragma(database: Database, name: Pragma): Promise<number> {
	const {rows} = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(database);
	return rows[0]?.[name] ?? 0;
}

async function writePragma(database: Database, name: Pragma, value: number): Promise<void> {
	await sql`pragma ${sql.raw(name)} = ${sql.raw(String(value))}`.execute(database);
}
