/** PostgreSQL for Kysely, with prepared statements, and with integers as numbers. */
import {
	CompiledQuery,
	PostgresAdapter,
	PostgresIntrospector,
	PostgresQueryCompiler,
	type DatabaseConnection,
	type Dialect,
	type Driver,
	type QueryResult,
	type TransactionSettings,
} from 'kysely';
import {DatabaseLost, isOutdated, isRetryable, OutcomeUnknown} from '../database-trouble.ts';
import type {Client, Pool} from './connections.ts';

/** The most prepared statements: searches have many shapes. */
const MOST_PREPARED = 500;

type DialectEvents = {
	readonly onWrite: () => void;
	/** Ends other users of the database. */
	readonly onClose: () => Promise<void> | undefined;
};

/** Makes the dialect. Closing Kysely's database closes the pool. */
export function createPostgresDialect(pool: Pool, told: DialectEvents): Dialect {
	// Shared by the pool, because a connection ties each statement name to one statement.
	const statements = createStatements();
	return {
		createDriver: () => new PoolDriver(pool, told, statements),
		createQueryCompiler: () => new NumbersCompiler(),
		createAdapter: () => new PostgresAdapter(),
		createIntrospector: database => new PostgresIntrospector(database),
	};
}

/** Casts fractions: PostgreSQL infers an integer type for a parameter next to an integer column. */
class NumbersCompiler extends PostgresQueryCompiler {
	protected override appendValue(value: unknown): void {
		super.appendValue(value);
		if (typeof value === 'number' && !Number.isSafeInteger(value)) {
			this.append('::double precision');
		}
	}
}

class PoolDriver implements Driver {
	readonly #pool: Pool;
	readonly #told: DialectEvents;
	readonly #statements: Statements;

	constructor(pool: Pool, told: DialectEvents, statements: Statements) {
		this.#pool = pool;
		this.#told = told;
		this.#statements = statements;
	}

	async init(): Promise<void> {
		// Connections are opened at their first use.
	}

	async acquireConnection(): Promise<PoolConnection> {
		return new PoolConnection(await this.#pool.take(), this.#statements, this.#told);
	}

	async beginTransaction(
		connection: DatabaseConnection,
		{isolationLevel, accessMode}: TransactionSettings,
	): Promise<void> {
		const level = isolationLevel ?? 'read committed';
		asOurs(connection).begin(`begin isolation level ${level} ${accessMode ?? 'read write'}`);
	}

	async commitTransaction(connection: DatabaseConnection): Promise<void> {
		await asOurs(connection).commit();
	}

	async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
		await asOurs(connection).rollback();
	}

	async releaseConnection(connection: DatabaseConnection): Promise<void> {
		const {client, isBroken} = asOurs(connection);
		this.#pool.give(client, isBroken);
	}

	async destroy(): Promise<void> {
		await this.#told.onClose();
		await this.#pool.close();
	}
}

function asOurs(connection: DatabaseConnection): PoolConnection {
	if (connection instanceof PoolConnection) return connection;
	throw new TypeError('a connection of another driver');
}

class PoolConnection implements DatabaseConnection {
	readonly client: Client;
	readonly #statements: Statements;
	readonly #told: DialectEvents;
	/** True within a transaction, whose writes are reported at its commit. */
	#isInTransaction = false;
	/** Statements that begin the transaction, until they are sent. */
	#beginning = '';
	isBroken = false;

	constructor(client: Client, statements: Statements, told: DialectEvents) {
		this.client = client;
		this.#statements = statements;
		this.#told = told;
	}

	/** Begins with the first statement, in a single message if that has no values. */
	begin(text: string): void {
		this.#isInTransaction = true;
		this.#beginning = text;
	}

	/** @throws OutcomeUnknown if the connection is lost, because the commit may have happened. */
	async commit(): Promise<void> {
		this.#isInTransaction = false;
		if (this.#takeBeginning() !== '') return;
		const {command} = await this.#ask({text: 'commit'}, true);
		// A caught error inside has aborted the transaction.
		if (command === 'ROLLBACK') throw new Error('the transaction had failed before its end');
		this.#told.onWrite();
	}

	async rollback(): Promise<void> {
		this.#isInTransaction = false;
		if (this.#takeBeginning() !== '' || this.isBroken) return;
		try {
			await this.#ask({text: 'rollback'}, false);
		} catch {
			// Ending the connection rolls back as well.
			this.isBroken = true;
		}
	}

	#takeBeginning(): string {
		const text = this.#beginning;
		this.#beginning = '';
		return text;
	}

	async executeQuery<Row>({sql, parameters}: CompiledQuery): Promise<QueryResult<Row>> {
		const beginning = this.#takeBeginning();
		if (beginning !== '' && parameters.length === 0) {
			return this.#ask<Row>({text: `${beginning}; ${sql}`}, false);
		}
		if (beginning !== '') await this.#ask({text: beginning}, false);
		const writes = !this.#isInTransaction && !/^\s*(?:select|with)\b/i.test(sql);
		const statement = this.#statements.of(sql, parameters);
		const {command, rowCount, rows} = await this.#ask<Row>(statement, writes).catch(
			async (error: unknown) => {
				// A read of several tables can deadlock with a change of the tables.
				if (this.#isInTransaction || !isRetryable(error)) throw error;
				return this.#ask<Row>(this.#statements.of(sql, parameters), writes);
			},
		);
		const isWriting = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE';
		if (isWriting && !this.#isInTransaction) this.#told.onWrite();
		return isWriting ? {numAffectedRows: BigInt(rowCount ?? 0), rows} : {rows};
	}

	// oxlint-disable-next-line require-yield -- the market reads whole results
	async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
		throw new Error('nothing is streamed');
	}

	/**
	 * Returns the result of the last of several statements.
	 *
	 * @param keeps True if the statement commits.
	 */
	async #ask<Row>(statement: Statement, keeps: boolean) {
		try {
			type Found = Row & Record<string, unknown>;
			const found = await this.client.query<Found>(statement);
			const all: ReadonlyArray<typeof found> = Array.isArray(found) ? found : [found];
			return all.at(-1) ?? found;
		} catch (error) {
			if (isAnswer(error)) {
				this.#statements.forgetOutdated(error);
				// Mark it broken, so that the next connection goes to the writable host.
				if (isReadOnly(error)) this.isBroken = true;
				throw error;
			}
			this.isBroken = true;
			const why = error instanceof Error ? error.message : String(error);
			if (keeps) throw new OutcomeUnknown(why, {cause: error});
			throw new DatabaseLost(why, {cause: error});
		}
	}
}

/** True for an error reply of the database, after which the connection can be used. */
function isAnswer(error: unknown): boolean {
	return error instanceof Error && 'severity' in error && error.severity === 'ERROR';
}

function isReadOnly(error: unknown): boolean {
	return error instanceof Error && 'code' in error && error.code === '25006';
}

type Statement = {readonly text: string; readonly name?: string; readonly values?: unknown[]};

type Statements = ReturnType<typeof createStatements>;

/** Names of prepared statements, which a connection plans once. */
function createStatements() {
	const seen = new Map<string, string>();
	let generation = 0;
	return {
		of(text: string, parameters: readonly unknown[]): Statement {
			const values = [...parameters];
			const name = seen.get(text);
			if (name !== undefined) return {name: `${name}_${generation}`, text, values};
			if (seen.size < MOST_PREPARED) seen.set(text, `s${seen.size}`);
			return {text, values};
		},
		/** Forgets statements prepared before another version of this program has added columns. */
		forgetOutdated(error: unknown): void {
			if (isOutdated(error)) generation += 1;
		},
	};
}
