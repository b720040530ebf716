/** Calls of whoever runs the market about machines: what they have proven, and the operator's word on it. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, id, instant, pathId, share, text, pathWithId} from '../grammar/values.ts';

const done = z.looseObject({success: z.literal(true), msg: z.string()});
const shared = {permission: 'operator', thresholdSeconds: undefined, extension: true} as const;

/** A machine, as operators see it. */
const operatedMachine = tolerant(
	{id},
	{
		account_id: id,
		name: z.string(),
		num_gpus: amount,
		listed: z.boolean(),
		verification: z.string(),
		reliability: share,
		/** Reason why nobody can rent it until it passes its test; null where there is none. */
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
		/** The last machine of the page before. */
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

/** Marks, the last of which stands, by whom, and why. */
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
		/** `tested` leaves it to tests again, and it is unverified until it passes one. */
		verification: z.optional(z.enum(verdicts)),
		quarantined: z.optional(z.boolean()),
		why: z._default(text(255), ''),
	}),
	replies: {200: done, ...recordRefusals},
	...shared,
});
