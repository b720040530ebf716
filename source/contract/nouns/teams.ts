/** Teams: accounts whose members have keys with the permissions of their roles. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {dollars, id, instant, text, pathId, pathWithId} from '../grammar/values.ts';

/** Success in two forms: existing clients read either. */
const done = z.looseObject({
	success: z.literal(true),
	msg: z.string(),
	status: z.literal('success'),
	message: z.string(),
});
const word = text(64).check(z.minLength(1));
const rolePath = z.object({role: text(64)});

export const create = endpoint({
	method: 'POST',
	path: '/api/v0/team/',
	summary: 'Make a team: an account of its own, whose key is shown once',
	makes: ['team'],
	body: z.object({team_name: word, transfer_credit: z.nullish(dollars.check(z.minimum(0)))}),
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			msg: z.string(),
			team_id: id,
			key_id: id,
			api_key: z.string(),
		}),
		...commonRefusals,
	},
	permission: 'team_write',
	thresholdSeconds: undefined,
});

const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/team/',
	summary: 'End a team that has nothing left; its credit goes to its owner',
	replies: {
		200: z.looseObject({success: z.literal(true), msg: z.string(), pkey_id: id}),
		...recordRefusals,
	},
	permission: 'team_write',
	thresholdSeconds: undefined,
});

export {remove as delete};

export const members = endpoint({
	method: 'GET',
	path: '/api/v0/team/members/',
	summary: 'List the members of a team',
	replies: {
		200: z.array(
			z.looseObject({
				id,
				username: z.string(),
				email: z.string(),
				fullname: z.string(),
				roles: z.array(z.string()),
			}),
		),
		...commonRefusals,
	},
	permission: 'team_read',
	thresholdSeconds: undefined,
});

export const removeMember = endpoint({
	method: 'DELETE',
	path: '/api/v0/team/members/{id}/',
	summary: 'End a membership: the keys of the member end',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	permission: 'team_write',
	thresholdSeconds: 3,
});

const invited = {email: z.nullish(text(64)), role: z.nullish(text(64))};

export const invite = endpoint({
	method: 'POST',
	path: '/api/v0/team/invite/',
	summary:
		'Invite somebody to a team, by email or by the number of their account; the word for it is shown to the key that invites',
	makes: ['invitation'],
	query: z.object({...invited, user_id: z.optional(pathId)}),
	body: z.object({...invited, user_id: z.nullish(id)}),
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			msg: z.string(),
			token: z.string(),
			expires_at: instant,
		}),
		...recordRefusals,
	},
	permission: 'team_write',
	thresholdSeconds: undefined,
});

export const invitations = endpoint({
	method: 'GET',
	path: '/api/v0/team/invite/',
	summary: 'List the open invitations of a team, each with its word for the key that made it',
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			results: z.array(
				z.looseObject({
					id,
					/** Empty if an account was invited by its number. */
					email: z.string(),
					user_id: z.nullable(id),
					role: z.string(),
					created_at: instant,
					expires_at: instant,
					/** Token, shown to the inviting key; null for other keys. */
					token: z.nullable(z.string()),
				}),
			),
		}),
		...recordRefusals,
	},
	permission: 'team_read',
	thresholdSeconds: 1,
});

export const join = endpoint({
	method: 'GET',
	path: '/api/v0/team/invite/{token}/',
	summary: 'Join a team with an invitation; the key for it is shown once',
	makes: ['member'],
	params: z.object({token: text(128)}),
	changes: true,
	replies: {
		200: z.looseObject({success: z.literal(true), team_id: id, key_id: id, api_key: z.string()}),
		...recordRefusals,
	},
	permission: 'user_write',
	thresholdSeconds: 1,
});

const permissions = z.record(z.string(), z.unknown());
const role = z.looseObject({
	id,
	name: z.string(),
	identifier: z.string(),
	/** In the nested form: `{api: {instance_read: {}}}`. */
	permissions,
});

/** Permissions, also as a list of granted names. */
const wantedPermissions = z.codec(
	z.union([permissions, z.array(text(64)).check(z.minLength(1, 'must name a permission'))]),
	permissions,
	{
		decode: wanted =>
			Array.isArray(wanted) ? Object.fromEntries(wanted.map(name => [name, true])) : wanted,
		encode: wanted => wanted,
	},
);

export const addRole = endpoint({
	method: 'POST',
	path: '/api/v0/team/roles/',
	summary: 'Make a role of a team',
	makes: ['role'],
	body: z.object({name: word, permissions: wantedPermissions}),
	replies: {200: done, ...commonRefusals},
	permission: 'team_write',
	thresholdSeconds: undefined,
});

export const roles = endpoint({
	method: 'GET',
	path: '/api/v0/team/roles-full/',
	summary: 'List the roles of a team',
	replies: {200: z.array(role), ...commonRefusals},
	permission: 'team_read',
	thresholdSeconds: undefined,
});

export const showRole = endpoint({
	method: 'GET',
	path: '/api/v0/team/roles/{role}/',
	summary: 'Show a role of a team, by its id or its name',
	params: rolePath,
	replies: {200: role, ...recordRefusals},
	permission: 'team_read',
	thresholdSeconds: undefined,
});

export const changeRole = endpoint({
	method: 'PUT',
	path: '/api/v0/team/roles/{role}/',
	summary: 'Change a role: it counts at once, for all who have it',
	params: rolePath,
	body: z.object({name: z.nullish(word), permissions: z.nullish(wantedPermissions)}),
	replies: {200: z.string(), ...recordRefusals},
	permission: 'team_write',
	thresholdSeconds: undefined,
});

export const deleteRole = endpoint({
	method: 'DELETE',
	path: '/api/v0/team/roles/{role}/',
	summary: 'Delete a role that nobody has',
	params: rolePath,
	replies: {200: done, ...recordRefusals},
	permission: 'team_write',
	thresholdSeconds: undefined,
});
