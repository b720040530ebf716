/** Making, joining, leaving and ending teams. A member's key has the rights of the member's role. */
import {
	covers,
	isGranted,
	readPermissions,
	routeOf,
	type Grants,
	type PermissionsRecord,
} from '../../contract/grammar/permissions.ts';
import {contract} from '../../contract/index.ts';
import {Refusal} from '../base/refusal.ts';
import {readBalances, findAccount, knownAccount} from '../ledger/accounts-store.ts';
import type {TeamRoleRow} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {roleOf, createKey, deleteKeysOfAccount, findKeyById} from '../api-keys/store.ts';
import {
	insertAccount,
	updateAccount,
	useInvitation,
	type MemberName,
} from '../accounts/people-store.ts';
import {deleteMember, insertRole, isTeamName, listRoles, putMember} from './store.ts';
import {writing} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {chargeAccount} from '../billing/charging.ts';
import {refuseDebts} from '../billing/debts.ts';
import {transferCredit} from '../accounts/payments.ts';
import {refuseInUse} from '../accounts/people.ts';

/** Initial roles of a team, with reserved names. */
const OWNER = 'owner';
const manager = {name: 'manager', permissions: null};
const member = {name: 'member', permissions: JSON.stringify({manage_instances: true})};
export const reservedRoles: readonly string[] = [OWNER, manager.name, member.name];

type NewTeam = {
	readonly ownerId: number;
	readonly name: string;
	/** Initial credit, from the owner. */
	readonly micros: number;
	readonly now: number;
};

type TeamKey = {readonly teamId: number; readonly keyId: number; readonly key: string};

/**
 * Makes a team, with a key for its owner.
 *
 * @throws Refusal for a taken name, or if the maker is a team
 */
export async function createTeam(
	database: Database,
	{ownerId, name, micros, now}: NewTeam,
): Promise<TeamKey> {
	return writing(database, async transaction => {
		const owner = await knownAccount(transaction, ownerId);
		if (owner.owner_id !== null) throw new Refusal('badArguments', 'A team has no teams.');
		if (await isTeamName(transaction, name)) {
			throw new Refusal('badArguments', 'Team name already exists');
		}
		const {kind} = owner;
		const teamId = await insertAccount(transaction, {
			created_at: now,
			kind,
			username: name,
			owner_id: ownerId,
		});
		const owning = {team_id: teamId, name: OWNER, permissions: null};
		const owners = await insertRole(transaction, owning);
		for (const role of [manager, member]) await insertRole(transaction, {team_id: teamId, ...role});
		if (micros > 0) {
			const from = {id: ownerId, name: 'the owner'};
			await transferCredit(transaction, {from, to: {id: teamId, name}, micros, now});
		}
		await refuseTooMany(transaction, 'team', {accountId: ownerId, now});
		return addMember(transaction, {teamId, accountId: ownerId, roleId: owners.id, now});
	});
}

type NewMember = MemberName & {readonly roleId: number; readonly now: number};

async function addMember(
	database: Database,
	{teamId, accountId, roleId, now}: NewMember,
): Promise<TeamKey> {
	const membership = {team_id: teamId, account_id: accountId, role_id: roleId, joined_at: now};
	await putMember(database, membership);
	const key = {accountId: teamId, name: `member ${accountId}`, memberId: accountId, now};
	const {id: keyId, value} = await createKey(database, key);
	return {teamId, keyId, key: value};
}

type Permitting = Pick<TeamRoleRow, 'permissions'>;

/** Permissions of a role; undefined for everything. */
export function permissionsOf({permissions}: Permitting): PermissionsRecord | undefined {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing but this market wrote it
	return permissions === null ? undefined : (JSON.parse(permissions) as PermissionsRecord);
}

export function grantsOfRole(role: Permitting): Grants {
	return readPermissions(permissionsOf(role));
}

/** True if the key that invited to a role may still do so. */
export async function isStanding(
	database: Database,
	keyId: number | null,
	role: Permitting,
): Promise<boolean> {
	if (keyId === null) return true;
	const inviter = await findKeyById(database, keyId);
	if (inviter === undefined) return false;
	const {permission, path} = contract.teams.invite;
	const mayInvite = isGranted(inviter.grants, {permission, route: routeOf(path)});
	return mayInvite && covers(inviter.grants, grantsOfRole(role));
}

type Joining = {readonly accountId: number; readonly token: string; readonly now: number};

/** @throws Refusal for an unknown, expired or another person's invitation, and for the owner */
export async function joinTeam(
	database: Database,
	{accountId, token, now}: Joining,
): Promise<TeamKey> {
	return writing(database, async transaction => {
		const {email, owner_id} = await knownAccount(transaction, accountId);
		if (owner_id !== null) throw new Refusal('badArguments', 'A team joins no team.');
		const using = {token, toTeam: true, email, accountId, now} as const;
		const used = await useInvitation(transaction, using);
		const team = await findAccount(transaction, used?.team_id ?? -1);
		const roles = await listRoles(transaction, team?.id ?? -1);
		const role = roles.find(({id}) => id === used?.role_id);
		const isValid =
			role !== undefined && (await isStanding(transaction, used?.key_id ?? null, role));
		if (team === undefined || !isValid) {
			throw new Refusal('noSuchInvitation', 'This invitation is not valid, or not any more.');
		}
		if (team.owner_id === accountId) {
			throw new Refusal('badArguments', 'The owner is in the team already, with all rights.');
		}
		const teamId = team.id;
		const made = await addMember(transaction, {teamId, accountId, roleId: role.id, now});
		await refuseTooMany(transaction, 'member', {accountId: teamId, now});
		return made;
	});
}

type Leaving = {
	/** Throws if the caller may not end a membership of this role. */
	readonly refuse: (role: TeamRoleRow) => void;
	readonly now: number;
};

/** Ends a membership, and the keys of the member. */
export async function leaveTeam(
	database: Database,
	{teamId, accountId}: MemberName,
	{refuse, now}: Leaving,
): Promise<void> {
	await writing(database, async transaction => {
		const {owner_id: owner} = await knownAccount(transaction, teamId);
		if (owner === accountId) throw new Refusal('badArguments', 'The owner stays in the team.');
		const role = await roleOf(transaction, teamId, accountId);
		if (role === undefined) {
			const fields = {status: 'failure', message: 'There is no such member.'};
			throw new Refusal('noSuchUser', 'There is no such member.', {fields});
		}
		refuse(role);
		await deleteMember(transaction, {teamId, accountId});
		await deleteKeysOfAccount(transaction, teamId, {memberId: accountId, now});
	});
}

/**
 * Ends a team. Its credit goes to its owner.
 *
 * @throws Refusal if it has instances, volumes, machines, unpaid earnings or debts
 */
export async function endTeam(database: Database, teamId: number, now: number): Promise<void> {
	await chargeAccount(database, teamId, now);
	await writing(database, async transaction => {
		const {owner_id: ownerId, username} = await knownAccount(transaction, teamId);
		await refuseInUse(transaction, teamId, 'teamInUse');
		await refuseDebts(transaction, teamId, 'teamInUse');
		const {creditMicros, earnedMicros} = await readBalances(transaction, teamId);
		if (earnedMicros > 0) {
			throw new Refusal('teamInUse', 'It has earnings that are not paid out: nothing was closed.');
		}
		if (creditMicros > 0 && ownerId !== null) {
			const [from, to] = [
				{id: teamId, name: username ?? ''},
				{id: ownerId, name: 'the owner'},
			];
			await transferCredit(transaction, {from, to, micros: creditMicros, now});
		}
		await deleteKeysOfAccount(transaction, teamId, {now});
		await updateAccount(transaction, teamId, {closed_at: now});
	});
}

/** A role of a team by its id or name. @throws Refusal if missing */
export async function knownRole(
	database: Database,
	teamId: number,
	text: string,
): Promise<TeamRoleRow> {
	const roles = await listRoles(database, teamId);
	const found = roles.find(({id}) => String(id) === text) ?? roles.find(({name}) => name === text);
	if (found === undefined) throw new Refusal('noSuchRole', `There is no role ${text}.`);
	return found;
}
