/**
 * A requested rent, and its state as far as known. It is written to the file before anything is
 * sent, so that a lost reply, or the end of the program, never leaves an unknown instance.
 */
import * as z from 'zod/mini';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {HOUR_MS} from '../../contract/rules/durations.ts';

/**
 * Schema of an optional field: an unreadable value counts as not agreed, and must not hide the
 * pending rent.
 */
const maybe = <Of extends z.ZodMiniType>(schema: Of) => z.catch(z.optional(schema), undefined);
const figure = z.number();

const agreedOrder = z.readonly(
	z.object({
		gpuName: maybe(z.string()),
		gpus: maybe(figure),
		diskGb: maybe(figure),
		/** Dollars an hour with the disk, without traffic. */
		perHour: maybe(figure),
		/** Dollars a GB of disk and month. */
		storageRate: maybe(figure),
		/** Dollars a GB of traffic. */
		uploadRate: maybe(figure),
		downloadRate: maybe(figure),
		pricing: maybe(z.enum(['on-demand', 'bid'])),
		image: maybe(z.string()),
		label: maybe(z.string()),
		templateHash: maybe(z.string()),
		/** Ports of the container to be reachable from outside, such as `22/tcp`. */
		ports: maybe(z.readonly(z.array(z.string()))),
	}),
);

/**
 * An order with the price and the GPUs that its offer showed, for comparison by any program. A
 * missing field was not agreed, and is not compared.
 */
export type AgreedOrder = z.output<typeof agreedOrder>;

const instant = z.number();
const ids = z.readonly(z.array(z.int()));

const rentState = z.discriminatedUnion('kind', [
	/** The rent is being sent or its answer awaited, or was when the program ended. */
	z.readonly(z.object({kind: z.literal('sent'), at: instant})),
	z.readonly(
		z.object({
			kind: z.literal('unknown'),
			at: instant,
			candidates: ids,
		}),
	),
	z.readonly(
		z.object({
			kind: z.literal('not created'),
			at: instant,
			why: z.enum(['not found', 'never sent', 'refused']),
			/** The service's reply, or the reason why it could not be reached. */
			says: z.optional(z.string()),
		}),
	),
	z.readonly(
		z.object({
			kind: z.literal('created'),
			at: instant,
			id: z.int(),
			/**
			 * The service's reply; our mark on the instance; or a comparison with the previous
			 * list.
			 */
			proof: z.enum(['answer', 'mark', 'comparison']),
		}),
	),
]);

/** Times are milliseconds since 1970. */
export type RentState = z.output<typeof rentState>;

const pendingRent = z.readonly(
	z.object({
		/** Mark of the instance, made for this rent alone. */
		token: z.string(),
		service: z.string(),
		/** Profile of the key that sends the rent: another key may see other instances. */
		profile: z.string(),
		offerId: z.int(),
		machineId: z.optional(z.int()),
		gpus: z.optional(z.int()),
		label: z.optional(z.string()),
		/** Price shown or bid, in dollars an hour. */
		price: z.optional(z.number()),
		/** Undefined for an instance without a comparison. */
		agreed: z.catch(z.optional(agreedOrder), undefined),
		notedAt: instant,
		/** Time of sending, on the service's clock; absent in older versions. */
		sentAt: maybe(instant),
		/** Id of the process that sends the rent. */
		owner: z.int(),
		/** Instances from before the rent; undefined if they could not be listed. */
		before: z.optional(ids),
		/** Instances from before in an incomplete list. */
		known: maybe(ids),
		/** False until its outcome was reported; absent in older versions. */
		isTold: z.catch(z.optional(z.union([z.boolean(), z.literal('on screen')])), undefined),
		state: rentState,
	}),
);

export type PendingRent = z.output<typeof pendingRent>;

export function readPendingRent(value: unknown): PendingRent | undefined {
	const read = z.safeParse(pendingRent, value);
	return read.success ? read.data : undefined;
}

/** Certainty of a state. A certain state is never replaced by a less certain one. */
function certainty(of: RentState): number {
	if (of.kind !== 'not created') return {sent: 1, unknown: 2, created: 5}[of.kind];
	return of.why === 'not found' ? 3 : 4;
}

/**
 * A pending rent with a new state. Several processes may learn states in any order: the most
 * certain one stays.
 */
export function learn(known: PendingRent, next: RentState): PendingRent {
	const isMore = certainty(next) > certainty(known.state);
	const isNewer = next.kind === 'unknown' && known.state.kind === 'unknown';
	if (!isMore && !isNewer) return known;
	// The ids of instances from before the rent only help to find its instance.
	if (certainty(next) > 3) return {...known, before: undefined, known: undefined, state: next};
	return {...known, state: next};
}

/** True until the outcome is known. */
export function isUndecided({state: {kind}}: PendingRent): boolean {
	return kind === 'sent' || kind === 'unknown';
}

/** True for an instance whose id was never printed, because the program ended before. */
export function isUntold({isTold, state: {kind}}: PendingRent): boolean {
	return kind === 'created' && isTold === false;
}

/** True for an instance of which only a console has told, where whoever typed the order may not look. */
export function isToldOnScreen({isTold, state: {kind}}: PendingRent): boolean {
	return kind === 'created' && isTold === 'on screen';
}

/**
 * True if a late request could still create the instance: the rent was sent recently, and its
 * instance not found.
 */
export function isDoubtful({state: known}: PendingRent, now: number): boolean {
	return known.kind === 'not created' && known.why === 'not found' && now - known.at < LATE_MS;
}

/** Time within which a delayed request is dropped. */
const LATE_MS = HOUR_MS;

/** Instances that a service created from one order in addition to the wanted one. */
export type Doubles = {
	/** Instances with the mark of the order. */
	readonly certain: readonly Instance[];
	/**
	 * Similar instances, created within a minute, if the service shows no mark: another program may
	 * have rented them.
	 */
	readonly perhaps: readonly Instance[];
};

/** Outcome of a pending rent. A refusal by the service is an ApiError instead. */
export type RentOutcome =
	| {
			readonly outcome: 'created';
			readonly id: number;
			readonly pending: PendingRent;
			/** The instance's own key, which the service shows once and no file stores. */
			readonly key?: string | undefined;
			readonly doubles?: Doubles;
	  }
	| {
			readonly outcome: 'not created';
			/** The service was not reached; or its reply was lost, and no instance was found. */
			readonly why: 'never sent' | 'not found' | 'refused';
			readonly pending: PendingRent;
			readonly error: unknown;
	  }
	| {
			/** The instances cannot be listed, or several could be the rented one. */
			readonly outcome: 'unknown';
			readonly candidates: readonly number[];
			readonly pending: PendingRent;
			readonly error: unknown;
	  };

export function rentOutcomeOf(pending: PendingRent, error?: unknown): RentOutcome {
	const {state} = pending;
	switch (state.kind) {
		case 'created':
			return {outcome: 'created', id: state.id, pending};
		case 'not created':
			return {outcome: 'not created', why: state.why, pending, error};
		case 'unknown':
			return {outcome: 'unknown', candidates: state.candidates, pending, error};
		case 'sent':
			return {outcome: 'unknown', candidates: [], pending, error};
	}
}

/** Outcome of a lookup as a journal entry. */
export function discoveryOf({token: request, state}: PendingRent) {
	switch (state.kind) {
		case 'created':
			return {request, outcome: 'found', instance: state.id} as const;
		case 'not created':
			return {request, outcome: state.why} as const;
		case 'unknown':
		case 'sent':
			return {request, outcome: 'unknown'} as const;
	}
}
