/** Actions on instances: starting, stopping, labelling, bidding, recreating, destroying. */
import * as z from 'zod/mini';
import {dependentBody} from '../grammar/tolerant.ts';
import {OrderError, readRemake, type Remake} from './creation-request.ts';
import {endpoint, LONG_BODY_BYTES} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {dollars, figure, id, pathId, text, pathWithId} from '../grammar/values.ts';

/** The most characters of a label. The refusal of a longer one has its own reason. */
export const LONGEST_LABEL = 1024;

export const MOST_INSTANCES = 1000;

/** Dollars an hour. */
export const LEAST_BID = 0.001;
export const MOST_BID_PER_GPU = 32;

const wantedState = z.enum(['running', 'stopped'], "must be 'running' or 'stopped'");

export type WantedState = z.output<typeof wantedState>;

const changes = z
	.object({state: z.nullish(wantedState), label: z.nullish(text(Number.MAX_SAFE_INTEGER))})
	.check(
		z.refine(
			({state, label}) => (state ?? label ?? undefined) !== undefined,
			'state or label must be given',
		),
	);

/** Instance ids, which some clients write as text. */
const ids = z
	.array(z.union([id, pathId], 'must be a whole number'), 'must be a list of instance ids')
	.check(z.maxLength(MOST_INSTANCES, `has at most ${MOST_INSTANCES} ids`));

const said = {success: z.boolean(), msg: z.nullish(z.string()), error: z.nullish(z.string())};

/**
 * Reply to a change; `success` is also false, with `msg`, if an instance has to wait for its GPUs.
 */
const done = z.looseObject(said);

const doneToMany = z.looseObject({
	...said,
	/** Instances that wait for their GPUs. */
	queued: z.nullish(z.array(id)),
	/** Instances that cannot be started because their rental has ended. */
	ended: z.nullish(z.array(id)),
});

export const change = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/{id}/',
	summary: 'Start, stop or label an instance',
	params: pathWithId,
	body: changes,
	replies: {200: done, ...recordRefusals},
	permission: 'instance_write',
	thresholdSeconds: 1,
});

export const changeMany = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/',
	summary: 'Start or stop several instances',
	body: z.object({state: wantedState, ids}),
	replies: {200: doneToMany, ...commonRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
	countedAs: 'PUT /api/v0/instances/{id}/',
});

export const startMany = endpoint({
	method: 'POST',
	path: '/api/v0/instances/start/',
	summary: 'Start several instances',
	body: z.object({IDs: ids}),
	replies: {200: doneToMany, ...commonRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 2,
	countedAs: 'PUT /api/v0/instances/{id}/',
});

export const destroy = endpoint({
	method: 'DELETE',
	path: '/api/v0/instances/{id}/',
	summary: 'Destroy an instance and what is on its disk',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 3,
});

export const destroyMany = endpoint({
	method: 'DELETE',
	path: '/api/v0/instances/',
	summary: 'Destroy several instances; those that are not there are passed over',
	body: z.object({instance_ids: ids}),
	replies: {200: done, ...commonRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 3,
	countedAs: 'DELETE /api/v0/instances/{id}/',
});

export const reboot = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/reboot/{id}/',
	summary: 'Stop and start the container of an instance, which keeps its GPUs',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
});

export const recycle = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/recycle/{id}/',
	summary: 'Make the container of an instance anew from its image',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
});

const remake = dependentBody<Remake>({
	read: readRemake,
	write: ({templateId, templateHash, env, arguments: words, ...same}) => ({
		...same,
		...(templateId !== undefined && {template_id: templateId}),
		...(templateHash !== undefined && {template_hash_id: templateHash}),
		...(env && {env: Object.fromEntries(env)}),
		...(words && {args: 'text' in words ? words.text : words.list}),
	}),
	takes: {
		template_id: z.nullish(id),
		template_hash_id: z.nullish(z.string()),
		image: z.nullish(z.string()),
		args: z.nullish(z.union([z.array(z.string()), z.string()])),
		env: z.nullish(z.union([z.string(), z.record(z.string(), z.unknown())])),
		onstart: z.nullish(z.string()),
	},
	throws: [OrderError],
});

/** Rebuild: missing fields come from the template; without a template they keep their values. */
export const rebuild = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/update_template/{id}/',
	summary: 'Make an instance anew from another template or image',
	params: pathWithId,
	body: remake,
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
	mostBytes: LONG_BODY_BYTES,
});

export const changeBid = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/bid_price/{id}/',
	summary: 'Change what is bid for an instance',
	params: pathWithId,
	/** Dollars an hour; without it, the least bid with which the instance runs. */
	body: z.object({price: z.nullish(z.number('must be a number of dollars an hour'))}),
	replies: {200: done, ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 5.5,
});

export const prepay = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/prepay/{id}/',
	summary: 'Pay for an instance in advance, at a discount',
	params: pathWithId,
	body: z.object({
		amount: z.number('must be a number of dollars').check(z.positive('must be more than 0')),
	}),
	replies: {
		200: z.looseObject({
			...said,
			/** Number of months paid. */
			timescale: z.nullish(figure),
			/** Discount: a share between 0 and 0.4. */
			discount_rate: z.nullish(figure),
		}),
		...recordRefusals,
	},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 2,
});

export const deposit = endpoint({
	method: 'GET',
	path: '/api/v0/instances/balance/{id}/',
	summary: 'Show what is paid in advance for an instance',
	params: pathWithId,
	replies: {
		200: z.looseObject({
			success: z.nullish(z.boolean()),
			refundable_deposit: dollars,
			total_discount: dollars,
			/** Months for which it was paid ahead. */
			discount_months: figure,
		}),
		...recordRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 3,
});
