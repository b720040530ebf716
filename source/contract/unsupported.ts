/** Calls of clients in use that need what lies outside of a market: they are refused in a sentence. */
import * as z from 'zod/mini';
import {endpoint} from './endpoint.ts';
import {commonRefusals} from './errors.ts';
import {bareList} from './list-reply.ts';
import {tolerant} from './tolerant.ts';
import {amount, id, text} from './values.ts';

const done = z.looseObject({success: z.literal(true), msg: z.string()});
const body = z.looseObject({});
const rclone = '/api/v0/commands/rclone/';

/** Clients take any success for a copy that began. */
export const startCloudCopy = endpoint({
	method: 'POST',
	path: rclone,
	summary: 'Copy files to or from a cloud connection: refused, as there are none',
	body,
	replies: {200: done, ...commonRefusals},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

export const cancelCloudCopy = endpoint({
	method: 'DELETE',
	path: rclone,
	summary: 'End a copy to or from a cloud connection: refused, as there are none',
	body,
	replies: {200: done, ...commonRefusals},
	permission: 'instance_write',
	thresholdSeconds: 3.5,
});

export const cloudConnections = endpoint({
	method: 'GET',
	path: '/api/v0/users/cloud_integrations/',
	summary: 'List cloud connections: there are none',
	replies: {
		200: bareList('connections', tolerant({id}, {name: z.string(), cloud_type: z.string()})),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 2.9,
});

const tfa = '/api/v0/tfa/';
const status = `${tfa}status/` as const;

export const twoStep = endpoint({
	method: 'GET',
	path: status,
	summary: 'Show two-step sign-in: there is none, as nobody signs in',
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			tfa_enabled: z.boolean(),
			backup_codes_remaining: amount,
			new_method_authorized: z.boolean(),
			methods: z.array(z.unknown()),
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 1,
});

/** All other calls of it, whatever they are for. */
const change = {
	summary: 'Change two-step sign-in: refused, as there is none',
	replies: {200: done, ...commonRefusals},
	permission: 'user_write',
	thresholdSeconds: 1,
} as const;

export const removeTwoStep = endpoint({
	...change,
	method: 'DELETE',
	path: tfa,
	aliases: [
		...(['GET', 'POST', 'PUT'] as const).map(method => ({method, path: tfa}) as const),
		...(['POST', 'PUT', 'DELETE'] as const).map(method => ({method, path: status}) as const),
	],
});

const step = `${tfa}{step}/` as const;

export const changeTwoStep = endpoint({
	...change,
	method: 'POST',
	path: step,
	aliases: (['GET', 'PUT', 'DELETE'] as const).map(method => ({method, path: step}) as const),
	params: z.object({step: text(64)}),
});
