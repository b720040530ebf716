/** The tables that a new database begins with. */
import {PostgresAdapter, sql, type Kysely} from 'kysely';
import {accounts} from './accounts.ts';
import {instances} from './instances.ts';
import {machines} from './machines.ts';
import {money} from './money.ts';
import {notices} from './notices.ts';
import {offers} from './offers.ts';
import {templates} from './templates.ts';

/** Statements in SQLite's dialect, with referenced tables first. */
const statements = [
	...accounts,
	...templates,
	...offers,
	...machines,
	...instances,
	...money,
	...notices,
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
