/** Databases of a world: in memory, kept as bytes where a process ends, and as slow as a disk. */
import {DatabaseSync as RealDatabase} from 'node:sqlite';
import * as kysely from 'kysely';
import {current, here, world, type Process} from '../world/world.ts';

type Held = {readonly owner: Process; readonly database: RealDatabase};

const kept = new Map<string, Uint8Array>();
const open = new Map<string, Held>();

export function forgetDatabases(): void {
	for (const {database} of open.values()) database.close();
	kept.clear();
	open.clear();
}

export class DatabaseSync extends RealDatabase {
	readonly #name: string;

	constructor(file: string, {defensive = true}: {readonly defensive?: boolean} = {}) {
		super(':memory:', {defensive});
		this.#name = file;
		const bytes = kept.get(file);
		if (bytes !== undefined) this.deserialize(bytes);
		open.set(file, {owner: here(), database: this});
	}

	override close(): void {
		kept.set(this.#name, this.serialize());
		open.delete(this.#name);
		super.close();
	}
}

/** Database of a file, for those who judge it. */
export function databaseAt(file: string): RealDatabase {
	const held = open.get(file);
	if (held === undefined) throw new Error(`nobody has ${file} open`);
	return held.database;
}

/** True while a process has a file open. */
export const isOpenAt = (file: string) => open.has(file);

/** A copy of the present moment for those who read it as the market does, while the market goes on. */
export async function queryAt<Tables, Result>(
	file: string,
	dialectOf: (sqlite: RealDatabase) => kysely.Dialect,
	read: (database: kysely.Kysely<Tables>) => Promise<Result>,
): Promise<Result> {
	const copy = new RealDatabase(':memory:', {defensive: false});
	copy.deserialize(databaseAt(file).serialize());
	return read(new kysely.Kysely<Tables>({dialect: dialectOf(copy)})).finally(() => copy.close());
}

/** What a process that was killed leaves: what it had committed. */
export function leaveDatabases(process: Process): void {
	for (const {owner, database} of open.values()) {
		if (owner !== process) continue;
		if (database.isTransaction) database.exec('rollback');
		database.close();
	}
}

/** Share of statements that take a moment, in which others go on. */
const SLOW = 0.3;

const failures = {
	ENOSPC: {errcode: 13, errstr: 'database or disk is full'},
	EROFS: {errcode: 10, errstr: 'disk I/O error'},
};

/** On a disk that takes nothing, a write fails, and SQLite rolls its transaction back by itself. */
function refuseWrite({sql}: kysely.CompiledQuery): void {
	const process = current();
	const code = process?.machine.refuses;
	if (code === undefined || !/^\s*(?:insert|update|delete|commit|create|alter)/i.test(sql)) return;
	for (const {owner, database} of open.values()) {
		if (owner === process && database.isTransaction) database.exec('rollback');
	}
	const {errstr} = failures[code];
	throw Object.assign(new Error(errstr), {code: 'ERR_SQLITE_ERROR', ...failures[code]});
}

class Connection implements kysely.DatabaseConnection {
	readonly #real: kysely.DatabaseConnection;

	constructor(real: kysely.DatabaseConnection) {
		this.#real = real;
	}

	async executeQuery<Row>(query: kysely.CompiledQuery): Promise<kysely.QueryResult<Row>> {
		const chance = current()?.chance;
		if (chance?.happens(SLOW) === true) {
			await new Promise<void>(resolve => void world().after(1 + chance.next() * 4, resolve));
		}
		refuseWrite(query);
		return this.#real.executeQuery<Row>(query);
	}

	streamQuery<Row>(query: kysely.CompiledQuery, size: number) {
		return this.#real.streamQuery<Row>(query, size);
	}
}

export class SqliteDriver extends kysely.SqliteDriver {
	override async acquireConnection(): Promise<kysely.DatabaseConnection> {
		return new Connection(await super.acquireConnection());
	}
}
