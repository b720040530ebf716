import type {TeamMembersTable, TeamRoleRow} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import type {MemberName} from '../accounts/people-store.ts';

export async function insertRole(
	database: Database,
	role: Omit<TeamRoleRow, 'id'>,
): Promise<TeamRoleRow> {
	return database.insertInto('team_roles').values(role).returningAll().executeTakeFirstOrThrow();
}

export async function listRoles(
	database: Database,
	teamId: number,
): Promise<readonly TeamRoleRow[]> {
	return database
		.selectFrom('team_roles')
		.selectAll()
		.where('team_id', '=', teamId)
		.orderBy('id')
		.execute();
}

export async function updateRoleRow(
	database: Database,
	id: number,
	change: Partial<Pick<TeamRoleRow, 'name' | 'permissions'>>,
): Promise<void> {
	if (Object.keys(change).length === 0) return;
	await database.updateTable('team_roles').set(change).where('id', '=', id).execute();
}

/** Deletes a role, and ends the invitations to it, which still count towards their day's limit. */
export async function deleteRoleRow(database: Database, id: number): Promise<void> {
	await database
		.updateTable('invitations')
		.set({role_id: null, expires_at: 0})
		.where('role_id', '=', id)
		.execute();
	await database.deleteFrom('team_roles').where('id', '=', id).execute();
}

export async function isRoleHeld(database: Database, id: number): Promise<boolean> {
	const held = await database
		.selectFrom('team_members')
		.select('account_id')
		.where('role_id', '=', id)
		.limit(1)
		.executeTakeFirst();
	return held !== undefined;
}

/** Adds an account to a team, or changes its role there. */
export async function putMember(database: Database, member: TeamMembersTable): Promise<void> {
	await database
		.insertInto('team_members')
		.values(member)
		.onConflict(conflict =>
			conflict.columns(['team_id', 'account_id']).doUpdateSet({role_id: member.role_id}),
		)
		.execute();
}

export async function deleteMember(
	database: Database,
	{teamId, accountId}: MemberName,
): Promise<void> {
	await database
		.deleteFrom('team_members')
		.where('team_id', '=', teamId)
		.where('account_id', '=', accountId)
		.execute();
}

/** Members of a team with their roles, in the order in which they joined. */
export async function listMembers(database: Database, teamId: number) {
	return database
		.selectFrom('team_members')
		.innerJoin('accounts', 'accounts.id', 'team_members.account_id')
		.innerJoin('team_roles', 'team_roles.id', 'team_members.role_id')
		.select(['accounts.id', 'username', 'email', 'fullname', 'team_roles.name as role'])
		.where('team_members.team_id', '=', teamId)
		.orderBy('joined_at')
		.orderBy('accounts.id')
		.execute();
}

export async function isTeamName(database: Database, name: string): Promise<boolean> {
	const found = await database
		.selectFrom('accounts')
		.select('id')
		.where('username', '=', name)
		.where('owner_id', 'is not', null)
		.where('closed_at', 'is', null)
		.executeTakeFirst();
	return found !== undefined;
}
