/** Instances of an account: reading them. */
import * as z from 'zod/mini';
import {dependentBody} from '../grammar/tolerant.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {FilterError} from '../grammar/filter.ts';
import {parseInstanceQuery, printInstanceQuery, type InstanceQuery} from './instance-query.ts';
import {instance} from './instance-record.ts';
import {listReply} from '../grammar/list-reply.ts';
import {pathWithId} from '../grammar/values.ts';

const text = z.optional(z.string());

const query = dependentBody<InstanceQuery>({
	throws: [FilterError],
	read: parseInstanceQuery,
	write: printInstanceQuery,
	takes: {
		limit: text,
		after_token: text,
		order_by: text,
		select_cols: text,
		select_filters: text,
	},
});

const found = {
	success: z.optional(z.boolean()),
	instances_found: z.optional(z.number()),
	instances: z.array(instance),
};

const records = {name: 'instances', record: instance, hasIds: true} as const;

export const list = endpoint({
	method: 'GET',
	path: '/api/v0/instances/',
	summary: 'List all your instances',
	replies: {200: listReply(z.looseObject(found), records), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const page = endpoint({
	method: 'GET',
	path: '/api/v1/instances/',
	summary: 'List your instances: page by page, by a filter',
	query,
	same: {'query.filter': 'instances'},
	replies: {
		200: listReply(
			z.looseObject({
				...found,
				total_instances: z.optional(z.number()),
				/** Instances by label; those without a label under the empty text. */
				label_counts: z.nullish(z.record(z.string(), z.number())),
				next_token: z.nullish(z.string()),
			}),
			records,
		),
		...commonRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 1,
	unfit: 'badRequest',
});

/** Values that some instances share. */
const combination = z.looseObject({
	actual_status: z.nullish(z.string()),
	verification: z.nullish(z.string()),
	gpu_name: z.nullish(z.string()),
});

export type InstanceCombination = z.output<typeof combination>;

export const filters = endpoint({
	method: 'GET',
	path: '/api/v0/instances/filters/',
	summary: 'List what your instances can be filtered by',
	replies: {200: z.looseObject({filters: z.array(combination)}), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const show = endpoint({
	method: 'GET',
	path: '/api/v0/instances/{id}/',
	summary: 'Show one of your instances',
	params: pathWithId,
	// A reply that does not speak of it at all does not say that it is gone.
	same: {'params.id': 'instances.id'},
	replies: {200: z.looseObject({instances: z.nullable(instance)}), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 2,
});
