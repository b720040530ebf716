import type {Database} from '../database/database.ts';
import {writingOn} from '../database/writing.ts';

export type Secret = {readonly name: string; readonly value: string};

/** The environment variables of an account, with their values: for the instances it rents. */
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

/** Adds a variable; false where there is one of that name. */
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

/** It answers whether there was one of that name. */
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

/** It answers whether there was one of that name. */
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
