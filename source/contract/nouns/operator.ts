/**
 * Operators' calls, with a key of an operator's account: accounts, their keys and credit,
 * invitations, and the market's own money. Other services do not have these calls.
 */
import * as z from 'zod/mini';
import {apiKey} from './api-keys.ts';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, dollars, id, instant, pathId, text, pathWithId, share} from '../grammar/values.ts';

export const accountKinds = ['renter', 'provider', 'both', 'operator'] as const;

/** Email of an account, in lower case. */
export const email = text(64).check(
	z.regex(/^[\w.%+-]+@[a-z\d.-]+\.[a-z]{2,}$/i, 'must be an email address'),
);

const operatedAccount = tolerant(
	{id},
	{
		kind: z.string(),
		email: z.string(),
		username: z.string(),
		/** Parent of a subaccount, or owner of a team. */
		parent_id: id,
		created_at: instant,
		closed_at: instant,
		/** Credit to rent with, less charges so far. */
		credit: dollars,
		/** Earnings of days that are over, not paid out. */
		earnings: dollars,
		keys: amount,
	},
);

export type OperatedAccount = z.output<typeof operatedAccount>;

const done = z.looseObject({success: z.literal(true), msg: z.string()});
const newKey = {key_id: id, api_key: z.string()};
const shared = {permission: 'operator', thresholdSeconds: undefined, extension: true} as const;
const payment = {
	amount: dollars.check(z.minimum(-1e9), z.maximum(1e9)),
	description: z.optional(text(255)),
};

export const accounts = endpoint({
	method: 'GET',
	path: '/api/v0/operator/accounts/',
	summary: 'List the accounts of the market, a thousand at a time',
	query: z.object({
		/** The last account of the previous page. */
		after: z.optional(pathId),
	}),
	replies: {
		200: listReply(
			z.looseObject({accounts: z.array(operatedAccount), next_after: z.nullable(id)}),
			{name: 'accounts', record: operatedAccount, hasIds: true},
		),
		...commonRefusals,
	},
	...shared,
});

export const addAccount = endpoint({
	method: 'POST',
	path: '/api/v0/operator/accounts/',
	summary: 'Open an account; its key is shown once',
	body: z.object({
		kind: z._default(z.enum(accountKinds), 'both'),
		email: z.optional(email),
		username: z.optional(text(64).check(z.minLength(1))),
	}),
	replies: {200: z.looseObject({success: z.literal(true), id, ...newKey}), ...commonRefusals},
	...shared,
});

export const closeAccount = endpoint({
	method: 'DELETE',
	path: '/api/v0/operator/accounts/{id}/',
	summary: 'Close an account that has nothing left: its keys end',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	...shared,
});

export const giveCredit = endpoint({
	method: 'POST',
	path: '/api/v0/operator/accounts/{id}/credit/',
	summary: 'Give credit to an account, or take it back',
	params: pathWithId,
	body: z.object({
		...payment,
		/** Name of the payment, which makes the call idempotent. */
		reference: z.optional(text(128).check(z.minLength(1))),
	}),
	replies: {
		200: z.looseObject({success: z.literal(true), entered: z.boolean(), credit: dollars}),
		...recordRefusals,
	},
	...shared,
});

export const payOut = endpoint({
	method: 'POST',
	path: '/api/v0/operator/accounts/{id}/payouts/',
	summary: 'Record that earnings were paid out, or make credit of them',
	params: pathWithId,
	body: z.object({...payment, to_credit: z._default(z.boolean(), false)}),
	replies: {200: z.looseObject({success: z.literal(true), earnings: dollars}), ...recordRefusals},
	...shared,
});

export const keys = endpoint({
	method: 'GET',
	path: '/api/v0/operator/accounts/{id}/keys/',
	summary: 'List the API keys of an account',
	params: pathWithId,
	replies: {
		200: listReply(z.looseObject({apikeys: z.array(apiKey)}), {
			name: 'apikeys',
			record: apiKey,
			hasIds: true,
		}),
		...recordRefusals,
	},
	...shared,
});

export const addKey = endpoint({
	method: 'POST',
	path: '/api/v0/operator/accounts/{id}/keys/',
	summary: 'Make an API key for an account; it is shown once',
	params: pathWithId,
	body: z.object({name: z._default(text(255), '')}),
	replies: {200: z.looseObject({success: z.literal(true), ...newKey}), ...recordRefusals},
	...shared,
});

export const deleteKey = endpoint({
	method: 'DELETE',
	path: '/api/v0/operator/accounts/{id}/keys/{key_id}/',
	summary: 'End an API key of an account',
	params: z.object({id: pathId, key_id: pathId}),
	replies: {200: done, ...recordRefusals},
	...shared,
});

/** Days for which an invitation to the market is valid by default. */
const INVITED_DAYS = 7;

export const invite = endpoint({
	method: 'POST',
	path: '/api/v0/operator/invitations/',
	summary: 'Invite somebody to open an account; the word for it is shown once',
	body: z.object({
		/** The only email that may use the invitation. */
		email: z.optional(email),
		kind: z.optional(z.enum(['renter', 'provider', 'both'])),
		days: z._default(z.int().check(z.minimum(1), z.maximum(365)), INVITED_DAYS),
	}),
	replies: {
		200: z.looseObject({success: z.literal(true), token: z.string(), expires_at: instant}),
		...commonRefusals,
	},
	...shared,
});

export const balance = endpoint({
	method: 'GET',
	path: '/api/v0/operator/balance/',
	summary: 'Show what the market has, and what it owes',
	replies: {
		200: z.looseObject({
			/** The market's share of the days that are over. */
			share: dollars,
			/** Money from outside, less payouts. */
			received: dollars,
			/**
			 * Credit of all accounts, earnings of all providers, and charges of days that are not
			 * over.
			 */
			credit: dollars,
			earnings: dollars,
			/** Debt of renters, which no provider has earned yet. */
			unpaid: dollars,
			/** Money paid ahead for instances. */
			deposits: dollars,
			open: dollars,
		}),
		...commonRefusals,
	},
	...shared,
});

const operatedMachine = tolerant(
	{id},
	{
		account_id: id,
		name: z.string(),
		num_gpus: amount,
		listed: z.boolean(),
		verification: z.string(),
		reliability: share,
		/** Reason why the machine cannot be rented until it passes its test; null for none. */
		quarantine: z.string(),
		heard_at: instant,
	},
);

export type OperatedMachine = z.output<typeof operatedMachine>;

export const machines = endpoint({
	method: 'GET',
	path: '/api/v0/operator/machines/',
	summary: 'List the machines of all providers with their marks, a thousand at a time',
	query: z.object({
		/** The last machine of the previous page. */
		after: z.optional(pathId),
	}),
	replies: {
		200: listReply(
			z.looseObject({machines: z.array(operatedMachine), next_after: z.nullable(id)}),
			{name: 'machines', record: operatedMachine, hasIds: true},
		),
		...commonRefusals,
	},
	...shared,
});

/** Marks with their author and reason; the last one counts. */
const mark = z.looseObject({at: instant, mark: z.string(), said_by: z.string(), why: z.string()});
/** Reliability at the end of a day since 1970, and its parts. */
const conduct = z.looseObject({
	day: z.int(),
	reliability: share,
	due_seconds: z.number(),
	silent_seconds: z.number(),
	rentals: amount,
	failed: amount,
});

export const machine = endpoint({
	method: 'GET',
	path: '/api/v0/operator/machines/{id}/',
	summary: 'Show what a machine has proven: its marks, and its reliability by day',
	params: pathWithId,
	same: {'params.id': 'id'},
	replies: {
		200: z.looseObject({
			id,
			verification: z.string(),
			quarantine: z.nullable(z.string()),
			marks: z.array(mark),
			days: z.array(conduct),
		}),
		...recordRefusals,
	},
	...shared,
});

export const verdicts = ['verified', 'unverified', 'deverified', 'tested'] as const;

export const markMachine = endpoint({
	method: 'PUT',
	path: '/api/v0/operator/machines/{id}/',
	summary:
		'Overrule the tests of a machine, or leave it to them again; quarantine it, or let it go',
	params: pathWithId,
	body: z.object({
		/** `tested` leaves verification to tests: the machine is unverified until it passes one. */
		verification: z.optional(z.enum(verdicts)),
		quarantined: z.optional(z.boolean()),
		why: z._default(text(255), ''),
	}),
	replies: {200: done, ...recordRefusals},
	...shared,
});
