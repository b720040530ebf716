/** Enforcers of leases, and their confirmations: the watchdog, a guard, the service. */
import {ApiError, MarketError} from '../../client/exchange/errors.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import type {JobRecord} from '../../contract/nouns/scheduled-jobs.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {isoMinute, jobEnd, jobTimes} from '../nouns/jobs.ts';
import type {Client} from '../../client/client.ts';
import type {LeaseOrder, LeaseRecord} from '../../contract/nouns/leases.ts';
import type {AgreedLeases} from './agreed.ts';
import {duration} from '../text/format.ts';
import {leaseOf, leaseOrderOf, serviceWait, withoutOrdered} from './held.ts';
import {quoted, readWatchdogState, type RunInside, type WatchdogState} from './inside.ts';
import {BEFORE_VARIABLE, endlessLease, hasEnd, leaseKey, type Lease} from '../words/lease.ts';
import {guardContactText, isSilent, readGuard} from './guard-status.ts';
import {hasWatchdog, noTerms, watchdogTerms} from './watchdog.ts';

type Keeper = 'watchdog' | 'guard' | 'market';

export type Enforcer = {
	/** A scheduled job knows no lease, and may act nevertheless. */
	readonly who: Keeper | 'job';
	readonly isConfirmed: boolean;
	/** Time of the last heartbeat, or the reason why the lease is not confirmed. */
	readonly says: string;
	readonly cannot: string;
};

export type EnforcerQuery = {
	/** Folder of the guard's status file. */
	readonly folders: {readonly state: string | undefined};
	/** Milliseconds since 1970 on this machine's clock. */
	readonly now: () => number;
	readonly signal: AbortSignal;
	readonly client: Client;
	/** Name of the service in the guard's file. */
	readonly name: string;
	readonly inside: RunInside;
	/** Leases that were agreed here; undefined if not stored. */
	readonly agreed?: AgreedLeases | undefined;
};

const cannot = {
	watchdog: 'once it has stopped the instance, it cannot destroy it',
	guard: 'it ends nothing while its machine is off',
	market: 'it measures no idleness and saves no results',
} as const;

/** Asks each enforcer; without a lease, names those that still have one. */
export async function enforcersOf(
	asking: EnforcerQuery,
	instance: Instance,
): Promise<readonly Enforcer[]> {
	const {lease} = leaseOf(instance);
	// An instance that apparently never had a lease is not entered.
	const isAsked =
		!lacksWatchdog(instance) && (lease !== undefined || mayHaveWatchdog(asking, instance));
	const watchdog = isAsked ? await readWatchdogState(asking.inside, instance) : undefined;
	if (lease === undefined) {
		const all = await withoutLease(asking, instance, watchdog);
		return all.filter(({isConfirmed}) => !isConfirmed);
	}
	return [
		watchdogAnswer(asking, {lease, watchdog, instance}),
		guardAnswerOf(await guardOf(asking), instance, lease),
		...(await marketAnswers(asking, instance, lease)),
		...(await stoppingJobs(asking, instance)),
	];
}

/** True if the instance was rented without a watchdog, as far as its start script shows. */
export function lacksWatchdog({onstart}: Instance): boolean {
	return typeof onstart === 'string' && !hasWatchdog(onstart);
}

export async function askWatchdog(asking: EnforcerQuery, instance: Instance): Promise<Enforcer> {
	const {lease = endlessLease} = leaseOf(instance);
	const watchdog = await readWatchdogState(asking.inside, instance);
	return watchdogAnswer(asking, {lease, watchdog, instance});
}

/** True if a watchdog may run although the label has no lease. */
function mayHaveWatchdog({agreed}: Pick<EnforcerQuery, 'agreed'>, instance: Instance): boolean {
	if (hasWatchdog(instance.onstart ?? '')) return true;
	const hadLease = leaseOf(instance).isUnknown || agreed?.lost(instance) !== undefined;
	return hadLease && !lacksWatchdog(instance);
}

/** A guard is the only enforcer that reads logs. */
function blindnessText({whenDone}: Lease): string {
	return whenDone === undefined ? '' : ', and it does not see when it is done';
}

type Watching = {
	readonly lease: Lease;
	readonly watchdog: WatchdogState | undefined;
	readonly instance: Instance;
};

function watchdogAnswer({client}: EnforcerQuery, {lease, watchdog, instance}: Watching): Enforcer {
	const same = {who: 'watchdog', cannot: `${cannot.watchdog}${blindnessText(lease)}`} as const;
	if (lacksWatchdog(instance)) {
		return {...same, isConfirmed: false, says: 'the instance was rented without one'};
	}
	const {key} = watchdogChange(client, instance, lease);
	if (watchdog === undefined) {
		const isRunning = instance.actual_status === 'running';
		const says = isRunning ? 'nothing heard from inside' : 'it is not running';
		return {...same, isConfirmed: false, says};
	}
	if (watchdog.key !== key) return {...same, isConfirmed: false, says: 'it knows another lease'};
	return {...same, ...reachAnswer(watchdog)};
}

/**
 * Longest silence of a confirmed watchdog: one of three calls, every two minutes, must be answered.
 */
const LATELY_SECONDS = 360;

/**
 * Sentence about a watchdog that cannot reach the service: it ends nothing, even though it knows
 * the lease.
 */
function reachAnswer({reachedSeconds: seconds, lacksClient}: WatchdogState) {
	if (seconds !== undefined && seconds <= LATELY_SECONDS) {
		return {isConfirmed: true, says: `it reached the service ${seconds} s ago`};
	}
	const never = lacksClient ? 'no HTTPS client' : 'it has not reached the service';
	const says =
		seconds === undefined ? never : `it last reached the service ${duration(seconds)} ago`;
	return {isConfirmed: false, says};
}

async function guardOf({folders: {state}, name, now}: EnforcerQuery): Promise<AskedGuard> {
	const guard = state === undefined ? undefined : await readGuard(state);
	return {guard, name, now: now()};
}

/** The guard of a service at a moment, in milliseconds. */
type AskedGuard = {
	readonly guard: Awaited<ReturnType<typeof readGuard>>;
	readonly name: string;
	readonly now: number;
};

export function guardAnswerOf(
	{guard, name, now}: AskedGuard,
	instance: Instance,
	lease: Lease,
): Enforcer {
	const same = {who: 'guard', cannot: cannot.guard, isConfirmed: false} as const;
	const mine = guard?.profiles.get(name);
	if (guard === undefined || mine === undefined) {
		return {...same, says: 'none is known on this machine'};
	}
	const contact = guardContactText(guard, mine, now);
	if (isSilent(mine, now)) return {...same, says: contact};
	if (mine.problem !== undefined) return {...same, says: `${mine.problem}, ${contact}`};
	const read = mine.leases[instance.id];
	if (read === leaseKey(lease) || (read === undefined && !hasEnd(lease))) {
		// A guard may know the lease, but be unable to measure idleness.
		return mine.unmeasured.includes(instance.id)
			? {
					...same,
					says: `it has not ${lease.whenDone === undefined ? 'measured yet whether it idles' : 'read yet how far it is'}, ${contact}`,
				}
			: {...same, isConfirmed: true, says: contact};
	}
	const what = read === undefined ? 'it has not read the lease yet' : 'it knows another lease';
	return {...same, says: `${what}, ${contact}`};
}

async function marketAnswers(
	{client, signal}: EnforcerQuery,
	instance: Instance,
	lease: Lease,
): Promise<readonly Enforcer[]> {
	const wanted = leaseOrderOf(lease);
	if (wanted === undefined || !(await client.extensions.leases(signal))) return [];
	const wait = serviceWait(lease);
	const waits = wait === undefined ? '' : `: it ends it ${wait} later`;
	const lacks = `${cannot.market}${waits}${blindnessText(lease)}`;
	const same = {who: 'market', cannot: lacks} as const;
	const kept = instance.lease ?? undefined;
	const isConfirmed = kept !== undefined && isSameLease(kept, wanted);
	const says = isConfirmed ? 'heard now' : kept === undefined ? 'it has none' : 'it has another';
	return [{...same, isConfirmed, says}];
}

export function isSameLease(kept: LeaseRecord, wanted: LeaseOrder): boolean {
	const {ends_at, max_cost, action, grace_seconds, keep} = kept;
	const [one, other] = [
		[ends_at, max_cost, grace_seconds],
		[wanted.ends_at, wanted.max_cost, wanted.grace_seconds],
	];
	const areSame = one.every((value, at) => (value ?? 0) === (other[at] ?? 0));
	return areSame && action === wanted.action && (keep ?? false) === (wanted.keep ?? false);
}

/** Enforcers that may still have a removed lease, and whether they confirmed its removal. */
export async function withoutLease(
	asking: EnforcerQuery,
	instance: Instance,
	watchdog: WatchdogState | undefined,
): Promise<readonly Enforcer[]> {
	const {client, signal, folders, name} = asking;
	const {state} = folders;
	const hasDog = mayHaveWatchdog(asking, instance) || watchdog !== undefined;
	const guard = state === undefined ? undefined : await readGuard(state);
	const read = guard?.profiles.get(name)?.leases[instance.id];
	const {isUnknown} = leaseOf(instance);
	const isTaken = (instance.lease ?? undefined) === undefined;
	const hasMarket = await client.extensions.leases(signal);
	const guardHas = read === undefined ? 'one elsewhere may read it' : 'it still has the lease';
	const watchdogHas =
		watchdog === undefined ? 'nothing heard from inside' : 'it still has the lease';
	return [
		...(hasDog ? [freed('watchdog', watchdog?.key === noLeaseKey, watchdogHas)] : []),
		freed('guard', read === undefined && !isUnknown, guardHas),
		...(hasMarket ? [freed('market', isTaken, 'it still has the lease')] : []),
		...(await stoppingJobs(asking, instance)),
	];
}

function freed(who: Keeper, isConfirmed: boolean, otherwise: string): Enforcer {
	return {
		who,
		isConfirmed,
		says: isConfirmed ? 'it ends nothing' : otherwise,
		cannot: cannot[who],
	};
}

/** Key of a watchdog that has nothing to end. */
const noLeaseKey = 'none';

/** A lease for the watchdog, and its key once it has read the lease. */
export function watchdogChange(
	{clock}: Client,
	instance: Instance,
	lease: Lease | undefined,
): {readonly terms: string; readonly key: string} {
	const perHour = instance.dph_total ?? undefined;
	const watched = lease && watchedLease(lease, instance);
	const terms = watched && watchdogTerms({lease: watched, now: clock.now() / 1000, perHour});
	if (watched === undefined || terms === undefined) return {terms: noTerms, key: noLeaseKey};
	return {terms: `${terms}${commandTerm(lease?.before)}`, key: leaseKey(watched)};
}

/** The lease as the watchdog has it: the order's command is in the environment. */
function watchedLease(lease: Lease, instance: Instance): Lease {
	const isShown = (instance.extra_env ?? undefined) !== undefined;
	const known = {...lease, whenDone: undefined};
	if (isShown || lease.before === undefined) return withoutOrdered(known, instance);
	return {...known, before: {...lease.before, command: undefined}};
}

/** The command of a lease for the watchdog; absent if it is the order's, and unknown here. */
function commandTerm(before: Lease['before']): string {
	if (before !== undefined && before.command === undefined) return '';
	return ` ${BEFORE_VARIABLE}=${quoted(before?.command ?? '')}`;
}

/**
 * Scheduled jobs that may still end the instance; if that is unknown, a single one that says so.
 */
async function stoppingJobs(
	{client, signal}: EnforcerQuery,
	{id}: Instance,
): Promise<readonly Enforcer[]> {
	try {
		const {jobs, unreadable} = await client.scheduledJobs.list({signal});
		const now = client.clock.now() / 1000;
		const found = jobs.flatMap(job => stopping(job, id, now));
		const some = `${unreadable.count} of the scheduled jobs cannot be read`;
		return unreadable.count === 0 ? found : [...found, unknownJobs(some)];
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof ApiError && error.hasNoCall) return [];
		const why = error instanceof MarketError ? error.why : messageOf(error);
		return [unknownJobs(`what is scheduled is not known: ${why}`)];
	}
}

function stopping(job: JobRecord, id: number, now: number): readonly Enforcer[] {
	const end = jobEnd(job, id);
	const until = job.end_time ?? undefined;
	if (end === undefined || (until !== undefined && until <= now)) return [];
	const last = until === undefined ? '' : ` until ${isoMinute(until)}`;
	return [
		{
			who: 'job',
			isConfirmed: false,
			says: `${job.id} ${end === 'stop' ? 'stops' : 'destroys'} it ${jobTimes(job)} UTC${last}`,
			cannot: `it goes by no lease: rentty jobs remove ${job.id}`,
		},
	];
}

function unknownJobs(says: string): Enforcer {
	return {who: 'job', isConfirmed: false, says, cannot: 'rentty jobs lists what is scheduled'};
}
