/** Accounts that people open and close, and invitations. */
import {sql, type Insertable, type SqlBool} from 'kysely';
import type {AccountsTable, InvitationsTable} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {hashOf, newKeyValue} from '../api-keys/store.ts';
import {selectPeople} from '../ledger/accounts-store.ts';

export async function insertAccount(
	database: Database,
	account: Omit<Insertable<AccountsTable>, 'role'>,
): Promise<number> {
	const {id} = await database
		.insertInto('accounts')
		.values({role: 'member', ...account})
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

/** An open account by its email; one with a proven email goes first. */
export async function findByEmail(database: Database, email: string) {
	return selectPeople(database)
		.where('email', '=', email.toLowerCase())
		.orderBy('email_proven', 'desc')
		.executeTakeFirst();
}

/** Open subaccounts of an account by their email, which they need not have proven. */
export async function findSubaccounts(database: Database, parentId: number, email: string) {
	return selectPeople(database)
		.where('parent_id', '=', parentId)
		.where('email', '=', email.toLowerCase())
		.execute();
}

/** Accounts in the order of opening, closed ones included. */
export async function listAccounts(
	database: Database,
	{after, most}: {readonly after: number; readonly most: number},
) {
	return database
		.selectFrom('accounts')
		.select(['id', 'kind', 'email', 'username', 'created_at', 'closed_at'])
		.select(['credit_micros', 'earned_micros', 'parent_id', 'owner_id'])
		.select(eb =>
			eb
				.selectFrom('api_keys')
				.select(({fn}) => fn.countAll<number>().as('count'))
				.whereRef('api_keys.account_id', '=', 'accounts.id')
				.where('instance_id', 'is', null)
				.where('deleted_at', 'is', null)
				.as('keys'),
		)
		.where('id', '>', after)
		.orderBy('id')
		.limit(most)
		.execute();
}

export type ListedAccount = Awaited<ReturnType<typeof listAccounts>>[number];

/** Subaccounts of an account, closed ones included. */
export async function listSubaccounts(database: Database, parentId: number) {
	return database
		.selectFrom('accounts')
		.select(['id', 'parent_id', 'email', 'username', 'fullname', 'credit_micros'])
		.select(['created_at', 'closed_at'])
		.where('parent_id', '=', parentId)
		.orderBy('id')
		.execute();
}

/** Counts an account's instances, volumes, machines, and the accounts that it made. */
export async function countLeft(database: Database, id: number) {
	const count = async (query: ReturnType<typeof sql<{count: number}>>) =>
		(await query.execute(database)).rows[0]?.count ?? 0;
	return {
		instances: await count(
			sql`select count(*) as count from instances where account_id = ${id} and destroyed_at is null`,
		),
		volumes: await count(
			sql`select count(*) as count from volumes where account_id = ${id} and destroyed_at is null`,
		),
		machines: await count(
			sql`select count(*) as count from machines where account_id = ${id} and listed = 1`,
		),
		teams: await count(
			sql`select count(*) as count from accounts where owner_id = ${id} and closed_at is null`,
		),
		subaccounts: await count(
			sql`select count(*) as count from accounts where parent_id = ${id} and closed_at is null`,
		),
	};
}

export async function updateAccount(
	database: Database,
	id: number,
	change: Partial<Pick<Insertable<AccountsTable>, 'email' | 'username' | 'fullname' | 'details'>> &
		Partial<Pick<Insertable<AccountsTable>, 'email_proven' | 'closed_at'>>,
): Promise<void> {
	if (Object.keys(change).length === 0) return;
	await database.updateTable('accounts').set(change).where('id', '=', id).execute();
}

type NewInvitation = Omit<Insertable<InvitationsTable>, 'token_hash'>;

/** Makes an invitation, of whose token only a hash is kept. */
export async function insertInvitation(
	database: Database,
	invitation: NewInvitation,
	token = newKeyValue(),
): Promise<string> {
	const row = {...invitation, token_hash: hashOf(token)};
	await database.insertInto('invitations').values(row).execute();
	return token;
}

export async function openInvitations(database: Database, teamId: number, now: number) {
	return database
		.selectFrom('invitations')
		.innerJoin('team_roles', 'team_roles.id', 'invitations.role_id')
		.select(['invitations.id', 'email', 'account_id', 'team_roles.name as role', 'created_at'])
		.select(['expires_at', 'token_hash', 'key_id', 'permissions'])
		.where('invitations.team_id', '=', teamId)
		.where('used_at', 'is', null)
		.where('expires_at', '>', now)
		.orderBy('invitations.id')
		.execute();
}

type Using = {
	readonly token: string;
	/** True for an invitation to a team, false for one to the market. */
	readonly toTeam: boolean;
	readonly email: string | null;
	/** Without an account yet, only invitations that name no account can be used. */
	readonly accountId: number | null;
	readonly now: number;
};

/** Uses an invitation up; undefined if it does not exist, has expired, or is another person's. */
export async function useInvitation(
	database: Database,
	{token, toTeam, email, accountId, now}: Using,
) {
	return database
		.updateTable('invitations')
		.set({used_at: now})
		.where('token_hash', '=', hashOf(token))
		.where('team_id', toTeam ? 'is not' : 'is', null)
		.where('used_at', 'is', null)
		.where('expires_at', '>', now)
		.where(sql<SqlBool>`(email is null or email = ${email})`)
		.where(sql<SqlBool>`(account_id is null or account_id = ${accountId})`)
		.returning(['team_id', 'role_id', 'key_id', 'kind', 'email'])
		.executeTakeFirst();
}

/** A person as a team invites them: by an email, or by the number of their account. */
export type Whom = {readonly email: string | null; readonly account_id: number | null};

export async function lastInvited(database: Database, teamId: number, whom: Whom) {
	const {at} = await database
		.selectFrom('invitations')
		.select(({fn}) => fn.max<number | null>('created_at').as('at'))
		.where('team_id', '=', teamId)
		.where(sql<SqlBool>`(email = ${whom.email} or account_id = ${whom.account_id})`)
		.executeTakeFirstOrThrow();
	return at ?? -Infinity;
}

export async function isMember(database: Database, {teamId, accountId}: MemberName) {
	const found = await database
		.selectFrom('team_members')
		.select('role_id')
		.where('team_id', '=', teamId)
		.where('account_id', '=', accountId)
		.executeTakeFirst();
	return found !== undefined;
}

export type MemberName = {readonly teamId: number; readonly accountId: number};
