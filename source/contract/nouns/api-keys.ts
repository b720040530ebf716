import * as z from 'zod/mini';
import {cap} from '../grammar/caps.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {id, instant, text, pathWithId} from '../grammar/values.ts';

/**
 * Permissions in the form in which they were given when the key was created; false for a key that
 * may do everything.
 */
const permissions = z.union([z.record(z.string(), z.unknown()), z.literal(false)]);

/** An API key without its value, which is shown once: when the key is made or reset. */
export const apiKey = tolerant(
	{id},
	{
		user_id: id,
		name: z.string(),
		permissions,
		/** Permissions as text: `all`, or their names with spaces between them. */
		rights: z.string(),
		created_at: instant,
		last_four: z.string(),
		team_id: id,
		team_name: z.string(),
		/** The most that the key may rent and spend; none for a key without a cap. */
		cap,
		/** Id of the key that made this one, whose cap counts for both. */
		capped_by: id,
	},
);

export type ApiKeyRecord = z.output<typeof apiKey>;

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/auth/apikeys/',
	summary: 'List the API keys',
	replies: {
		200: listReply(z.looseObject({apikeys: z.array(apiKey)}), {
			name: 'apikeys',
			record: apiKey,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 1,
});

export const create = endpoint({
	method: 'POST',
	path: '/api/v0/auth/apikeys/',
	summary: 'Create an API key',
	makes: ['apiKey'],
	body: z.object({
		name: z.nullish(text(255)),
		/** Read by `readPermissions`, whose refusals have their own reason. */
		permissions: z.optional(z.unknown()),
		key_params: z.optional(z.unknown()),
		/** Cap of the new key, shared by keys that it creates. Other services have none. */
		cap: z.nullish(cap),
	}),
	replies: {
		200: z.looseObject({
			id,
			key: z.string(),
			permissions: z.nullish(permissions),
			/** The cap of the new key; undefined if the service sends none, or an unknown one. */
			cap: z.catch(z.nullish(cap), undefined),
		}),
		...commonRefusals,
	},
	permission: 'user_write',
	thresholdSeconds: 2,
});

export const show = endpoint({
	method: 'GET',
	path: '/api/v0/auth/apikeys/{id}/',
	summary: 'Show an API key',
	params: pathWithId,
	same: {'params.id': 'id'},
	replies: {200: apiKey, ...recordRefusals},
	permission: 'user_read',
	thresholdSeconds: 1,
});

const remove = endpoint({
	method: 'DELETE',
	path: '/api/v0/auth/apikeys/{id}/',
	summary: 'Delete an API key',
	params: pathWithId,
	// Other services answer an object.
	replies: {200: z.union([z.string(), z.looseObject({})]), ...recordRefusals},
	permission: 'user_write',
	thresholdSeconds: 2,
});

export {remove as delete};

export const reset = endpoint({
	method: 'PUT',
	path: '/api/v0/commands/reset_apikey/',
	summary: 'Give an API key a new value',
	body: z.object({
		/** Id of the key; by default the calling key. */
		id: z.nullish(id),
	}),
	same: {'body.id': 'id'},
	replies: {
		200: z.looseObject({new_api_key: z.string(), id: z.nullish(id)}),
		...recordRefusals,
	},
	// A key may reset itself; the handler asks for `user_write` to reset another.
	permission: 'any key',
	thresholdSeconds: 2,
});
