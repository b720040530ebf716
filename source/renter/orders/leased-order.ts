/**
 * An order with a lease: in its label, in its onstart as a watchdog, and with the service if it has
 * leases.
 */
import {lengthOfArguments, type InstanceOrder} from '../../contract/nouns/creation-request.ts';
import {duration, sentence} from '../text/format.ts';
import type {Creation} from '../../contract/nouns/merge.ts';
import {APART_MS} from '../leases/agreed.ts';
import {leaseOrderOf, serviceWait} from '../leases/held.ts';
import {
	BEFORE_VARIABLE,
	labelProblem,
	type Lease,
	shownLabel,
	writeLabel,
	hasEnd,
} from '../words/lease.ts';
import {
	LeaseTermsError,
	leaseFrom,
	whenDoneLimitsText,
	readTerms,
	termsProblem,
	writeTerms,
} from '../leases/lease-terms.ts';
import {composeOnstart, watchdogScript} from '../leases/watchdog.ts';
import type {Client} from '../../client/client.ts';
import type {Preview} from './preview.ts';

/** An order, and its merge with the template. */
type Ordered = {readonly order: InstanceOrder; readonly creation: Creation};

type Leasing = {
	readonly lease: Lease;
	/** Seconds on the service's clock. */
	readonly now: number;
	/** Milliseconds by which that clock is ahead of this machine's. */
	readonly skewMs: number;
	/** The service's URL as the instance reaches it. */
	readonly url: string | undefined;
	/** Dollars an hour while it runs, with its disk. */
	readonly perHour: number | undefined;
	/** True if the service ends instances by itself. */
	readonly hasLeases: boolean;
};

/** Adds a lease, and sentences about its enforcers and their limits. @throws LeaseTermsError */
export function withLease<Of extends Ordered>(
	ordered: Of,
	leasing: Leasing,
): {readonly ordered: Of; readonly notes: readonly string[]} {
	const {lease, hasLeases, skewMs} = leasing;
	const watchdog = withWatchdog(withLabel(ordered, lease), leasing);
	const apart = lease.endsAt === undefined ? undefined : clocksApart(skewMs);
	const notes = [...watchdog.notes, ...(apart === undefined ? [] : [apart])];
	const watched = {...watchdog, notes};
	const kept = hasLeases ? leaseOrderOf(lease) : undefined;
	if (kept === undefined) return {ordered: watched.order, notes};
	const {order} = watched.order;
	const wait = serviceWait(lease);
	const later = wait === undefined ? '' : `, but ${wait} later: it runs no command before`;
	return {
		ordered: {...watched.order, order: {...order, lease: kept}},
		notes: [...watched.notes, `the service ends it as well${later}`],
	};
}

/** A clause about clock skew: a deadline moves when the service's clock is corrected. */
export function clocksApart(skewMs: number): string | undefined {
	if (Math.abs(skewMs) < APART_MS) return undefined;
	const side = skewMs > 0 ? 'ahead of' : 'behind';
	return `counted by the service's clock, which is ${duration(Math.abs(skewMs) / 1000)} ${side} this machine's`;
}

/**
 * Puts the lease into the label. A command that does not fit is only in the environment, which
 * always has it.
 */
function withLabel<Of extends Ordered>(order: Of, lease: Lease): Of {
	const {before} = lease;
	if (before !== undefined && before.command === undefined) {
		throw new LeaseTermsError('expected a command after before');
	}
	const own = shownLabel(order.creation.label.value);
	const label =
		writeLabel(own, lease) ??
		writeLabel(own, {...lease, before: before && {...before, command: undefined}});
	if (label === undefined) {
		throw new LeaseTermsError(sentence(labelProblem(lease)));
	}
	const entry = before && ([BEFORE_VARIABLE, before.command] as const);
	const {creation} = order;
	return {
		...order,
		order: {
			...order.order,
			label,
			...(entry && {env: [...(order.order.env ?? []), entry]}),
		},
		creation: {
			...creation,
			label: {value: label, origin: 'request'},
			env: entry
				? [...creation.env, {key: entry[0], value: entry[1], origin: 'request'}]
				: creation.env,
		},
	};
}

function withWatchdog<Of extends Ordered>(
	order: Of,
	{lease, url, now, perHour}: Leasing,
): {readonly order: Of; readonly notes: readonly string[]} {
	const none = (why: string) => ({order, notes: [`no watchdog: ${why}`]});
	const {creation} = order;
	if (creation.launch.value.mode === 'args') return none('the image is started with arguments');
	if (url === undefined) return none('the practice market has no address that stays');
	const before = lease.before && {...lease.before, command: undefined};
	const known = {...lease, before, whenDone: undefined};
	const watchdog = watchdogScript({lease: known, url, now, perHour});
	if (watchdog === undefined) return none('it has nothing to end');
	const onstart = creation.onstart.value;
	const argumentsLength = lengthOfArguments(creation.arguments.value);
	const composed = composeOnstart({watchdog, onstart, argumentsLength});
	if (composed === undefined) return none('onstart is too long for both, though compressed');
	const notes = composed.isCompressed ? ['onstart was compressed to make room'] : [];
	return {
		notes,
		order: {
			...order,
			order: {...order.order, onstart: composed.onstart},
			creation: {...creation, onstart: {value: composed.onstart, origin: 'request'}},
		},
	};
}

export function areEndlessTerms(text: string): boolean {
	return termsProblem(text) === undefined && !hasEnd(leaseFrom(readTerms(text), 0));
}

export type LeasedRent = {
	readonly terms: string;
	/** The command run in the instance before, with its time limit; undefined for none. */
	readonly before: string | undefined;
	/** Enforcers of the lease, and those that cannot enforce it. */
	readonly notes: readonly string[];
	/** Seconds from the rental on; undefined if it has no deadline. */
	readonly forSeconds: number | undefined;
	/** The order with the lease, whose deadline counts from a moment on the service's clock. */
	readonly at: (seconds: number) => Ordered;
};

export type LeasingService = {
	readonly client: Client;
	/** The service's URL as instances reach it; undefined for the practice market. */
	readonly url: string | undefined;
};

/** The lease in a form; undefined for none. @throws LeaseTermsError */
export async function leasedRent(
	{client, url}: LeasingService,
	{values, creation, cost}: Preview,
	order: InstanceOrder,
): Promise<LeasedRent | undefined> {
	const terms = readTerms(values['ends'] ?? 'none');
	const isNone = !terms.isKept && !hasEnd(leaseFrom(terms, 0));
	if (isNone) return undefined;
	const hasLeases = await client.extensions.leases();
	const perHour = cost.running;
	const fixed = {url, perHour, hasLeases, skewMs: client.clock.skewMs()};
	const make = (now: number) =>
		withLease({order, creation}, {lease: leaseFrom(terms, now), now, ...fixed});
	const {notes} = make(client.clock.now() / 1000);
	const {before} = terms;
	return {
		terms: writeTerms({...terms, before: undefined}),
		before: before && `${before.command}, ${whenDoneLimitsText(before)}`,
		notes,
		forSeconds: terms.forSeconds,
		at: seconds => make(seconds).ordered,
	};
}
