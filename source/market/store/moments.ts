/** Times at which the market's recurring work was done last. */
import type {Database} from './database.ts';

/** -Infinity where it never did. */
export async function readMoment(database: Database, name: string): Promise<number> {
	const found = await database
		.selectFrom('moments')
		.select('at')
		.where('name', '=', name)
		.executeTakeFirst();
	return found?.at ?? -Infinity;
}

export async function writeMoment(database: Database, name: string, at: number): Promise<void> {
	await database
		.insertInto('moments')
		.values({name, at})
		.onConflict(conflict => conflict.column('name').doUpdateSet({at}))
		.execute();
}

export async function forgetMoment(database: Database, name: string): Promise<void> {
	await database.deleteFrom('moments').where('name', '=', name).execute();
}
