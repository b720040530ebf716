import type {Contract} from '../../contract/index.ts';
import {nestedPermissions} from '../../contract/grammar/permissions.ts';
import {email as emailSchema} from '../../contract/nouns/operator.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {
	createTeam,
	endTeam,
	grantsOfRole,
	isStanding,
	joinTeam,
	knownRole,
	leaveTeam,
	permissionsOf,
	reservedRoles,
} from './teams.ts';
import {findByEmail} from '../accounts/people-store.ts';
import {knownAccount} from '../ledger/accounts-store.ts';
import {notifyAccount} from '../notifications/notify-renter.ts';
import {Refusal} from '../base/refusal.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {TeamRoleRow} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import type {ApiKey} from '../base/api-key.ts';
import {hashOf} from '../api-keys/store.ts';
import {
	insertInvitation,
	lastInvited,
	openInvitations,
	type Whom,
} from '../accounts/people-store.ts';
import {
	updateRoleRow,
	deleteRoleRow,
	insertRole,
	isRoleHeld,
	listMembers,
	listRoles,
} from './store.ts';
import {writing} from '../database/writing.ts';
import {readGrants, refuseJoining, refuseOpening, refuseTooWide} from '../api-keys/grants.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['teams'];

const OWNER = 'owner';
const INVITED_SECONDS = 4 * 3600;
const AGAIN_SECONDS = 300;

export const create: Handler<Calls['create']> = async ({body}, {database, clock, caller}) => {
	refuseOpening(caller);
	const micros = Math.round((body.transfer_credit ?? 0) * MICROS_PER_DOLLAR);
	const team = {ownerId: caller.accountId, name: body.team_name, micros, now: clock.now()};
	const {teamId, keyId, key} = await createTeam(database, team);
	const msg = `The team ${body.team_name} was made.`;
	return {success: true, msg, team_id: teamId, key_id: keyId, api_key: key};
};

const remove: Handler<Calls['delete']> = async (_, {database, clock, caller}) => {
	const {owner_id: ownerId, username} = await knownAccount(database, caller.accountId);
	if (ownerId === null) throw new Refusal('noSuchTeam', 'This account is not a team.');
	if (caller.memberId !== ownerId) {
		throw new Refusal('ownerOnly', 'The owner of a team alone ends it.');
	}
	await endTeam(database, caller.accountId, clock.now());
	return {success: true, msg: `The team ${username} has ended.`, pkey_id: caller.id};
};

export {remove as delete};

export const members: Handler<Calls['members']> = async (_, {database, caller}) => {
	await teamOf(database, caller);
	return (await listMembers(database, caller.accountId)).map(({role, ...row}) => ({
		id: row.id,
		username: row.username ?? '',
		email: row.email ?? '',
		fullname: row.fullname ?? '',
		roles: [role],
	}));
};

/** The team of a key. @throws Refusal for a key of no team */
async function teamOf(database: Database, {accountId}: ApiKey): Promise<number> {
	const {owner_id: ownerId} = await knownAccount(database, accountId);
	if (ownerId !== null) return accountId;
	throw new Refusal('lacksPermission', 'This call is for the key of a team.');
}

export const removeMember: Handler<Calls['removeMember']> = async (
	{params: {id}},
	{database, clock, caller},
) => {
	const teamId = await teamOf(database, caller);
	const member = {teamId, accountId: id};
	await leaveTeam(database, member, {refuse: role => refuseWider(caller, role), now: clock.now()});
	return done(`Member ${id} has left.`);
};

function done(msg: string) {
	return {success: true, msg, status: 'success', message: msg} as const;
}

export const invite: Handler<Calls['invite']> = async (
	{query, body},
	{database, clock, caller, secretOf},
) => {
	const teamId = await teamOf(database, caller);
	const whom = await invitedPerson(database, {...body, ...query});
	const name = whom.email ?? `Account ${whom.account_id}`;
	const now = clock.now();
	const expires_at = now + INVITED_SECONDS;
	const token = await writing(database, async transaction => {
		const role = await knownRole(transaction, teamId, query.role ?? body.role ?? '');
		if (role.name === OWNER) throw new Refusal('ownerOnly', 'A team has one owner.');
		refuseWider(caller, role);
		const left = (await lastInvited(transaction, teamId, whom)) + AGAIN_SECONDS - now;
		if (left > 0) {
			const headers = {'retry-after': String(Math.ceil(left))};
			throw new Refusal('tooManyRequests', `${name} was invited a moment ago.`, {headers});
		}
		const by = {team_id: teamId, role_id: role.id, key_id: caller.id};
		const invitation = {...by, ...whom, created_at: now, expires_at};
		const word = secretOf(purposeOf(invitation));
		const made = await insertInvitation(transaction, invitation, word);
		await refuseTooMany(transaction, 'invitation', {accountId: teamId, now});
		const known = whom.email === null ? undefined : await findByEmail(transaction, whom.email);
		const invitedId = known?.email_proven === 1 ? known.id : whom.account_id;
		if (invitedId !== null) {
			const {username} = await knownAccount(transaction, teamId);
			// Without the token, which the inviting key passes on.
			await notifyAccount(transaction, invitedId, {
				kind: 'client:team_invitation',
				at: now,
				subject: `The team ${username ?? teamId} invites you`,
				message: `You would be a ${role.name}. The invitation is for four hours: who made it has the word for it.`,
			});
		}
		return made;
	});
	return {success: true, msg: `${name} is invited for four hours.`, token, expires_at};
};

type Asked = {readonly [Name in 'email' | 'role']?: string | null | undefined} & {
	readonly user_id?: number | null | undefined;
};

async function invitedPerson(database: Database, {email, user_id: id}: Asked): Promise<Whom> {
	if ((email ?? '') === '' && typeof id === 'number') {
		return {email: null, account_id: (await knownAccount(database, id)).id};
	}
	const address = emailSchema.safeParse(email?.toLowerCase());
	if (address.success && typeof id !== 'number') return {email: address.data, account_id: null};
	const text = 'email must be an email address, or user_id alone the number of an account.';
	throw new Refusal('badArguments', text);
}

type Invitation = Whom & {readonly team_id: number; readonly created_at: number};

/** Purpose from which an invitation's token is derived: a team invites a person once at a time. */
function purposeOf({team_id, email, account_id, created_at}: Invitation): string {
	return JSON.stringify(['invitation', team_id, email ?? account_id, created_at]);
}

export const invitations: Handler<Calls['invitations']> = async (
	_,
	{database, clock, caller, secretOf},
) => {
	const teamId = await teamOf(database, caller);
	const rows = await openInvitations(database, teamId, clock.now());
	const standing = await Promise.all(rows.map(async row => isStanding(database, row.key_id, row)));
	const open = rows.filter((_row, at) => standing[at]);
	const results = open.map(({id, email, role, created_at, expires_at, ...row}) => {
		const {account_id: user_id, token_hash: hash} = row;
		const word = secretOf(purposeOf({email, created_at, account_id: user_id, team_id: teamId}));
		const token = hashOf(word) === hash ? word : null;
		return {id, email: email ?? '', user_id, role, created_at, expires_at, token};
	});
	return {success: true, results};
};

export const join: Handler<Calls['join']> = async (
	{params: {token}},
	{database, clock, caller},
) => {
	refuseJoining(caller);
	const {accountId} = caller;
	const {teamId, keyId, key} = await joinTeam(database, {accountId, token, now: clock.now()});
	return {success: true, team_id: teamId, key_id: keyId, api_key: key};
};

export const addRole: Handler<Calls['addRole']> = async ({body}, {database, clock, caller}) => {
	const teamId = await teamOf(database, caller);
	refuseTooWide(caller, readGrants(body.permissions));
	const permissions = JSON.stringify(body.permissions);
	await writing(database, async transaction => {
		await refuseName(transaction, teamId, body.name);
		await insertRole(transaction, {team_id: teamId, name: body.name, permissions});
		await refuseTooMany(transaction, 'role', {accountId: teamId, now: clock.now()});
	});
	return {...done('success'), msg: 'success'};
};

async function refuseName(database: Database, teamId: number, name: string): Promise<void> {
	const roles = await listRoles(database, teamId);
	if (reservedRoles.includes(name) || roles.some(role => role.name === name)) {
		throw new Refusal('badArguments', `There is a role ${name}.`);
	}
}

export const roles: Handler<Calls['roles']> = async (_, {database, caller}) => {
	const rows = await listRoles(database, await teamOf(database, caller));
	return rows.filter(({name}) => name !== OWNER).map(recordOf);
};

export const showRole: Handler<Calls['showRole']> = async ({params}, {database, caller}) =>
	recordOf(await knownRole(database, await teamOf(database, caller), params.role));

function recordOf(role: TeamRoleRow) {
	const {id, name} = role;
	return {id, name, identifier: name, permissions: nestedPermissions(permissionsOf(role))};
}

export const changeRole: Handler<Calls['changeRole']> = async (
	{params, body},
	{database, caller},
) => {
	const teamId = await teamOf(database, caller);
	const {name, permissions} = body;
	if (permissions) refuseTooWide(caller, readGrants(permissions));
	const role = await writing(database, async transaction => {
		const found = await changeable(transaction, caller, params.role);
		if (name && name !== found.name) {
			if (reservedRoles.includes(found.name)) {
				throw new Refusal('badArguments', 'The roles that a team begins with keep their names.');
			}
			await refuseName(transaction, teamId, name);
		}
		await updateRoleRow(transaction, found.id, {
			...(name && {name}),
			...(permissions && {permissions: JSON.stringify(permissions)}),
		});
		return found;
	});
	return `The role ${name ?? role.name} was changed.`;
};

/** A role that the caller may change: not the owner's, and with no more rights than its own. */
async function changeable(database: Database, caller: ApiKey, text: string): Promise<TeamRoleRow> {
	const role = await knownRole(database, caller.accountId, text);
	if (role.name === OWNER) throw new Refusal('ownerOnly', 'The role of the owner stays.');
	refuseWider(caller, role);
	return role;
}

function refuseWider(caller: ApiKey, role: TeamRoleRow): void {
	refuseTooWide(caller, grantsOfRole(role));
}

export const deleteRole: Handler<Calls['deleteRole']> = async ({params}, {database, caller}) => {
	await teamOf(database, caller);
	const role = await writing(database, async transaction => {
		const found = await changeable(transaction, caller, params.role);
		if (await isRoleHeld(transaction, found.id)) {
			throw new Refusal('roleInUse', `Members have the role ${found.name}: it stays.`);
		}
		await deleteRoleRow(transaction, found.id);
		return found;
	});
	return done(`The role ${role.name} is gone.`);
};
