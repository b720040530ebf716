import {sql, type Kysely} from 'kysely';

/** Adds uses of templates that are not counted yet. */
export async function createTemplateUses<Tables>(database: Kysely<Tables>): Promise<void> {
	await sql`
		create table template_uses (
			id integer primary key,
			template_id integer not null,
			at double precision not null
		)`.execute(database);
}
