/** SSH keys of an instance. */
import * as z from 'zod/mini';
import {dependentBody} from '../grammar/dependent-body.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {recordRefusals} from '../grammar/errors.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {id, pathId} from '../grammar/values.ts';

/** A public key that may enter an instance. */
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
		/** The keys are JSON inside of JSON. */
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
