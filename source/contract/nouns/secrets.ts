/**
 * Environment variables of the account, for every instance it rents. No reply contains their
 * values.
 */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {mapReply} from '../grammar/list-reply.ts';

/** Placeholder for every secret value. */
export const HIDDEN = '*****';

const key = z
	.string('key is required')
	.check(
		z.regex(/^[A-Za-z_]\w*$/, 'key takes letters, digits and _, and no digit first'),
		z.maxLength(256, 'key takes at most 256 characters'),
	);

const value = z
	.string('value is required')
	.check(
		z.regex(/^[\w.-]+$/, 'value takes letters, digits, _, - and ., and at least one'),
		z.maxLength(4096, 'value takes at most 4096 characters'),
	);

const done = z.looseObject({});
const path = '/api/v0/secrets/';

export const list = endpoint({
	method: 'GET',
	path,
	summary: 'List the environment variables of the account',
	replies: {200: mapReply('secrets', z.nullable(z.string())), ...commonRefusals},
	permission: 'user_read',
	thresholdSeconds: 5,
});

export const create = endpoint({
	method: 'POST',
	path,
	summary: 'Add an environment variable',
	makes: ['secret'],
	body: z.object({key, value}),
	replies: {200: done, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 3,
	unfit: 'missingInput',
});

export const update = endpoint({
	method: 'PUT',
	path,
	summary: 'Change an environment variable',
	body: z.object({key, value}),
	replies: {200: done, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 3,
	unfit: 'missingInput',
});

const remove = endpoint({
	method: 'DELETE',
	path,
	summary: 'Delete an environment variable',
	body: z.object({key}),
	replies: {200: done, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 3,
	unfit: 'missingInput',
});

export {remove as delete};
