/** Earnings of providers, by machine and by day. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {dollars, id, pathUser} from '../grammar/values.ts';

/** A number in a query; the text `null` is none. */
const figure = z.optional(
	z.codec(
		z.string().check(z.regex(/^(?:null|\d{1,9}(?:\.\d{1,12})?)$/, 'must be a number')),
		z.nullable(z.number()),
		{decode: line => (line === 'null' ? null : Number(line)), encode: String},
	),
);

const earned = {gpu_earn: dollars, sto_earn: dollars, bwu_earn: dollars, bwd_earn: dollars};

const perMachine = z.looseObject({machine_id: id, ...earned});
const perDay = z.looseObject({day: z.int(), ...earned});

export const earnings = endpoint({
	method: 'GET',
	path: '/api/v0/users/{user_id}/machine-earnings/',
	summary: 'Show what machines earn: by machine, by day, and what is not paid out',
	params: pathUser,
	query: z.object({
		/** Days since 1970 in UTC, both among them. */
		sday: figure,
		eday: figure,
		/** Today and the days before; the last 30 where nothing is said. */
		last_days: figure,
		machid: figure,
	}),
	same: {'query.machid': 'per_machine.machine_id'},
	replies: {
		200: z.looseObject({
			summary: z.looseObject({
				total_gpu: dollars,
				total_stor: dollars,
				total_bwu: dollars,
				total_bwd: dollars,
			}),
			/** Before the market's share, that share, what is left, and what can be spent. */
			current: z.looseObject({
				balance: dollars,
				service_fee: dollars,
				total: dollars,
				credit: dollars,
			}),
			per_machine: z.array(perMachine),
			per_day: z.array(perDay),
		}),
		...commonRefusals,
	},
	permission: 'billing_read',
	thresholdSeconds: 2,
});
