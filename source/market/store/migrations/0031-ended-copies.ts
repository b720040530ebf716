import {sql, type Kysely} from 'kysely';

/** Lets copies be found by their end. */
export async function indexEndedCopies<Tables>(database: Kysely<Tables>): Promise<void> {
	await sql`
		create index copies_by_end on copies (ended_at) where ended_at is not null
	`.execute(database);
}
