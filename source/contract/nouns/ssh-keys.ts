import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {bareList} from '../grammar/list-reply.ts';
import {tolerant, dependentBody} from '../grammar/tolerant.ts';
import {id, pathWithId, pathId} from '../grammar/values.ts';

/** A public SSH key. Services name its text `key` in some replies and `public_key` in others. */
const sshKey = tolerant(
	{id},
	{
		user_id: id,
		key: z.string(),
		public_key: z.string(),
		/** ISO 8601 in UTC. */
		created_at: z.string(),
		/** Time of deletion, as text or a number; some services list deleted keys. */
		deleted_at: z.union([z.string(), z.number()]),
	},
);

export type SshKey = z.output<typeof sshKey>;

/** Read by `parsePublicKey`. */
const body = z.object({ssh_key: z.string('No ssh key provided')});
const kept = z.looseObject({key: sshKey});

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/ssh/',
	summary: 'List the SSH keys of the account',
	replies: {200: bareList('keys', sshKey, {hasIds: true}), ...commonRefusals},
	permission: 'user_read',
	thresholdSeconds: undefined,
});

export const create = endpoint({
	method: 'POST',
	path: '/api/v0/ssh/',
	summary: 'Register an SSH key',
	makes: ['sshKey'],
	body,
	replies: {200: kept, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
	unfit: 'noSshKey',
});

export const update = endpoint({
	method: 'PUT',
	path: '/api/v0/ssh/{id}/',
	summary: 'Replace an SSH key',
	params: pathWithId,
	body,
	same: {'params.id': 'key.id'},
	replies: {200: kept, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
	unfit: 'noSshKey',
});

const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/ssh/{id}/',
	summary: 'Delete an SSH key',
	params: pathWithId,
	replies: {200: z.union([z.string(), z.looseObject({})]), ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: undefined,
	unfit: 'noSshKey',
});

export {remove as delete};

export const attachedKey = tolerant({id}, {name: z.string(), public_key: z.string()});

export type AttachedKey = z.output<typeof attachedKey>;

/** Read by `parsePublicKey`. */
const key = dependentBody<{readonly text: string}>({
	read: ({ssh_key: text}) => ({text: typeof text === 'string' ? text : ''}),
	write: ({text}) => ({ssh_key: text}),
	takes: {ssh_key: z.string()},
	throws: [],
});

const path = {id: pathId};
const done = z.looseObject({success: z.optional(z.boolean()), msg: z.optional(z.string())});

export const sshKeys = endpoint({
	method: 'GET',
	path: '/api/v0/instances/{id}/ssh/',
	summary: 'List the SSH keys that may enter an instance',
	params: z.object(path),
	replies: {
		/** The keys, usually as JSON text within the JSON. */
		200: z.looseObject({ssh_keys: z.union([z.string(), z.array(z.unknown())])}),
		...recordRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: undefined,
});

export const attachSshKey = endpoint({
	method: 'POST',
	path: '/api/v0/instances/{id}/ssh/',
	summary: 'Let an SSH key enter an instance',
	makes: ['instanceKey'],
	params: z.object(path),
	body: key,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: undefined,
});

export const detachSshKey = endpoint({
	method: 'DELETE',
	path: '/api/v0/instances/{id}/ssh/{ssh_key_id}/',
	summary: 'Let an SSH key enter an instance no longer',
	params: z.object({...path, ssh_key_id: pathId}),
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 2,
});
