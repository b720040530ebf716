/** node:sqlite for Kysely, which has a dialect for another package of the same shape. */
import {DatabaseSync, type SQLInputValue, type StatementSync} from 'node:sqlite';
import {
	CompiledQuery,
	SqliteAdapter,
	SqliteDriver,
	SqliteIntrospector,
	SqliteQueryCompiler,
	type DatabaseConnection,
	type Dialect,
	type SqliteDatabase,
	type SqliteStatement,
} from 'kysely';

/** Longest wait of a statement for another process's write. */
const BUSY_TIMEOUT_MS = 10_000;

/** The most prepared statements: searches have many shapes. */
const STATEMENTS_KEPT = 256;

/** Opens a checked file, or `:memory:`. A step may change the schema's text. */
export function openSqlite(file: string): DatabaseSync {
	const sqlite = new DatabaseSync(file, {timeout: BUSY_TIMEOUT_MS, defensive: false});
	// In write-ahead mode this still survives a crash of the process, at a tenth of the cost.
	sqlite.exec('pragma synchronous = normal');
	// At most 32 MiB, because searches of many offers read pages all over the file.
	sqlite.exec('pragma cache_size = -32768');
	return sqlite;
}

/** A number in the file's header that SQLite leaves to the application. */
function readPragma(sqlite: DatabaseSync, name: 'application_id' | 'user_version'): number {
	return Number(Object.values(sqlite.prepare(`pragma ${name}`).get() ?? {})[0]);
}

/** Reads such a number from a file without writing to it. */
export function peekPragma(file: string, name: 'application_id' | 'user_version'): number {
	const sqlite = new DatabaseSync(file, {readOnly: true, timeout: BUSY_TIMEOUT_MS});
	try {
		return readPragma(sqlite, name);
	} finally {
		sqlite.close();
	}
}

/**
 * Calls a function for every noted row that this connection writes, perhaps before the commit.
 */
export function noteRows<Noted extends string>(
	sqlite: DatabaseSync,
	rows: ReadonlyArray<readonly [after: string, noted: Noted, id: string]>,
	note: (noted: Noted, id: number) => void,
): void {
	sqlite.function('note_row', (index, id) => {
		const noted = rows[Number(index)]?.[1];
		if (noted !== undefined) note(noted, Number(id));
		return null;
	});
	for (const [index, [after, , id]] of rows.entries()) {
		sqlite.exec(`create temp trigger note_row_${index} after ${after}
			begin select note_row(${index}, ${id}); end`);
	}
}

/** Number that differs after a write by another connection. */
export function countOthers(sqlite: DatabaseSync): () => number {
	const version = sqlite.prepare('pragma data_version');
	version.setReturnArrays(true);
	return () => Number(Object.values(version.get() ?? [])[0]);
}

/** Makes the dialect. Closing Kysely's database closes `sqlite`. */
export function createDialect(sqlite: DatabaseSync): Dialect {
	return {
		createDriver: () => new ImmediateDriver(sqlite),
		createQueryCompiler: () => new SqliteQueryCompiler(),
		createAdapter: () => new SqliteAdapter(),
		createIntrospector: database => new SqliteIntrospector(database),
	};
}

/** Begins with `immediate`: otherwise one of two processes that read and then write would fail. */
class ImmediateDriver extends SqliteDriver {
	readonly #sqlite: DatabaseSync;

	constructor(sqlite: DatabaseSync) {
		super({database: asDatabase(sqlite)});
		this.#sqlite = sqlite;
	}

	override async beginTransaction(connection: DatabaseConnection): Promise<void> {
		await connection.executeQuery(CompiledQuery.raw('begin immediate'));
	}

	/**
	 * Ignores an error of the rollback, for on a full disk SQLite has rolled back by itself, and the
	 * first error matters.
	 */
	override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		if (this.#sqlite.isTransaction) await super.rollbackTransaction(connection);
	}
}

function asDatabase(sqlite: DatabaseSync): SqliteDatabase {
	const statements = new Map<string, SqliteStatement>();
	return {
		prepare(text) {
			const known = statements.get(text);
			if (known !== undefined) return known;
			if (statements.size >= STATEMENTS_KEPT) statements.clear();
			const statement = asStatement(sqlite.prepare(text));
			statements.set(text, statement);
			return statement;
		},
		close: () => sqlite.close(),
	};
}

function asStatement(statement: StatementSync): SqliteStatement {
	const isReader = statement.columns().length > 0;
	statement.setReturnArrays(true);
	let rowOf = rowMaker(statement);
	const makeRow = (values: unknown) => {
		if (!Array.isArray(values)) throw new TypeError('a row is read as a list');
		// Another process may have added columns meanwhile.
		if (values.length !== rowOf.size) rowOf = rowMaker(statement);
		return rowOf.make(values);
	};
	return {
		reader: isReader,
		all: parameters => statement.all(...parameters.map(asValue)).map(makeRow),
		run: parameters => statement.run(...parameters.map(asValue)),
		iterate: parameters => statement.iterate(...parameters.map(asValue)).map(makeRow),
	};
}

/**
 * Makes row objects from lists. The objects of node:sqlite are slow to read: a copy of an empty row,
 * filled from a list, is made as fast and read ten times faster.
 */
function rowMaker(statement: StatementSync) {
	const names = statement.columns().map(({name}) => name);
	const blank: Readonly<Record<string, unknown>> = Object.fromEntries(
		names.map(name => [name, null]),
	);
	return {
		size: names.length,
		make(values: readonly unknown[]) {
			const row = {...blank};
			for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index];
			return row;
		},
	};
}

function asValue(parameter: unknown): SQLInputValue {
	if (parameter === null || typeof parameter === 'number' || typeof parameter === 'string') {
		return parameter;
	}
	throw new TypeError(`a database value is a number, text or null, not ${typeof parameter}`);
}
