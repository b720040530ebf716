/**
 * Enforcers of leases and whether they have confirmed them: the watchdog, a guard, the service.
 */
import {join} from 'node:path';
import type {Client} from '../../client/client.ts';
import type {Instance} from '../../contract/instance-record.ts';
import {isRecord} from '../../contract/json.ts';
import type {LeaseOrder, LeaseRecord} from '../../contract/leases.ts';
import {leaseOf, leaseOrderOf, withoutOrdered} from './held.ts';
import {changeWatchdog, quoted, readMark, type RunInside, type WatchdogMark} from './inside.ts';
import {BEFORE_VARIABLE, leaseKey, type Lease} from './lease.ts';
import {readLeader} from './leadership.ts';
import {readLabel, writeLabel} from './lease-label.ts';
import {LeaseTermsError} from './lease-terms.ts';
import {noTerms, watchdogTerms} from './watchdog.ts';
import {messageOf} from '../../contract/thrown.ts';

export type Enforcer = {
	readonly who: 'watchdog' | 'guard' | 'market';
	readonly isConfirmed: boolean;
	/** Time of its last sign of life, or the reason why it is not confirmed. */
	readonly says: string;
	/** Limits of this enforcer. */
	readonly cannot: string;
};

export type Asking = {
	/** Folder of the guard's status file. */
	readonly folders: {readonly state: string | undefined};
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
	readonly signal: AbortSignal;
	readonly client: Client;
	/** Name of the service in the guard's file. */
	readonly name: string;
	readonly inside: RunInside;
};

const cannot = {
	watchdog: 'it cannot destroy what it has stopped',
	guard: 'it ends nothing while its machine is off',
	market: 'it measures no idleness and saves no results',
} as const;

/** Asks each of them. */
export async function enforcersOf(
	asking: Asking,
	instance: Instance,
): Promise<readonly Enforcer[]> {
	const {lease} = leaseOf(instance);
	if (lease === undefined) return [];
	return [
		watchdogSays(lease, await readMark(asking.inside, instance), instance),
		await guardSays(asking),
		...(await marketSays(asking, instance, lease)),
	];
}

function watchdogSays(lease: Lease, mark: WatchdogMark | undefined, instance: Instance): Enforcer {
	const same = {who: 'watchdog', cannot: cannot.watchdog} as const;
	const isConfirmed =
		mark?.key === leaseKey(watchedLease(lease, instance)) && mark.lack === undefined;
	if (isConfirmed) return {...same, isConfirmed, says: 'heard now'};
	if (mark?.lack !== undefined) return {...same, isConfirmed, says: 'no HTTPS client'};
	if (mark !== undefined) return {...same, isConfirmed, says: 'it knows another lease'};
	const isRunning = instance.actual_status === 'running';
	return {
		...same,
		isConfirmed,
		says: isRunning ? 'nothing heard from inside' : 'it is not running',
	};
}

/** A guard is silent for no longer, as long as it runs. */
const SILENT_SECONDS = 120;

async function guardSays({folders, name, now}: Asking): Promise<Enforcer> {
	const same = {who: 'guard', cannot: cannot.guard} as const;
	const leader =
		folders.state === undefined ? undefined : await readLeader(join(folders.state, 'guard.json'));
	const profiles = leader?.status['profiles'];
	const mine = isRecord(profiles) && isRecord(profiles[name]) ? profiles[name] : undefined;
	const heardAt = mine?.['heardAt'];
	if (typeof heardAt !== 'number') {
		return {...same, isConfirmed: false, says: 'none is known on this machine'};
	}
	const seconds = Math.max(0, Math.round((now() - heardAt) / 1000));
	return {...same, isConfirmed: seconds <= SILENT_SECONDS, says: `heard ${seconds} s ago`};
}

async function marketSays(
	{client, signal}: Asking,
	instance: Instance,
	lease: Lease,
): Promise<readonly Enforcer[]> {
	const wanted = leaseOrderOf(lease);
	if (wanted === undefined || !(await client.extensions.leases(signal))) return [];
	const same = {who: 'market', cannot: cannot.market} as const;
	const kept = instance.lease ?? undefined;
	const isConfirmed = kept !== undefined && isSame(kept, wanted);
	const says = isConfirmed ? 'heard now' : kept === undefined ? 'it has none' : 'it has another';
	return [{...same, isConfirmed, says}];
}

function isSame(kept: LeaseRecord, wanted: LeaseOrder): boolean {
	const {ends_at, max_cost, action, grace_seconds, keep} = kept;
	const [one, other] = [
		[ends_at, max_cost, grace_seconds],
		[wanted.ends_at, wanted.max_cost, wanted.grace_seconds],
	];
	const areSame = one.every((value, at) => (value ?? 0) === (other[at] ?? 0));
	return areSame && action === wanted.action && (keep ?? false) === (wanted.keep ?? false);
}

/** Result of changing a lease: the instance after it, and the enforcers that confirmed it. */
export type Sent = {
	readonly instance: Instance;
	readonly enforcers: readonly Enforcer[];
	/** Problems of some enforcers. */
	readonly problems: readonly string[];
};

/**
 * Gives an instance another lease, or none: writes it into the label, which all guards read, and tells
 * the others.
 *
 * @throws LeaseTermsError where the label has no room for it; nothing has changed then.
 */
export async function sendLease(
	asking: Asking,
	instance: Instance,
	next: Lease | undefined,
): Promise<Sent> {
	const {client, signal} = asking;
	const {id} = instance;
	const {label: own} = leaseOf(instance);
	const short = next && withoutOrdered(next, instance);
	const label = writeLabel(own, next) ?? writeLabel(own, short);
	if (label === undefined) throw new LeaseTermsError('the label has no room for the lease');
	await client.instances.label(id, label, {signal});
	const told = await tellEnforcers(asking, instance, next);
	const fresh = (await client.instances.show(id, {signal})) ?? {...instance, label};
	const enforcers =
		next === undefined
			? await withoutLease(asking, fresh, told.mark)
			: await enforcersOf(asking, fresh);
	return {instance: fresh, enforcers, problems: told.problems};
}

/** Enforcers that have confirmed the removal of the lease. */
async function withoutLease(
	{client, signal}: Asking,
	instance: Instance,
	mark: WatchdogMark | undefined,
): Promise<readonly Enforcer[]> {
	const {lease, isUnknown} = readLabel(instance.label);
	const isGone = lease === undefined && !isUnknown;
	const isIdle = mark?.key === noLeaseKey;
	const isTaken = (instance.lease ?? undefined) === undefined;
	const hasMarket = await client.extensions.leases(signal);
	return [
		freed('watchdog', isIdle, 'nothing heard from inside'),
		freed('guard', isGone, 'the label still has the lease'),
		...(hasMarket ? [freed('market', isTaken, 'it still has the lease')] : []),
	];
}

function freed(who: Enforcer['who'], isConfirmed: boolean, otherwise: string): Enforcer {
	return {who, isConfirmed, says: isConfirmed ? 'it ends nothing' : otherwise, cannot: cannot[who]};
}

/** Mark of a watchdog that has nothing to end. */
const noLeaseKey = 'none';

type Told = {readonly mark: WatchdogMark | undefined; readonly problems: readonly string[]};

/** Tells the watchdog and the service of another lease, or of none. */
async function tellEnforcers(
	{client, inside, signal}: Asking,
	instance: Instance,
	lease: Lease | undefined,
): Promise<Told> {
	const {id} = instance;
	const problems: string[] = [];
	const perHour = instance.dph_total ?? undefined;
	const now = client.clock.now() / 1000;
	const watched = lease && watchedLease(lease, instance);
	const terms = watched && watchdogTerms({lease: watched, now, perHour});
	const mark = await changeWatchdog(inside, instance, {
		terms: terms === undefined ? noTerms : `${terms}${commandTerm(lease?.before)}`,
		key: watched === undefined || terms === undefined ? noLeaseKey : leaseKey(watched),
	});
	try {
		if (await client.extensions.leases(signal)) {
			const order = lease && leaseOrderOf(lease);
			if (order === undefined) await client.instances.removeLease(id, {signal});
			else await client.instances.setLease(id, order, {signal});
		}
	} catch (error) {
		signal.throwIfAborted();
		problems.push(messageOf(error));
	}
	return {mark, problems};
}

/** The lease as its watchdog has it: the command of the order stands in the environment. */
function watchedLease(lease: Lease, instance: Instance): Lease {
	const isShown = (instance.extra_env ?? undefined) !== undefined;
	if (isShown || lease.before === undefined) return withoutOrdered(lease, instance);
	return {...lease, before: {...lease.before, command: undefined}};
}

/** The command of a lease for its watchdog; nothing where it is not known, and is the one of the order. */
function commandTerm(before: Lease['before']): string {
	if (before !== undefined && before.command === undefined) return '';
	return ` ${BEFORE_VARIABLE}=${quoted(before?.command ?? '')}`;
}

/** One of them in a line: "market    confirmed, heard now; it measures no idleness". */
export function enforcerText({who, isConfirmed, says, cannot: lacks}: Enforcer): string {
	return `${who.padEnd(9)} ${isConfirmed ? 'confirmed' : 'not confirmed'}, ${says}; ${lacks}`;
}
