/** The account of an API key, its changes and callers, and signed messages of a payment service. */
import * as z from 'zod/mini';
import {cap, capUse} from '../grammar/caps.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply} from '../grammar/errors.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {dollars, id, figure, instant, pathUser, text} from '../grammar/values.ts';
import {readNumber} from '../grammar/filter.ts';
import {bareList, listReply} from '../grammar/list-reply.ts';

export const account = tolerant(
	{id},
	{
		/** The id of the key that asks. */
		key_id: id,
		/** The cap of that key, and its use; none for a key without a cap. */
		key_cap: cap,
		key_cap_used: capUse,
		email: z.string(),
		username: z.string(),
		fullname: z.string(),
		/** Spendable money. */
		credit: dollars,
		balance: dollars,
		ssh_key: z.string(),
		can_pay: z.boolean(),
		has_billing: z.boolean(),
		/** Number of the server, for services with several. */
		sid: z.string(),
		/** Two-step sign-in, which no account has. */
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

const change = tolerant(
	{id},
	{
		/** Account that made the change, or the member of a team. */
		user_id: id,
		api_key_id: id,
		/** Address of the caller; none for a scheduled call, which the market made itself. */
		ip_address: z.string(),
		created_at: instant,
		/** Method and path. */
		api_route: z.string(),
		/** JSON of the arguments, without possible secrets. */
		args: z.string(),
		status: figure,
	},
);

export type AccountChange = z.output<typeof change>;

/** The most changes in a reply, and the most that an account keeps, and of refused ones. */
export const MOST_CHANGES = 1000;
export const KEPT_CHANGES = 10_000;
export const KEPT_REFUSED = 1000;
export const HISTORY_DAYS = 90;

export const changes = endpoint({
	method: 'GET',
	path: '/api/v0/audit_logs/',
	summary: 'List the changes that the keys of the account made, the newest first',
	query: z.object({
		/** Id of the change at which the list ends: the reply has older ones. */
		before: z.optional(
			z.codec(z.string(), z.number('must be a number'), {
				decode: value => readNumber(value) ?? Number.NaN,
				encode: String,
			}),
		),
	}),
	replies: {200: bareList('changes', change, {hasIds: true}), ...commonRefusals},
	permission: 'user_read',
	thresholdSeconds: 1,
});

const address = tolerant(
	{id},
	{
		user_id: id,
		ip_address: z.string(),
		/** `ip_address` again, for clients that read this name. */
		ip: z.string(),
		timestamp: z.string(),
		first_seen: z.string(),
		first_location: z.string(),
		last_seen: z.string(),
	},
);

export type CallerAddress = z.output<typeof address>;

export const addresses = endpoint({
	method: 'GET',
	path: '/api/v0/users/{user_id}/ipaddrs/',
	summary: 'List the addresses that the keys of the account called from, the newest first',
	params: pathUser,
	same: {'params.user_id': 'results.user_id'},
	replies: {
		200: listReply(z.looseObject({success: z.optional(z.boolean()), results: z.array(address)}), {
			name: 'results',
			record: address,
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 2.9,
});

/** Headers of a signed call: seconds since 1970, and `sha256=` with the HMAC in hexadecimal. */
export const signedBy = {
	time: 'x-payment-timestamp',
	signature: 'x-payment-signature-256',
} as const;

/** Most seconds between a signature's time and now, so that a recorded call cannot be replayed. */
export const SIGNED_SECONDS = 300;

export const receive = endpoint({
	method: 'POST',
	path: '/api/v0/payments/',
	summary: 'Tell of a payment: a payment service gives credit to who has paid',
	body: z.object({
		/** The payment service's id of the payment, which makes the call idempotent. */
		id: text(128).check(z.minLength(1)),
		/** The account that receives credit. */
		user_id: id,
		/** Negative for a refund. */
		amount: dollars.check(z.minimum(-1e9), z.maximum(1e9)),
		currency: z.literal('usd'),
		description: z.optional(text(255)),
	}),
	replies: {
		200: z.looseObject({success: z.literal(true), entered: z.boolean()}),
		...commonRefusals,
		404: refusalReply,
	},
	permission: undefined,
	thresholdSeconds: undefined,
	extension: true,
	signed: true,
});
