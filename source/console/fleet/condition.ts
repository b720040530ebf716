/** What an instance is in the eyes of its renter: the service's words, and what time makes of them. */
import type {Instance} from '../../contract/instance-record.ts';
import type {Limits} from '../default-settings.ts';
import type {Observation} from './observations.ts';

export type Condition =
	| 'undead'
	| 'stuck'
	| 'dead'
	| 'noSsh'
	| 'failing'
	| 'slow'
	| 'provisioning'
	| 'loading'
	| 'destroying'
	| 'other'
	| 'running'
	| 'idle'
	| 'waiting'
	| 'stopped'
	| 'gone';

/** What of an instance decides. */
export type Sight = {
	readonly instance: Instance;
	readonly seen: Observation;
	/** How long loading usually takes for it; undefined where that was never seen. */
	readonly usualMs: number | undefined;
	readonly limits: Limits;
	readonly now: number;
};

const MINUTE_MS = 60_000;

/** How long after its destruction was accepted an instance may still be listed. */
const DESTROY_MS = 60_000;

/** One look may be a hiccup of the service: a state that ends everything is believed at the second. */
const LOOKS_TO_BELIEVE = 2;

/** How often a boot may begin again. */
const SETBACKS = 2;

const endings = new Set<string | null>(['exited', 'unknown', 'offline']);

export function conditionOf(sight: Sight): Condition {
	const {instance, seen, now} = sight;
	if (seen.missed > 0) return 'gone';
	if (seen.destroyedAt !== undefined) {
		return now - seen.destroyedAt >= DESTROY_MS ? 'undead' : 'destroying';
	}
	return atRest(instance) ?? inMotion(sight);
}

/** The ones that do not run, and are not meant to run at present. */
function atRest({
	actual_status: status,
	intended_status: intended,
	cur_state: current,
}: Instance): Condition | undefined {
	// What its host has lost is worth knowing, also of something that is stopped.
	if (status === 'offline' || status === 'unknown') return undefined;
	if (status === 'stopped' || intended === 'stopped') return 'stopped';
	return current === 'stopped' ? 'waiting' : undefined;
}

function inMotion(sight: Sight): Condition {
	const {instance, seen} = sight;
	const status = instance.actual_status ?? null;
	if (endings.has(status)) return seen.looks >= LOOKS_TO_BELIEVE ? 'dead' : 'failing';
	if (status === null) return provisioning(sight);
	if (status === 'loading') return loading(sight);
	return status === 'running' ? running(sight) : 'other';
}

function provisioning({seen, limits, now}: Sight): Condition {
	const lasted = now - sinceOf(seen);
	if (seen.setbacks >= SETBACKS || lasted >= limits.nullStuckMinutes * MINUTE_MS) return 'stuck';
	return lasted >= limits.nullSlowMinutes * MINUTE_MS ? 'slow' : 'provisioning';
}

function loading({seen, limits, usualMs, now}: Sight): Condition {
	const lasted = now - sinceOf(seen);
	const {slowMs, stuckMs} = loadingLimits(limits, usualMs);
	if (seen.setbacks >= SETBACKS || lasted >= stuckMs) return 'stuck';
	return lasted >= slowMs ? 'slow' : 'loading';
}

/** From when on loading is slow, and stuck. What is usual for an image is never called stuck. */
export function loadingLimits(
	{loadingSlowMinutes, bootMinutes}: Limits,
	usualMs: number | undefined,
): {readonly slowMs: number; readonly stuckMs: number} {
	const slowMs = usualMs === undefined ? loadingSlowMinutes * MINUTE_MS : 2 * usualMs;
	return {slowMs, stuckMs: Math.max(bootMinutes * MINUTE_MS, slowMs)};
}

function running({seen, limits, now}: Sight): Condition {
	const {sshSilentSince: silent, idleSince: idle} = seen;
	if (silent !== undefined && now - silent >= limits.noSshMinutes * MINUTE_MS) return 'noSsh';
	return idle !== undefined && now - idle >= limits.idleMinutes * MINUTE_MS ? 'idle' : 'running';
}

/** Since when it has been in the present state. */
function sinceOf({phases}: Observation): number {
	return phases.at(-1)?.since ?? 0;
}

/** Since when it has been on the way to its present state: a boot is one way of several states. */
export function countedFrom({phases}: Observation): number {
	let since = phases.at(-1)?.since ?? 0;
	if (!isBooting(phases.at(-1)?.status ?? null)) return since;
	for (const phase of phases.toReversed()) {
		if (!isBooting(phase.status)) break;
		since = phase.since;
	}
	return since;
}

function isBooting(status: string | null): boolean {
	return status === null || status === 'loading';
}

const troubles = new Set<Condition>(['undead', 'stuck', 'dead']);

/** Whether it costs or loses something for as long as nobody acts. */
export function isTrouble(condition: Condition): boolean {
	return troubles.has(condition);
}

const problems = new Set<Condition>([...troubles, 'noSsh', 'failing', 'slow', 'idle', 'waiting']);

/** Whether it is worth a look. */
export function isProblem(condition: Condition): boolean {
	return problems.has(condition);
}
