/** API keys, and the only place that decides which account or member a key acts for. */
import {hash, randomBytes} from 'node:crypto';
import type {ExpressionBuilder} from 'kysely';
import {
	type PermissionsRecord,
	common,
	readPermissions,
} from '../../contract/grammar/permissions.ts';
import type {Cap} from '../../contract/grammar/caps.ts';
import type {Database} from '../database/database.ts';
import type {Tables} from '../database/schema.ts';
import {insertion, statement} from '../database/statement.ts';
import type {Speaker, ApiKey, Capped} from '../base/api-key.ts';

/** Owner whose keys are meant; for the operator, all keys of an account. */
type Whose = Speaker | {readonly accountId: number; readonly memberId: 'anybody'};

export type ApiKeyFacts = {
	readonly id: number;
	readonly accountId: number;
	readonly name: string;
	/** Permissions as they were given; undefined for everything. */
	readonly permissions: PermissionsRecord | undefined;
	readonly lastFour: string;
	readonly createdAt: number;
	/** The cap within which the key rents, its own or that of the key that made it. */
	readonly capped: Capped | undefined;
};

type NewKey = {
	readonly accountId: number;
	readonly name: string;
	readonly permissions?: PermissionsRecord | undefined;
	readonly instanceId?: number;
	readonly memberId?: number | null;
	/** Cap of the key itself. */
	readonly cap?: Cap | undefined;
	/** Cap that the key shares. */
	readonly capped?: Capped | undefined;
	/** Value of the key, from `newKeyValue`, if the caller must know it beforehand. */
	readonly value?: string;
	readonly now: number;
};

/** Its value cannot be read again afterwards. */
export async function createKey(
	database: Database,
	{accountId, name, value = newKeyValue(), now, ...rest}: NewKey,
): Promise<{readonly id: number; readonly value: string}> {
	const {permissions, instanceId, memberId, cap, capped} = rest;
	const {id} = await insertKey(database, {
		account_id: accountId,
		name,
		...traceOf(value),
		permissions: permissions === undefined ? null : JSON.stringify(permissions),
		created_at: now,
		deleted_at: null,
		instance_id: instanceId ?? null,
		member_id: memberId ?? null,
		cap: cap === undefined ? null : JSON.stringify(cap),
		capped_by: capped?.keyId ?? null,
	});
	return {id, value};
}

const insertKey = insertion<{readonly id: number}>('api_keys');

/** A speaker's keys that were not deleted, in the order of creation. */
export async function listKeys(database: Database, whose: Whose): Promise<readonly ApiKeyFacts[]> {
	return (await selectKeys(database, whose).orderBy('id').execute()).map(factsOf);
}

export async function findApiKeyFacts(
	database: Database,
	{id, ...whose}: KeyName,
): Promise<ApiKeyFacts | undefined> {
	const row = await selectKeys(database, whose).where('id', '=', id).executeTakeFirst();
	return row && factsOf(row);
}

type KeyName = Whose & {readonly id: number};

/**
 * Deletes a key and those that share its cap at once; false if there was none. Call it in a
 * transaction of `writing`, so that no other writes for the key afterwards.
 */
export async function deleteKeyRow(
	database: Database,
	{id, ...whose}: KeyName,
	now: number,
): Promise<boolean> {
	const {numUpdatedRows} = await database
		.updateTable('api_keys')
		.set({deleted_at: now})
		// The keys of instances go with their instances.
		.where(eb => eb('id', '=', id).or(eb('capped_by', '=', id).and('instance_id', 'is', null)))
		.where(isOf(whose))
		.executeTakeFirst();
	return numUpdatedRows > 0;
}

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

/** Deletes all keys of an account, or of a member of a team. */
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

/**
 * Gives a key a new value, and ends the old one at once, with the invitations whose tokens derive
 * from it; undefined if there is no such key. Call it in a transaction.
 */
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
	if (numUpdatedRows === 0n) return undefined;
	await database
		.updateTable('invitations')
		.set({expires_at: 0})
		.where('key_id', '=', id)
		.where('used_at', 'is', null)
		.execute();
	return value;
}

/** Condition for a speaker's keys in use, instances' own keys included. */
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
		.select('capped_by as cappedBy')
		.select(capInUse)
		.where(isOf(whose))
		.where('instance_id', 'is', null);
}

type KeyRow = Omit<ApiKeyFacts, 'permissions' | 'capped'> &
	CapColumns & {readonly permissions: string | null};

function factsOf({permissions, cappedBy, cap, ...rest}: KeyRow): ApiKeyFacts {
	const capped = readCapped({id: rest.id, cappedBy, cap});
	return {...rest, permissions: parsePermissions(permissions), capped};
}

type CapColumns = {readonly cappedBy: number | null; readonly cap: string | null};

/** Column `cap`: the JSON of a key's cap, its own or the shared one. */
function capInUse(eb: ExpressionBuilder<Tables, 'api_keys'>) {
	const shared = eb
		.selectFrom('api_keys as holders')
		.select('holders.cap')
		.whereRef('holders.id', '=', 'api_keys.capped_by');
	return eb.fn.coalesce('api_keys.cap', shared).as('cap');
}

function readCapped({id, cappedBy, cap}: CapColumns & {readonly id: number}): Capped | undefined {
	if (cap === null) return undefined;
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `createKey` wrote it
	return {keyId: cappedBy ?? id, cap: JSON.parse(cap) as Cap};
}

function parsePermissions(text: string | null): PermissionsRecord | undefined {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `createKey` wrote it
	return text === null ? undefined : (JSON.parse(text) as PermissionsRecord);
}

export function newKeyValue(): string {
	return randomBytes(32).toString('hex');
}

function traceOf(value: string) {
	return {hash: hashOf(value), last_four: value.slice(-4)};
}

export function hashOf(value: string): string {
	return hash('sha256', value);
}

type FoundKey = Omit<ApiKey, 'grants' | 'capped'> &
	CapColumns & {readonly permissions: string | null};

const findByHash = statement<{hash: string}, FoundKey>((database, value) =>
	database
		.selectFrom('api_keys')
		.innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
		.select(['api_keys.id', 'account_id as accountId', 'permissions'])
		.select(['instance_id as instanceId', 'member_id as memberId', 'kind'])
		.select('capped_by as cappedBy')
		.select(capInUse)
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
 * Finds a key by its value, unless it was deleted, its member has left, or an account behind it is
 * closed: its own, its member's, the team's owner or the subaccount's parent.
 */
export async function findApiKey(database: Database, value: string): Promise<ApiKey | undefined> {
	const [key] = await findByHash(database, {hash: hashOf(value)});
	return key && withGrants(database, key);
}

export async function findKeyById(database: Database, id: number): Promise<ApiKey | undefined> {
	const named = await database
		.selectFrom('api_keys')
		.select('hash')
		.where('id', '=', id)
		.executeTakeFirst();
	const [key] = named === undefined ? [] : await findByHash(database, named);
	return key && withGrants(database, key);
}

/** Member of a key, also of a deleted one. */
export async function memberOfKey(database: Database, id: number): Promise<number | null> {
	const keys = database.selectFrom('api_keys').select('member_id').where('id', '=', id);
	return (await keys.executeTakeFirst())?.member_id ?? null;
}

async function withGrants(
	database: Database,
	{permissions, cappedBy, cap, ...found}: FoundKey,
): Promise<ApiKey | undefined> {
	const key = {...found, capped: readCapped({id: found.id, cappedBy, cap})};
	const grants = readPermissions(parsePermissions(permissions));
	if (key.memberId === null) return {...key, grants};
	const role = await roleOf(database, key.accountId, key.memberId);
	if (role === undefined) return undefined;
	const limits = readPermissions(parsePermissions(role.permissions));
	return {...key, grants: common(grants, limits)};
}

export async function roleOf(database: Database, teamId: number, memberId: number) {
	return database
		.selectFrom('team_members')
		.innerJoin('team_roles', 'team_roles.id', 'team_members.role_id')
		.selectAll('team_roles')
		.where('team_members.team_id', '=', teamId)
		.where('team_members.account_id', '=', memberId)
		.executeTakeFirst();
}
