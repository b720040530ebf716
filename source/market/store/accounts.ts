import type {Database} from './database.ts';

/** The account of a market for one person, opened the first time that it is asked for. */
export async function soleAccount(database: Database, now: number): Promise<number> {
	return database.transaction().execute(async transaction => {
		const known = await transaction
			.selectFrom('accounts')
			.select('id')
			.orderBy('id')
			.limit(1)
			.executeTakeFirst();
		if (known !== undefined) return known.id;
		const {id} = await transaction
			.insertInto('accounts')
			.values({created_at: now})
			.returning('id')
			.executeTakeFirstOrThrow();
		return id;
	});
}

/** Who an account belongs to, and what it may spend. */
export async function readAccount(database: Database, id: number) {
	return database
		.selectFrom('accounts')
		.select(['id', 'email', 'username', 'fullname', 'credit_micros as creditMicros'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
}
