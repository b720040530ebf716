/** Room for volumes, as providers offer it on their machines. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {recordRefusals} from '../grammar/errors.ts';
import {dollarsPerGbMonth, gigabytes, id, instant} from '../grammar/values.ts';
import {whole} from './volumes.ts';

const machineIds = z.union([id, z.array(id).check(z.minLength(1), z.maxLength(100))]);

export const offerRoom = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/',
	summary: 'Offer room for volumes on machines that are listed; on all that are named, or on none',
	body: z.object({
		machine: z.codec(machineIds, z.array(id), {
			decode: value => (typeof value === 'number' ? [value] : value),
			encode: value => value,
		}),
		size: z.nullish(whole(1, 'must be a whole number of at least 1 (GB)')),
		/** Dollars per GB and month. */
		price_disk: z.nullish(z.number().check(z.minimum(0), z.maximum(1000))),
		/** Taken as it is sent: room ends with what else is offered of its machine. */
		end_date: z.nullish(instant),
	}),
	same: {'body.machine': 'volume_offers.machine_id'},
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			msg: z.optional(z.string()),
			volume_offers: z.array(
				z.looseObject({
					id,
					machine_id: id,
					size: gigabytes,
					price_disk: dollarsPerGbMonth,
					end_date: z.nullable(instant),
				}),
			),
		}),
		...recordRefusals,
	},
	permission: 'machine_write',
	thresholdSeconds: 5,
});

export const unlistRoom = endpoint({
	method: 'POST',
	path: '/api/v0/volumes/unlist/',
	summary: 'Offer room for volumes no longer; volumes that are there stay',
	body: z.object({
		id: whole(0, 'You must pass in `id` in the body of the request'),
	}),
	replies: {
		200: z.looseObject({success: z.literal(true), msg: z.optional(z.string())}),
		...recordRefusals,
	},
	permission: 'machine_write',
	thresholdSeconds: 5,
});
