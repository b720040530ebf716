import {hash, randomBytes} from 'node:crypto';
import type {Permission} from '../../contract/permissions.ts';
import type {Database} from './database.ts';

/** An API key in use. */
export type ApiKey = {
	readonly id: number;
	readonly accountId: number;
	/** What it may be used for; undefined for everything. */
	readonly permissions: readonly Permission[] | undefined;
};

type NewKey = {readonly accountId: number; readonly name: string; readonly now: number};

/** Makes a key and returns its value, which cannot be read again afterwards. */
export async function createKey(
	database: Database,
	{accountId, name, now}: NewKey,
): Promise<string> {
	const value = randomBytes(32).toString('hex');
	await database
		.insertInto('api_keys')
		.values({
			account_id: accountId,
			name,
			hash: hashOf(value),
			last_four: value.slice(-4),
			created_at: now,
			deleted_at: null,
		})
		.execute();
	return value;
}

/** Finds a key by its value, unless it was deleted. */
export async function findKey(database: Database, value: string): Promise<ApiKey | undefined> {
	const key = await database
		.selectFrom('api_keys')
		.select(['id', 'account_id as accountId'])
		.where('hash', '=', hashOf(value))
		.where('deleted_at', 'is', null)
		.executeTakeFirst();
	return key && {...key, permissions: undefined};
}

function hashOf(value: string): string {
	return hash('sha256', value);
}
