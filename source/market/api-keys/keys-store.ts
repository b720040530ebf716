import {hash, randomBytes} from 'node:crypto';
import type {ExpressionBuilder} from 'kysely';
import type {PermissionsRecord} from '../../contract/grammar/permissions.ts';
import type {Database} from '../database/database.ts';
import type {Tables} from '../database/schema.ts';
import {insertion} from '../database/statement.ts';
import type {Speaker} from '../base/api-key.ts';

/** The keys that speak for somebody; for the operator, all of an account. */
export type Whose = Speaker | {readonly accountId: number; readonly memberId: 'anybody'};

/** Facts of a key, for its owner. */
export type ApiKeyFacts = {
	readonly id: number;
	readonly accountId: number;
	readonly name: string;
	/** In the form in which they were given; undefined for everything. */
	readonly permissions: PermissionsRecord | undefined;
	readonly lastFour: string;
	readonly createdAt: number;
};

type NewKey = {
	readonly accountId: number;
	readonly name: string;
	readonly permissions?: PermissionsRecord | undefined;
	/** For a key that an instance has of its own. */
	readonly instanceId?: number;
	/** For a key that a member of a team has. */
	readonly memberId?: number | null;
	/** Value of the key, where it must be known beforehand: `newKeyValue` makes one. */
	readonly value?: string;
	readonly now: number;
};

/** Makes a key. Its value cannot be read again afterwards. */
export async function createKey(
	database: Database,
	{accountId, name, permissions, instanceId, memberId = null, value = newKeyValue(), now}: NewKey,
): Promise<{readonly id: number; readonly value: string}> {
	const {id} = await insertKey(database, {
		account_id: accountId,
		name,
		...traceOf(value),
		permissions: permissions === undefined ? null : JSON.stringify(permissions),
		created_at: now,
		deleted_at: null,
		instance_id: instanceId ?? null,
		member_id: memberId,
	});
	return {id, value};
}

const insertKey = insertion<{readonly id: number}>('api_keys');

/** Somebody's keys that were not deleted, in the order in which they were made. */
export async function listKeys(database: Database, whose: Whose): Promise<readonly ApiKeyFacts[]> {
	return (await selectKeys(database, whose).orderBy('id').execute()).map(factsOf);
}

export async function readKey(
	database: Database,
	{id, ...whose}: KeyName,
): Promise<ApiKeyFacts | undefined> {
	const row = await selectKeys(database, whose).where('id', '=', id).executeTakeFirst();
	return row && factsOf(row);
}

type KeyName = Whose & {readonly id: number};

/** Ends a key at once. It answers whether there was one. */
export async function deleteKey(
	database: Database,
	{id, ...whose}: KeyName,
	now: number,
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('api_keys')
		.set({deleted_at: now})
		.where('id', '=', id)
		.where(isOf(whose))
		.executeTakeFirst();
	return numUpdatedRows > 0;
}

/** Ends the own key of an instance at once. */
export async function deleteInstanceKey(
	database: Database,
	instanceId: number,
	now: number,
): Promise<void> {
	await database
		.updateTable('api_keys')
		.set({deleted_at: now})
		.where('instance_id', '=', instanceId)
		.where('deleted_at', 'is', null)
		.execute();
}

/** Ends all keys of an account, or those that a member of a team has. */
export async function deleteKeysOfAccount(
	database: Database,
	accountId: number,
	{memberId, now}: {readonly memberId?: number; readonly now: number},
): Promise<void> {
	await database
		.updateTable('api_keys')
		.set({deleted_at: now})
		.where('account_id', '=', accountId)
		.where('deleted_at', 'is', null)
		.$if(memberId !== undefined, query => query.where('member_id', '=', memberId ?? 0))
		.execute();
}

/** Gives a key a new value and ends the old one at once; undefined where there is no such key. */
export async function resetKey(
	database: Database,
	{id, ...whose}: KeyName,
): Promise<string | undefined> {
	const value = newKeyValue();
	const {numUpdatedRows} = await database
		.updateTable('api_keys')
		.set(traceOf(value))
		.where('id', '=', id)
		.where(isOf(whose))
		.executeTakeFirst();
	return numUpdatedRows > 0 ? value : undefined;
}

/** Holds for keys in use that speak for nobody else, those of instances among them. */
function isOf({accountId, memberId}: Whose) {
	return (eb: ExpressionBuilder<Tables, 'api_keys'>) => {
		const ofAccount = eb('account_id', '=', accountId).and('deleted_at', 'is', null);
		if (memberId === 'anybody') return ofAccount;
		return ofAccount.and('member_id', memberId === null ? 'is' : '=', memberId);
	};
}

function selectKeys(database: Database, whose: Whose) {
	return database
		.selectFrom('api_keys')
		.select([
			'id',
			'account_id as accountId',
			'name',
			'permissions',
			'last_four as lastFour',
			'created_at as createdAt',
		])
		.where(isOf(whose))
		.where('instance_id', 'is', null);
}

type KeyRow = Omit<ApiKeyFacts, 'permissions'> & {readonly permissions: string | null};

function factsOf({permissions, ...rest}: KeyRow): ApiKeyFacts {
	return {...rest, permissions: parsePermissions(permissions)};
}

export function parsePermissions(text: string | null): PermissionsRecord | undefined {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `createKey` wrote it
	return text === null ? undefined : (JSON.parse(text) as PermissionsRecord);
}

/** A value that nobody can guess. */
export function newKeyValue(): string {
	return randomBytes(32).toString('hex');
}

/** All that is kept of a value. */
function traceOf(value: string) {
	return {hash: hashOf(value), last_four: value.slice(-4)};
}

export function hashOf(value: string): string {
	return hash('sha256', value);
}
