/** Messages of a payment service to a market, signed with a shared secret. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply} from '../grammar/errors.ts';
import {dollars, id, text} from '../grammar/values.ts';

/** Headers of a signed call: seconds since 1970, and `sha256=` with the HMAC in hexadecimal. */
export const signedBy = {
	time: 'x-payment-timestamp',
	signature: 'x-payment-signature-256',
} as const;

/** Signatures of other times are not taken: what was heard on the way is of no use later. */
export const SIGNED_SECONDS = 300;

export const receive = endpoint({
	method: 'POST',
	path: '/api/v0/payments/',
	summary: 'Tell of a payment: a payment service gives credit to who has paid',
	body: z.object({
		/** The service's own id of the payment: told again, it is not entered again. */
		id: text(128).check(z.minLength(1)),
		/** The account that is given credit. */
		user_id: id,
		/** Less than nothing for what was paid back. */
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
