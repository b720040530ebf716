/**
 * A rent that was asked for, and what is known of it. It is noted before anything is sent, so that a lost
 * answer, or the end of the program, never leaves an instance that nobody knows of.
 */
import * as z from 'zod/mini';
import {agreedOrder} from './agreed-order.ts';

const maybe = <Of extends z.ZodMiniType>(schema: Of) => z.optional(schema);
const instant = z.number();
const ids = z.readonly(z.array(z.int()));

const state = z.discriminatedUnion('kind', [
	/** It is being sent, or the answer is awaited; or so it was when the program ended. */
	z.readonly(z.object({kind: z.literal('sent'), at: instant})),
	z.readonly(
		z.object({
			kind: z.literal('unknown'),
			at: instant,
			/** Instances of which one may be it. */
			candidates: ids,
		}),
	),
	z.readonly(
		z.object({
			kind: z.literal('not created'),
			at: instant,
			why: z.enum(['not found', 'never sent', 'refused']),
			/** The service's reply, or the reason why it could not be reached. */
			says: maybe(z.string()),
		}),
	),
	z.readonly(
		z.object({
			kind: z.literal('created'),
			at: instant,
			id: z.int(),
			/** The service's answer; our mark on the instance; or the list, compared with the one before. */
			proof: z.enum(['answer', 'mark', 'comparison']),
		}),
	),
]);

/** Times are milliseconds since 1970. */
export type RentState = z.output<typeof state>;

const pending = z.readonly(
	z.object({
		/** Ours alone: it marks the instance. */
		token: z.string(),
		service: z.string(),
		/** Profile of the key it is sent with: another key may see other instances. */
		profile: z.string(),
		offerId: z.int(),
		machineId: maybe(z.int()),
		gpus: maybe(z.int()),
		label: maybe(z.string()),
		/** Dollars an hour that were shown or bid. */
		price: maybe(z.number()),
		/** Undefined for an instance that is compared with no order. */
		agreed: z.catch(maybe(agreedOrder), undefined),
		notedAt: instant,
		/** The process that sends it. */
		owner: z.int(),
		/** The instances that there were before; undefined where they could not be listed. */
		before: maybe(ids),
		state,
	}),
);

export type PendingRent = z.output<typeof pending>;

export function readPendingRent(value: unknown): PendingRent | undefined {
	const read = z.safeParse(pending, value);
	return read.success ? read.data : undefined;
}

/** Certainty of a state. A certain state is never replaced by a less certain one. */
function certainty(of: RentState): number {
	if (of.kind !== 'not created') return {sent: 1, unknown: 2, created: 5}[of.kind];
	return of.why === 'not found' ? 3 : 4;
}

/**
 * A pending rent of which something more is learned. Several processes may learn of it in any order: what
 * is left is what says the most.
 */
export function learn(known: PendingRent, next: RentState): PendingRent {
	const isMore = certainty(next) > certainty(known.state);
	const isNewer = next.kind === 'unknown' && known.state.kind === 'unknown';
	if (!isMore && !isNewer) return known;
	// What there was before serves to look for it, and nothing else.
	if (certainty(next) > 3) return {...known, before: undefined, state: next};
	return {...known, state: next};
}

/** True until its outcome is known. */
export function isOpen({state: {kind}}: PendingRent): boolean {
	return kind === 'sent' || kind === 'unknown';
}

/**
 * True if a late request could still create the instance: it was not found, and was sent not long
 * ago.
 */
export function isDoubtful({state: known}: PendingRent, now: number): boolean {
	return known.kind === 'not created' && known.why === 'not found' && now - known.at < LATE_MS;
}

/** Whatever holds a request back gives it up within that time. */
const LATE_MS = 60 * 60 * 1000;
