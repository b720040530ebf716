/** Accounts that people open and change themselves, subaccounts, and transfers. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {dollars, id, text, done} from '../grammar/values.ts';

export const create = endpoint({
	method: 'POST',
	path: '/api/v0/users/',
	summary: 'Open an account, or one within the account that calls; its key is shown once',
	makes: ['subaccount', 'sshKey'],
	body: z.object({
		email: z.nullish(text(255)),
		username: z.nullish(text(64)),
		password: z.nullish(text(256)),
		/** True for an account that offers machines and rents none. */
		host_only: z.nullish(z.boolean()),
		/** `me` for a subaccount of the caller. */
		parent_id: z.nullish(z.union([z.literal('me'), id])),
		ssh_key: z.nullish(text(4096)),
		/** Token of an invitation, if the market needs one. */
		captcha: z.nullish(text(256)),
		invitation: z.nullish(text(256)),
	}),
	replies: {
		200: z.looseObject({
			id,
			username: z.string(),
			email: z.string(),
			key_id: id,
			api_key: z.string(),
		}),
		...commonRefusals,
		409: refusalReply,
	},
	permission: 'user_write',
	keyless: true,
	thresholdSeconds: 3,
	unfit: 'badRequest',
});

/**
 * Facts that are stored and shown. `balance_threshold` is the limit of low credit; the others have
 * no effect here.
 */
export const detailNames = [
	'paypal_email',
	'wise_email',
	'normalized_email',
	'billaddress_line1',
	'billaddress_line2',
	'billaddress_city',
	'billaddress_zip',
	'billaddress_country',
	'billaddress_taxinfo',
	'phone_number',
	'balance_threshold_enabled',
	'balance_threshold',
	'autobill_threshold',
] as const;

export function isNumeric(name: string): boolean {
	return name === 'balance_threshold' || name === 'autobill_threshold';
}

/** False for a value that turns something off. */
export function isOn(fact: string): boolean {
	return !/^(?:false|0)$/i.test(fact);
}

export const change = endpoint({
	method: 'PUT',
	path: '/api/v0/users/',
	summary: 'Change what the account says of its owner',
	makes: ['sshKey'],
	// Unknown permissions are refused by name.
	body: z.record(z.string(), z.unknown()),
	replies: {200: done, ...commonRefusals, 409: refusalReply},
	permission: 'user_write',
	thresholdSeconds: 5,
});

const subaccount = tolerant(
	{id},
	{
		parent_id: id,
		key_id: id,
		email: z.string(),
		username: z.string(),
		fullname: z.string(),
		credit: dollars,
		balance: dollars,
		created_at: z.string(),
		deleted_at: z.string(),
	},
);

export const subaccounts = endpoint({
	method: 'GET',
	path: '/api/v0/subaccounts/',
	summary: 'List the accounts within the account',
	replies: {
		200: listReply(z.looseObject({users: z.array(subaccount)}), {
			name: 'users',
			record: subaccount,
			hasIds: true,
		}),
		...commonRefusals,
	},
	permission: 'user_read',
	thresholdSeconds: 2.1,
});

export const transfer = endpoint({
	method: 'PUT',
	path: '/api/v0/commands/transfer_credit/',
	summary: 'Give credit to another account; it cannot be taken back',
	body: z.object({
		/** Id of an account, or its email: a confirmed one, or that of an own subaccount. */
		recipient: z.union([text(64), id]),
		amount: z.union([dollars, text(20)]),
	}),
	replies: {200: done, ...commonRefusals},
	permission: 'billing_write',
	thresholdSeconds: 2.5,
});
