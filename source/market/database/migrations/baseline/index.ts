/** The tables that a new database begins with. */
import {PostgresAdapter, sql, type Kysely} from 'kysely';
import {accountTables} from './accounts.ts';
import {instanceTables} from './instances.ts';
import {machineTables} from './machines.ts';
import {moneyTables} from './money.ts';
import {noticeTables} from './notices.ts';
import {offerTables} from './offers.ts';
import {templateTables} from './templates.ts';

/** Statements in SQLite's dialect, with referenced tables first. */
const statements = [
	...accountTables,
	...templateTables,
	...offerTables,
	...machineTables,
	...instanceTables,
	...moneyTables,
	...noticeTables,
];

/** Table of buckets of calls that processes share. With a file, each process has its own. */
const paces = sql`
	create unlogged table paces (
		name text not null primary key,
		calls double precision not null,
		at double precision not null,
		wait double precision not null
	) with (fillfactor = 50)`;

export async function createTables<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
	if (database.getExecutor().adapter instanceof PostgresAdapter) await paces.execute(database);
}
