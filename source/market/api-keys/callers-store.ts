/** Where a caller is found: whom a key speaks for, and what it may do, is decided here and nowhere else. */
import {common, readPermissions} from '../../contract/grammar/permissions.ts';
import type {Database} from '../database/database.ts';
import {hashOf, parsePermissions} from './keys-store.ts';
import {statement} from '../database/statement.ts';
import type {ApiKey} from '../base/api-key.ts';

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
