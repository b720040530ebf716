/** The lease of an instance, whether it is stored in its label or by its service. */
import {hasStopped} from '../../client/nouns/instance-list.ts';
import {
	BEFORE_VARIABLE,
	dueAct,
	endlessLease,
	hasEnd,
	slackSeconds,
	type Lease,
	readLabel,
} from '../words/lease.ts';
import {remainingTerms, writeLength, writeTerms, type Terms} from './lease-terms.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {LeaseOrder, LeaseRecord} from '../../contract/nouns/leases.ts';

export type HeldLease = {
	readonly lease: Lease | undefined;
	/** True for a lease of unknown form, which ends nothing and is reported. */
	readonly isUnknown: boolean;
	readonly label: string;
};

/** The lease of an instance. The label takes precedence: it contains more than services store. */
export function leaseOf(instance: Instance): HeldLease {
	const {label, lease, isUnknown} = readLabel(instance.label);
	if (lease !== undefined) return {label, isUnknown, lease: withCommand(lease, instance)};
	const record = isUnknown ? undefined : (instance.lease ?? undefined);
	return {label, isUnknown, lease: record && leaseFromRecord(record)};
}

/** Start of an instance in seconds since 1970; long ago if the service does not send it. */
export function startOf({start_date: start}: Instance): number {
	return start ?? Number.NEGATIVE_INFINITY;
}

/** True if no readable lease ends the instance. */
export function isEndlessInstance(instance: Instance): boolean {
	const {lease, isUnknown} = leaseOf(instance);
	return !isUnknown && (lease === undefined || !hasEnd(lease));
}

/**
 * True for a lease whose deadline has passed: its enforcer ends the instance again as soon as it
 * runs.
 */
export function isPastEnd(instance: Instance, now: number): boolean {
	const {lease} = leaseOf(instance);
	return lease?.endsAt !== undefined && !lease.isKept && lease.endsAt * 1000 <= now;
}

/** True if all possible enforcers were asked, and none has confirmed it. @param keepers letters */
export function isUnkept(keepers: string | undefined): boolean {
	return keepers !== undefined && !/[A-Z.]/.test(keepers);
}

/**
 * True if a lease waits for work to be done, which only a guard can check; `isGuarded` if one has
 * confirmed it, or none was asked. @param keepers letters
 */
export function waitingOf({lease}: Pick<HeldLease, 'lease'>, keepers: string | undefined) {
	const isWaiting = lease?.whenDone !== undefined && hasEnd(lease) && !lease.isKept;
	return {isWaiting, isGuarded: keepers === undefined || keepers.includes('G')};
}

export type NextEnd = {
	/** `none` for an instance that is stopped as agreed and has no other end. */
	readonly action: 'stop' | 'destroy' | 'none';
	/** Milliseconds until then; negative for the past. */
	readonly leftMs: number;
};

/** Undefined without a deadline. @param now in milliseconds */
export function nextEnd(instance: Instance, now: number): NextEnd | undefined {
	const {lease} = leaseOf(instance);
	if (lease?.endsAt === undefined) return undefined;
	const {action, at} = dueAct(lease, hasStopped(instance)) ?? {
		action: 'none',
		at: lease.endsAt * 1000,
	};
	return {action, leftMs: at - now};
}

/** Milliseconds since the lease's end; undefined if it is not late. @param now in milliseconds */
export function lateMs(instance: Instance, now: number): number | undefined {
	const {action = 'none', leftMs = 0} = nextEnd(instance, now) ?? {};
	return action === 'none' || leftMs >= 0 ? undefined : -leftMs;
}

/**
 * The rest of the lease: `for 5h58m then destroy`, or `late 12m then destroy`; undefined without one.
 * @param now in milliseconds
 */
export function leaseEndText(instance: Instance, now: number): string | undefined {
	const passed = passedDeadlineText(instance, now);
	if (passed !== undefined) return passed;
	const terms = termsLeft(instance, now);
	return terms && writeTerms({...terms, before: undefined});
}

/** A passed deadline in words: how late, or the rest; undefined before it. */
export function passedDeadlineText(instance: Instance, now: number): string | undefined {
	const {lease} = leaseOf(instance);
	const next = nextEnd(instance, now);
	if (next === undefined || (lease?.endsAt ?? 0) * 1000 > now) return undefined;
	const {action, leftMs} = next;
	if (action === 'none') return 'stopped at its deadline';
	const length = writeLength(roughSeconds(Math.abs(leftMs) / 1000));
	return `${leftMs > 0 ? 'for' : 'late'} ${length} then ${action}`;
}

/** Seconds, rounded: hours before the end they do not matter. */
function roughSeconds(seconds: number): number {
	return seconds < 600 ? Math.floor(seconds) : Math.floor(seconds / 60) * 60;
}

/**
 * The remaining terms of its lease; undefined if no rule ends the instance. @param now in
 * milliseconds
 */
export function termsLeft(instance: Instance, now: number): Terms | undefined {
	const {lease} = leaseOf(instance);
	if (lease === undefined || !hasEnd(lease)) return undefined;
	const terms = remainingTerms(lease, now / 1000);
	const {forSeconds} = terms;
	const isNear = forSeconds === undefined || forSeconds < 600;
	return {...terms, forSeconds: isNear ? forSeconds : roughSeconds(forSeconds)};
}

function withCommand(lease: Lease, instance: Instance): Lease {
	if (lease.before === undefined || lease.before.command !== undefined) return lease;
	return {...lease, before: {...lease.before, command: orderedCommand(instance)}};
}

/** The command that an instance was rented with, as far as the service shows its environment. */
export function orderedCommand({extra_env: env}: Instance): string | undefined {
	return env?.find(([name]) => name === BEFORE_VARIABLE)?.[1];
}

/** The lease without the order's own command, which is already in the environment. */
export function withoutOrdered(lease: Lease, instance: Instance): Lease {
	const {before} = lease;
	if (before === undefined) return lease;
	const isOrdered = before.command === orderedCommand(instance);
	return isOrdered ? {...lease, before: {...before, command: undefined}} : lease;
}

function leaseFromRecord({ends_at, max_cost, action, keep}: LeaseRecord): Lease {
	return {
		...endlessLease,
		endsAt: ends_at ?? undefined,
		maxCost: max_cost ?? undefined,
		action: action ?? endlessLease.action,
		isKept: keep ?? false,
	};
}

/** The part of a lease that the service can enforce; undefined for none. */
export function leaseOrderOf(lease: Lease): LeaseOrder | undefined {
	const {endsAt, maxCost, action, isKept} = lease;
	if (endsAt === undefined && maxCost === undefined) return undefined;
	const grace_seconds = slackSeconds(lease);
	return {ends_at: endsAt, max_cost: maxCost, action, grace_seconds, keep: isKept};
}

/**
 * Delay of the service's end, such as `20m`: the service runs no command, and leaves time for enforcers
 * that do. Undefined without a delay.
 */
export function serviceWait(lease: Lease): string | undefined {
	const {ends_at: endsAt, grace_seconds: grace = 0} = leaseOrderOf(lease) ?? {};
	return (endsAt ?? undefined) === undefined || !grace ? undefined : writeLength(grace);
}

/**
 * Sentence that a market which ends it by itself does so later than agreed; undefined if it does
 * not.
 */
export function waitSentence(lease: Lease): string | undefined {
	const wait = serviceWait(lease);
	return wait && `A market that ends it by itself runs no command: it does so ${wait} later.`;
}

type Standing = {readonly who: string; readonly isConfirmed: boolean; readonly says: string};

/** "watchdog  not confirmed, nothing heard from inside". */
export function confirmation({who, isConfirmed, says}: Standing): string {
	const standing = who === 'job' ? 'may act' : isConfirmed ? 'confirmed' : 'not confirmed';
	return `${who.padEnd(9)} ${standing}, ${says}`;
}

/** An enforcer in a line: "market    confirmed, heard now; it measures no idleness". */
export function enforcerText({
	cannot: lacks,
	...one
}: Standing & {readonly cannot: string}): string {
	return `${confirmation(one)}; ${lacks}`;
}
