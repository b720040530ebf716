import {sql, type Kysely} from 'kysely';

/** Texts of offers are written from their columns, which are a sixth as long. */
export async function dropOfferTexts<Tables>(database: Kysely<Tables>): Promise<void> {
	await sql`drop table offer_texts`.execute(database);
}
