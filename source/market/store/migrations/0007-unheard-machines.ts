import {sql} from 'kysely';
import type {Kysely} from 'kysely';

/** What is on a machine that is not heard is charged for until two moments: computing, then its disk. */
const statements = ['compute_until', 'disk_until'].map(
	name => sql`alter table machines add column ${sql.ref(name)} double precision`,
);

export async function limitUnheardMachines<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}
