/** Price increases of machines, which wait for the answers of the machines' renters. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, dollarsPerGb, figure, id, instant} from '../grammar/values.ts';

/** Price increase; an unchanged price has null as its new one. */
const increase = tolerant(
	{pending_price_increase_id: id, contract_id: id},
	{
		host_id: id,
		machine_id: id,
		/** Dollars per GPU and second, per GB of disk and second, and per GB out and in. */
		new_gpu_costpersec: figure,
		old_gpu_costpersec: figure,
		new_disk_ram_costpersec: figure,
		old_disk_ram_costpersec: figure,
		new_bwu_cost: dollarsPerGb,
		old_bwu_cost: dollarsPerGb,
		new_bwd_cost: dollarsPerGb,
		old_bwd_cost: dollarsPerGb,
		new_platform_fee: figure,
		old_platform_fee: figure,
		contract_end_date: instant,
		/** End of the contract if the increase is accepted. */
		ask_end_date: instant,
		created_at: instant,
	},
);

export type PriceIncrease = z.output<typeof increase>;

export const priceIncreases = endpoint({
	method: 'GET',
	path: '/api/v0/instances/pending-price-increases/',
	summary: 'List the price increases that wait for an answer',
	replies: {
		200: listReply(
			z.looseObject({
				success: z.optional(z.boolean()),
				count: z.optional(amount),
				truncated: z.optional(z.boolean()),
				pending_price_increases: z.array(increase),
			}),
			{name: 'pending_price_increases', record: increase},
		),
		...commonRefusals,
	},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

const answering = {
	body: z.strictObject({pending_price_increase_id: id}),
	same: {'body.pending_price_increase_id': 'pending_price_increase_id'},
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			pending_price_increase_id: id,
			contract_id: id,
		}),
		...commonRefusals,
		404: refusalReply,
	},
	permission: 'instance_write',
	thresholdSeconds: 1,
} as const;

export const acceptPriceIncrease = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/accept-price-increase/',
	summary: 'Accept a price increase: it holds from the present end on, and the rental goes on',
	...answering,
});

export const rejectPriceIncrease = endpoint({
	method: 'PUT',
	path: '/api/v0/instances/reject-price-increase/',
	summary: 'Reject a price increase: the rental ends at its present end, at its price',
	...answering,
});
