import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals} from '../grammar/errors.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {dollars, id} from '../grammar/values.ts';

/** The account that an API key belongs to. */
export const account = tolerant(
	{id},
	{
		/** The id of the key that asks. */
		key_id: id,
		email: z.string(),
		username: z.string(),
		fullname: z.string(),
		/** Spendable money. */
		credit: dollars,
		/** Balance of the ledger. */
		balance: dollars,
		ssh_key: z.string(),
		can_pay: z.boolean(),
		has_billing: z.boolean(),
		/** Number of the server, where a service has several. */
		sid: z.string(),
		/** Two-step sign-in: there is none. */
		tfa_status: z.string(),
	},
);

export type Account = z.output<typeof account>;

export const current = endpoint({
	method: 'GET',
	path: '/api/v0/users/current/',
	summary: 'Show the account',
	replies: {200: account, ...commonRefusals},
	permission: 'user_read',
	thresholdSeconds: undefined,
});
