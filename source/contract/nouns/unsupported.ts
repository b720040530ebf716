/**
 * Calls of existing clients for features that no market here has; each is refused with a sentence.
 */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {bareList} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, id, done} from '../grammar/values.ts';

const body = z.looseObject({});
const rclone = '/api/v0/commands/rclone/';

/** Refused, because clients interpret any success as a copy that has begun. */
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

/** An empty list, because clients read it before they create anything, and fail without one. */
export const endpointJobs = endpoint({
	method: 'GET',
	path: '/api/v0/endptjobs/',
	aliases: [
		{method: 'GET', path: '/api/v0/workergroups/'},
		{method: 'GET', path: '/api/v0/autojobs/'},
	],
	summary: 'List serverless endpoints and their workers: there are none',
	replies: {
		200: z.looseObject({success: z.literal(true), results: z.array(z.unknown())}),
		...commonRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const networkRoom = endpoint({
	method: 'POST',
	path: '/api/v0/network_volumes/search/',
	summary: 'Search room for network volumes: there is none',
	onlyReads: true,
	body,
	replies: {200: z.looseObject({offers: z.array(z.unknown())}), ...commonRefusals},
	permission: 'misc',
	keyless: true,
	thresholdSeconds: 5.5,
	unfit: 'badRequest',
});

/** Operations that existing services have and no market here, by the first part of their paths under /api/v0/. */
export const unavailable: ReadonlyMap<string, string> = new Map([
	['tfa', 'Two-step sign-in is'],
	['network_volumes', 'Network volumes are'],
	['network_volume', 'Network volumes are'],
	['network_disk', 'Network disks are'],
	['network_disks', 'Network disks are'],
	['cluster', 'Clusters are'],
	['clusters', 'Clusters are'],
	['overlay', 'Overlays are'],
	['overlays', 'Overlays are'],
	['endptjobs', 'Serverless endpoints are'],
	['workergroups', 'Serverless endpoints are'],
	['autojobs', 'Serverless endpoints are'],
	['deployments', 'Serverless endpoints are'],
	['deployment', 'Serverless endpoints are'],
]);

export const twoStep = endpoint({
	method: 'GET',
	path: '/api/v0/tfa/status/',
	summary: 'Show two-step sign-in: there is none, as nobody signs in',
	replies: {
		200: z.looseObject({
			success: z.optional(z.boolean()),
			tfa_enabled: z.optional(z.boolean()),
			backup_codes_remaining: z.optional(amount),
			new_method_authorized: z.optional(z.boolean()),
			methods: z.optional(z.array(z.unknown())),
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 1,
});
