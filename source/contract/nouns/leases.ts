/** Leases, by which the market ends an instance by itself. Other services do not have them. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply, recordRefusals} from '../grammar/errors.ts';
import {pathWithId} from '../grammar/values.ts';

/** Seconds between stopping and destroying, for a lease that does both. */
export const STOPPED_SECONDS = 3600;

const fields = {
	/** The deadline: seconds since 1970 on the market's clock. */
	ends_at: z.nullish(
		z.number('must be seconds since 1970').check(z.positive('must be after 1970')),
	),
	/** The most dollars that the instance may cost, with its disk and traffic. */
	max_cost: z.nullish(
		z
			.number('must be a number of dollars')
			.check(
				z.positive('must be more than 0'),
				z.maximum(1e9, 'must be at most a billion dollars'),
			),
	),
	/** Stop the instance, destroy it, or stop it and destroy it an hour later. */
	action: z.nullish(
		z.enum(['stop', 'destroy', 'stop-destroy'], "must be 'stop', 'destroy' or 'stop-destroy'"),
	),
	/** Delay of the end, for the renter to save results. */
	grace_seconds: z.nullish(
		z
			.number('must be a number of seconds')
			.check(z.minimum(0, 'must be at least 0'), z.maximum(604_800, 'must be at most a week')),
	),
	/** True if only the deadline ends the lease, not `max_cost`. */
	keep: z.nullish(z.boolean('must be true or false')),
};

/** Request for a lease. Defaults: destroy, no grace period, `keep` off. */
export const leaseOrder = z
	.object(fields)
	.check(
		z.refine(
			({ends_at, max_cost}) => (ends_at ?? max_cost ?? undefined) !== undefined,
			'ends_at or max_cost must be given',
		),
	);

export type LeaseOrder = z.output<typeof leaseOrder>;

export class LeaseError extends Error {
	override readonly name = 'LeaseError';
}

/** @throws LeaseError */
export function readLease(value: unknown): LeaseOrder | undefined {
	if (value === undefined || value === null) return undefined;
	const read = leaseOrder.safeParse(value);
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	throw new LeaseError(['lease', ...(issue?.path ?? []), issue?.message].map(String).join(' '));
}

export const leaseRecord = z.looseObject(fields);

export type LeaseRecord = z.output<typeof leaseRecord>;

export const setLease = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/{id}/lease/',
	summary: 'Have the market stop or destroy an instance at a deadline or a cost',
	params: pathWithId,
	body: leaseOrder,
	replies: {
		200: z.looseObject({success: z.boolean(), lease: leaseRecord}),
		...commonRefusals,
		404: refusalReply,
	},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
	extension: true,
});

export const removeLease = endpoint({
	method: 'DELETE',
	path: '/api/v0/instances/{id}/lease/',
	summary: 'Let an instance go on without an end',
	params: pathWithId,
	replies: {200: z.looseObject({success: z.boolean()}), ...recordRefusals},
	failsAs200: true,
	permission: 'instance_write',
	thresholdSeconds: 1,
	extension: true,
	countedAs: 'PUT /api/v0/instances/{id}/lease/',
});
