/** API keys, and where a caller is found: whom a key speaks for is decided here and nowhere else. */
import {hash, randomBytes} from 'node:crypto';
import type {ExpressionBuilder} from 'kysely';
import {
	type PermissionsRecord,
	common,
	readPermissions,
} from '../../contract/grammar/permissions.ts';
import type {Database} from '../database/database.ts';
import type {Tables} from '../database/schema.ts';
import {insertion, statement} from '../database/statement.ts';
import type {Speaker, ApiKey} from '../base/api-key.ts';

/** The keys that speak for somebody; for the operator, all of an account. */
type Whose = Speaker | {readonly accountId: number; readonly memberId: 'anybody'};

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

function parsePermissions(text: string | null): PermissionsRecord | undefined {
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

type FoundKey = Omit<ApiKey, 'grants'> & {readonly permissions: string | null};

const findByHash = statement<{hash: string}, FoundKey>((database, value) =>
	database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'account_id as accountId', 'permissions'])
		.select(['instance_id as instanceId', 'member_id as memberId', 'kind'])
		.where('hash', '=', value('hash'))
		.where('deleted_at', 'is', null)
		.where('closed_at', 'is', null)
		.where(eb => {
			const closed = eb
				.selectFrom('accounts as behind')
				.select('behind.id')
				.where('behind.closed_at', 'is not', null)
				.where(behind =>
					behind.or([
						behind('behind.id', '=', behind.ref('api_keys.member_id')),
						behind('behind.id', '=', behind.ref('accounts.parent_id')),
						behind('behind.id', '=', behind.ref('accounts.owner_id')),
					]),
				);
			return eb.not(eb.exists(closed));
		}),
);

/**
 * Finds a key by its value, unless it was deleted, its member has left, or somebody behind it was
 * closed: its account, its member, or whoever made the team or the subaccount.
 */
export async function findKey(database: Database, value: string): Promise<ApiKey | undefined> {
	const [key] = await findByHash(database, {hash: hashOf(value)});
	return key && withGrants(database, key);
}

/** The same by its number, for what runs with it later. */
export async function findKeyById(database: Database, id: number): Promise<ApiKey | undefined> {
	const named = await database
		.selectFrom('api_keys')
		.select('hash')
		.where('id', '=', id)
		.executeTakeFirst();
	const [key] = named === undefined ? [] : await findByHash(database, named);
	return key && withGrants(database, key);
}

/** Member whom a key speaks for, also where it has ended. */
export async function memberOfKey(database: Database, id: number): Promise<number | null> {
	const keys = database.selectFrom('api_keys').select('member_id').where('id', '=', id);
	return (await keys.executeTakeFirst())?.member_id ?? null;
}

async function withGrants(
	database: Database,
	{permissions, ...key}: FoundKey,
): Promise<ApiKey | undefined> {
	const grants = readPermissions(parsePermissions(permissions));
	if (key.memberId === null) return {...key, grants};
	const role = await roleOf(database, key.accountId, key.memberId);
	if (role === undefined) return undefined;
	const limits = readPermissions(parsePermissions(role.permissions));
	return {...key, grants: common(grants, limits)};
}

/** Role of a member of a team. */
export async function roleOf(database: Database, teamId: number, memberId: number) {
	return database
		.selectFrom('team_members')
		.innerJoin('team_roles', 'team_roles.id', 'team_members.role_id')
		.selectAll('team_roles')
		.where('team_members.team_id', '=', teamId)
		.where('team_members.account_id', '=', memberId)
		.executeTakeFirst();
}
