import {sql, type Kysely} from 'kysely';

/**
 * Adds the moments until which an unheard machine's instances are charged for: computing, then
 * disk.
 */
const statements = ['compute_until', 'disk_until'].map(
	name => sql`alter table machines add column ${sql.ref(name)} double precision`,
);

export async function limitUnheardMachines<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}
