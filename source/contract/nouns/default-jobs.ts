/** Default jobs, which a provider's machine runs on idle GPUs. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {recordRefusals} from '../grammar/errors.ts';
import {plainImageName} from '../rules/image-name.ts';
import {id, text, pathWithId} from '../grammar/values.ts';

const price = (least: number, most: number) =>
	z
		.number('must be a number of dollars')
		.check(
			z.minimum(least, `must be at least ${least}`),
			z.maximum(most, `must be at most ${most}`),
		);

const MOST_ARGUMENTS = 100;

const defaultJob = z.object({
	machine: id,
	/** The provider's bid in dollars per GPU-hour. It is never charged, and any renter outbids it. */
	price_gpu: price(0.001, 128),
	/** Dollars per GB, which other services require. The job's traffic is free. */
	price_inetu: z.nullish(price(0, 1000)),
	price_inetd: z.nullish(price(0, 1000)),
	image: text(1024).check(
		z.refine(name => plainImageName(name) !== undefined, 'must be the name of an image'),
	),
	/** Arguments of the image's start command. */
	args: z.nullish(
		z
			.array(text(4096), 'must be a list of texts')
			.check(z.maxLength(MOST_ARGUMENTS, `must have at most ${MOST_ARGUMENTS} arguments`)),
	),
});

export type DefaultJob = z.output<typeof defaultJob>;

const doneTo = z.looseObject({
	success: z.literal(true),
	machine_id: z.optional(id),
	user_id: z.optional(id),
});

export const setDefaultJob = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/create_bids/',
	summary: 'Set the job that a machine runs on its idle GPUs',
	body: defaultJob,
	same: {'body.machine': 'machine_id'},
	replies: {200: doneTo, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: 2.8,
});

export const deleteDefaultJob = endpoint({
	method: 'DELETE',
	path: '/api/v0/machines/{id}/defjob/',
	summary: 'Remove the job that a machine runs on its idle GPUs',
	params: pathWithId,
	same: {'params.id': 'machine_id'},
	replies: {200: doneTo, ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: 1.2,
});
