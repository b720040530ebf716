/**
 * Condition of an instance for its renter, from the service's status and its duration, and the rule
 * for sweeps.
 */
import {reportedState} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {polledSpanMs, madeAt, runningSince, spokenTime} from './times.ts';
import {type Observation, isBooting} from './observations.ts';
import type {ConditionLimits} from '../settings/default-settings.ts';
import {MINUTE_MS} from '../../contract/rules/durations.ts';

export type InstanceCondition =
	| 'undead'
	| 'stuck'
	| 'dead'
	| 'noSsh'
	| 'failing'
	| 'failed'
	| 'slow'
	| 'provisioning'
	| 'loading'
	| 'destroying'
	| 'other'
	| 'running'
	| 'idle'
	| 'waiting'
	| 'stopped'
	| 'unlisted'
	| 'gone';

export type Sight = {
	readonly instance: Instance;
	readonly observation: Observation;
	/** Usual loading time; undefined if none was seen. */
	readonly usualMs: number | undefined;
	readonly limits: ConditionLimits;
	/** Milliseconds since 1970 on the service's clock. */
	readonly now: number;
	/** Milliseconds by which the service's clock is ahead of this machine's. */
	readonly skewMs: number;
};

/** Time for which an instance may still be listed after its destruction was accepted. */
const DESTROY_MS = 60_000;

/** Restarts of a boot that are tolerated. */
const SETBACKS = 2;

const endings = new Set<string | null>(['exited', 'unknown', 'offline']);

export function conditionOf(sight: Sight): InstanceCondition {
	const {instance, observation, now} = sight;
	if (observation.goneAt !== undefined) return 'gone';
	if (observation.destroyedAt !== undefined) {
		const isLate = now - observation.destroyedAt >= DESTROY_MS;
		return isLate && observation.missed === 0 ? 'undead' : 'destroying';
	}
	// A single list without an instance proves nothing.
	if (observation.missed > 0 || observation.phases.length === 0) return 'unlisted';
	return atRest(instance) ?? inMotion(sight);
}

/** Conditions of instances that neither run nor should run at present. */
function atRest({
	actual_status: status,
	intended_status: intended,
	cur_state: current,
	status_msg: message,
}: Instance): InstanceCondition | undefined {
	// A host that is lost matters for a stopped instance too.
	if (status === 'offline' || status === 'unknown') return undefined;
	if (status === 'stopped' || intended === 'stopped')
		return hasFailed(message) ? 'failed' : 'stopped';
	return current === 'stopped' ? 'waiting' : undefined;
}

/** True for the words of a service about an instance that it stopped, because it could not start or go on. */
function hasFailed(message: string | null | undefined): boolean {
	return /^\s*error\b/i.test(message ?? '');
}

/** True for a condition of an instance that has stopped: it costs its disk, and can be started. */
export function isAtRest(condition: InstanceCondition): condition is 'stopped' | 'failed' {
	return condition === 'stopped' || condition === 'failed';
}

function inMotion(sight: Sight): InstanceCondition {
	const {instance} = sight;
	const status = instance.actual_status ?? null;
	if (endings.has(status)) return ended(sight);
	if (status === null) return provisioning(sight);
	if (status === 'loading') return loading(sight);
	return status === 'running' ? running(sight) : 'other';
}

/**
 * Condition of an ended instance. A service may still show the earlier end after a start, so "dead"
 * needs the same evidence as "stuck".
 */
function ended(sight: Sight): InstanceCondition {
	const {stuckMs} = loadingLimits(sight.limits, sight.usualMs);
	return (sight.observation.state?.looks ?? 0) > 1 && isStuck(sight, stuckMs) ? 'dead' : 'failing';
}

function provisioning(sight: Sight): InstanceCondition {
	const {observation, limits, now} = sight;
	if (isStuck(sight, limits.nullStuckMinutes * MINUTE_MS)) return 'stuck';
	const lasted = now - sinceOf(observation);
	return lasted >= limits.nullSlowMinutes * MINUTE_MS ? 'slow' : 'provisioning';
}

function loading(sight: Sight): InstanceCondition {
	const {observation, limits, usualMs, now} = sight;
	const {slowMs, stuckMs} = loadingLimits(limits, usualMs);
	if (isStuck(sight, stuckMs)) return 'stuck';
	return now - sinceOf(observation) >= slowMs ? 'slow' : 'loading';
}

/**
 * An instance is stuck when the service's own time exceeds the limit, and consecutive polls span
 * it: age alone does not tell when the state began.
 */
function isStuck(sight: Sight, limitMs: number): boolean {
	const {ageMs, stateMs, bootMs} = evidenceOf(sight);
	if (ageMs >= limitMs && stateMs >= limitMs) return true;
	const {stuckMs} = loadingLimits(sight.limits, sight.usualMs);
	return sight.observation.setbacks >= SETBACKS && ageMs >= stuckMs && bootMs >= stuckMs;
}

/**
 * Times after which loading is slow, and stuck. The usual time of an image is never called stuck.
 */
export function loadingLimits(
	{loadingSlowMinutes, bootMinutes}: ConditionLimits,
	usualMs: number | undefined,
): {readonly slowMs: number; readonly stuckMs: number} {
	const slowMs = usualMs === undefined ? loadingSlowMinutes * MINUTE_MS : 2 * usualMs;
	return {slowMs, stuckMs: Math.max(bootMinutes * MINUTE_MS, slowMs)};
}

function running({observation, limits, now}: Sight): InstanceCondition {
	const {sshSilentSince: silent, idleSince: idle} = observation;
	if (silent !== undefined && now - silent >= limits.noSshMinutes * MINUTE_MS) return 'noSsh';
	return idle !== undefined && now - idle >= limits.idleMinutes * MINUTE_MS ? 'idle' : 'running';
}

function sinceOf({phases}: Observation): number {
	return phases.at(-1)?.since ?? 0;
}

/** Start of the counted time of a state: a boot of several states counts as one. */
export function countedFrom({phases}: Observation): number {
	let since = phases.at(-1)?.since ?? 0;
	if (!isBooting(phases.at(-1)?.status ?? null)) return since;
	for (const phase of phases.toReversed()) {
		if (!isBooting(phase.status)) break;
		since = phase.since;
	}
	return since;
}

/** True if the condition may have lasted longer than counted. */
export function isAtLeast({phases}: Observation): boolean {
	return phases.at(-1)?.isOlder === true;
}

const troubles = new Set<InstanceCondition>(['undead', 'stuck', 'dead']);

/** True for a condition that costs money or data until a user acts. */
export function isTrouble(condition: InstanceCondition): boolean {
	return troubles.has(condition);
}

const problems = new Set<InstanceCondition>([
	...troubles,
	'noSsh',
	'failing',
	'failed',
	'slow',
	'idle',
	'waiting',
	'unlisted',
]);

export function isProblem(condition: InstanceCondition): boolean {
	return problems.has(condition);
}

export function evidenceOf({instance, observation, now}: Sight) {
	// A start after the first poll came in between.
	const runsMs = now - (runningSince(instance, now) ?? -Infinity);
	return {
		/** Known age of the instance: since its creation, else since rentty first saw it. */
		ageMs: Math.max(0, now - (madeAt(instance, now) ?? observation.firstSeenAt)),
		/** Time for which consecutive polls showed its state. */
		stateMs: Math.min(polledSpanMs(observation.state), runsMs),
		/** Time for which consecutive polls showed its present boot, which may have restarted. */
		bootMs: polledSpanMs(observation.boot),
	};
}

/** Reason why a troubled instance is not swept; undefined if it may be swept. */
export function whyLeft(row: Sight): string | undefined {
	const {ageMs} = evidenceOf(row);
	const limitMs = row.limits.bootMinutes * MINUTE_MS;
	const isNew = ageMs < limitMs;
	return isNew ? `made ${spokenTime(ageMs)} ago, a sweep waits ${spokenTime(limitMs)}` : undefined;
}

export function isSweepable(row: Sight & {readonly condition: InstanceCondition}): boolean {
	return isTrouble(row.condition) && whyLeft(row) === undefined;
}

/**
 * True if the instance is older than a boot may take and does not run, but was not observed for long
 * enough to be called stuck or dead.
 */
export function mayBeLost(row: Sight & {readonly condition: InstanceCondition}): boolean {
	const {instance, condition, limits, usualMs} = row;
	const isUnproven = ['provisioning', 'loading', 'slow', 'failing'].includes(condition);
	const limitMs =
		(instance.actual_status ?? null) === null
			? limits.nullStuckMinutes * MINUTE_MS
			: loadingLimits(limits, usualMs).stuckMs;
	return isUnproven && evidenceOf(row).ageMs >= limitMs;
}

/** The evidence for an instance's condition: "made 14 min ago, loading for 13 min (26 looks)". */
export function evidenceFor(row: Sight): string {
	const {instance, observation, now} = row;
	const {ageMs, stateMs} = evidenceOf(row);
	const {setbacks} = observation;
	const polls = observation.state?.looks ?? 0;
	const since = madeAt(instance, now) === undefined ? 'first seen' : 'made';
	const again =
		setbacks === 0 ? '' : `, begun again ${setbacks === 1 ? 'once' : `${setbacks} times`}`;
	const count = polls === 1 ? '1 look' : `${polls} looks`;
	const state = reportedState(instance) ?? 'provisioning';
	return `${since} ${spokenTime(ageMs)} ago, ${state} for ${spokenTime(stateMs)} (${count})${again}`;
}
