import type {Database} from '../database/database.ts';
import {writingOn} from '../database/writing.ts';

type Secret = {readonly name: string; readonly value: string};

/** Environment variables of an account with their values, for its instances. */
export async function listSecrets(
	database: Database,
	accountId: number,
): Promise<readonly Secret[]> {
	return database
		.selectFrom('secrets')
		.select(['name', 'value'])
		.where('account_id', '=', accountId)
		.orderBy('name')
		.execute();
}

/** Adds a variable; false if the name is taken. */
export async function addSecret(
	database: Database,
	{accountId, name, value}: Secret & {readonly accountId: number},
): Promise<boolean> {
	return writingOn(database, {accounts: [accountId]}, async transaction => {
		const known = await listSecrets(transaction, accountId);
		if (known.some(secret => secret.name === name)) return false;
		await transaction.insertInto('secrets').values({account_id: accountId, name, value}).execute();
		return true;
	});
}

/** False if there was none of that name. */
export async function changeSecret(
	database: Database,
	{accountId, name, value}: Secret & {readonly accountId: number},
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('secrets')
		.set({value})
		.where('account_id', '=', accountId)
		.where('name', '=', name)
		.executeTakeFirst();
	return numUpdatedRows > 0;
}

/** False if there was none of that name. */
export async function deleteSecret(
	database: Database,
	{accountId, name}: {readonly accountId: number; readonly name: string},
): Promise<boolean> {
	const {numDeletedRows} = await database
		.deleteFrom('secrets')
		.where('account_id', '=', accountId)
		.where('name', '=', name)
		.executeTakeFirst();
	return numDeletedRows > 0;
}
