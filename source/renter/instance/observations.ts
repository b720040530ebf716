/** Observations of an instance, poll by poll: since when it has been in its condition. */
import {reportedState} from '../../client/nouns/instance-list.ts';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	madeAt,
	runningSince,
	extendUseSpans,
	type UseSpan,
	polledSpanMs,
	extendPolledSpan,
	isWatchedBetween,
	LONGEST_BETWEEN_MS,
	type PolledSpan,
	type Moment,
} from './times.ts';
import {MINUTE_MS} from '../../contract/rules/durations.ts';

/** The state of an instance as its service reports it, and since when: milliseconds since 1970. */
export type StatePhase = {
	/** The service's own word; null while nothing runs for it yet. */
	readonly status: string | null;
	readonly since: number;
	/** True if the state is older than rentty's first poll, and so may have lasted longer. */
	readonly isOlder?: boolean;
};

export type Observation = {
	readonly id: number;
	/** States so far, the present one last. */
	readonly phases: readonly StatePhase[];
	readonly firstSeenAt: number;
	/** Consecutive polls that showed the present state. */
	readonly state: PolledSpan | undefined;
	/** Consecutive polls of the present boot: a boot that restarts by itself continues. */
	readonly boot: PolledSpan | undefined;
	/** Intended state at the last poll, and the instance's identity; undefined if not stored. */
	readonly intent: string | undefined;
	/** Consecutive polls that did not show the instance. */
	readonly missed: number;
	/** Time at which record and list agreed that the instance is gone. */
	readonly goneAt: number | undefined;
	/** True if the instance has run, so that its disk may contain data. */
	readonly hasRun: boolean;
	/** Restarts of its present boot. */
	readonly setbacks: number;
	readonly idleSince: number | undefined;
	/** GPU usage at the last polls, in percent; undefined if not measured. */
	readonly use: ReadonlyArray<number | undefined>;
	/** GPU usage over time, in stretches. */
	readonly useSpans: readonly UseSpan[];
	/** Time at which the service accepted its destruction. */
	readonly destroyedAt: number | undefined;
	/** Time at which an SSH port first answered, and since when it has been silent. */
	readonly sshAnsweredAt: number | undefined;
	readonly sshSilentSince: number | undefined;
};

/** Most states kept: longer histories tell no more, and would take space on disk. */
const MOST_PHASES = 20;

/** Polls kept for drawing usage over time. */
const MOST_USE = 60;

/** Time for which a container must run to end its boot: the next boot is a new one. */
const STEADY_MS = 600_000;

type ObserveOptions = Moment & {
	/** GPU usage below which an instance idles, in percent. */
	readonly idleBelow: number;
	/** Known length of a first boot since the instance was made, in milliseconds. */
	readonly bootMs: number;
	/** The last start or restart that rentty itself requested, on this machine's clock. */
	readonly startedAt?: number | undefined;
	/** The last stop that it asked for. */
	readonly stoppedAt?: number | undefined;
};

export function observe(
	before: Observation | undefined,
	instance: Instance,
	options: ObserveOptions,
): Observation {
	const {now, localNow, idleBelow} = options;
	const status = reportedState(instance);
	const observation = sinceStart(
		before ?? newObservation(instance.id, now),
		instance,
		options.startedAt,
	);
	const last = observation.phases.at(-1);
	const isSame = last?.status === status;
	const state = extendPolledSpan(isSame ? observation.state : undefined, {now, localNow});
	const polledAt = before?.state?.until;
	const earlier = isSame ? observation.phases.slice(0, -1) : observation.phases;
	return {
		...observation,
		phases: [...earlier, phaseOf(last, instance, {...options, polledAt: polledAt})].slice(
			-MOST_PHASES,
		),
		state,
		...bootOf({...observation, state}, instance, {now, localNow}),
		intent: intentOf(instance),
		missed: 0,
		goneAt: undefined,
		hasRun: observation.hasRun || hasEverRun(instance),
		idleSince: idleSince(before, instance, {now, localNow, idleBelow}),
		use: [...observation.use, instance.gpu_util ?? undefined].slice(-MOST_USE),
		useSpans: extendUseSpans(observation.useSpans, instance.gpu_util, now),
		...(status !== 'running' && {sshAnsweredAt: undefined, sshSilentSince: undefined}),
	};
}

/**
 * Observations without the polls before a visible start. The instance may take as long to boot as
 * at first, whatever state the service shows after it accepted the start.
 */
function sinceStart(
	observation: Observation,
	instance: Instance,
	startedAt = Number.NEGATIVE_INFINITY,
): Observation {
	const from = Math.min(
		...[observation.state, observation.boot].map(span => span?.from.localNow ?? Infinity),
	);
	if (observation.intent === intentOf(instance) && startedAt < from) return observation;
	return {...observation, state: undefined, boot: undefined, setbacks: 0};
}

/**
 * Changes with each start that the record shows: by its renter, from its queue, or as a new
 * instance.
 */
function intentOf({
	intended_status: intended,
	cur_state: current,
	next_state: next,
	start_date: made,
}: Instance): string {
	return JSON.stringify([intended, current, next, made].map(value => value ?? null));
}

/** Records a poll that did not find the instance. */
export function miss(observation: Observation): Observation {
	return {...observation, missed: observation.missed + 1};
}

/** An instance of which only the id is known. */
export function newObservation(id: number, now: number): Observation {
	return {
		id,
		phases: [],
		firstSeenAt: now,
		state: undefined,
		boot: undefined,
		intent: undefined,
		missed: 0,
		goneAt: undefined,
		hasRun: false,
		setbacks: 0,
		idleSince: undefined,
		use: [],
		useSpans: [],
		destroyedAt: undefined,
		sshAnsweredAt: undefined,
		sshSilentSince: undefined,
	};
}

/**
 * The earlier start of a running phase: services count whole minutes, so of all polls the earliest
 * moment is nearest to the truth.
 */
function nearerPhase(last: StatePhase, running = Infinity): StatePhase {
	const earlier = last.since - running;
	const isNearer = earlier > 0 && (last.isOlder === true || earlier < MINUTE_MS);
	return isNearer ? {status: last.status, since: running} : last;
}

type PhaseOptions = ObserveOptions & {
	/** The poll before this one. */
	readonly polledAt: Moment | undefined;
};

/**
 * Start of the present state: from its service or the journal, which is the same for all observers,
 * else from the first poll that showed it.
 */
function phaseOf(
	last: StatePhase | undefined,
	instance: Instance,
	options: PhaseOptions,
): StatePhase {
	const {now, polledAt} = options;
	const status = reportedState(instance);
	const running = runningSince(instance, now);
	if (last?.status === status) return nearerPhase(last, running);
	const since = running ?? ownSince(status, options);
	if (since !== undefined) return {status, since};
	if (last === undefined) return firstPhase(instance, options);
	const isKnown = now - (polledAt?.now ?? -Infinity) <= LONGEST_BETWEEN_MS;
	return isKnown ? {status, since: now} : {status, since: now, isOlder: true};
}

/**
 * Start of the state since a start or stop that rentty requested, if the last poll was before that.
 */
function ownSince(
	status: string | null,
	{now, localNow, polledAt, startedAt = -Infinity, stoppedAt = -Infinity}: PhaseOptions,
): number | undefined {
	const at = status === 'exited' ? stoppedAt : isBooting(status) ? startedAt : -Infinity;
	const isLast = at === Math.max(startedAt, stoppedAt) && at > (polledAt?.localNow ?? 0);
	return isLast && at <= localNow ? now - (localNow - at) : undefined;
}

/**
 * Earliest possible beginning of the state at the first poll. An instance younger than a boot may
 * take, and booting, has booted since its creation; the state of any older one may have begun at
 * any time.
 */
function firstPhase(instance: Instance, {now, bootMs}: ObserveOptions): StatePhase {
	const status = reportedState(instance);
	const made = madeAt(instance, now);
	const isNew = made !== undefined && now - made < bootMs;
	if (isBooting(status) && isNew) return {status, since: made};
	return {status, since: now, isOlder: true};
}

export function isBooting(status: string | null): boolean {
	return status === null || status === 'loading';
}

type ObservedBoot = Pick<Observation, 'boot' | 'setbacks'>;

/** @param observation observations so far, with the polls of the present state */
function bootOf(observation: Observation, instance: Instance, moment: Moment): ObservedBoot {
	const status = reportedState(instance);
	const last = observation.phases.at(-1);
	if (status === 'running') {
		const isSteady = polledSpanMs(observation.state) >= STEADY_MS;
		return isSteady
			? {boot: undefined, setbacks: 0}
			: {boot: observation.boot, setbacks: observation.setbacks};
	}
	if (!isBooting(status)) return {boot: undefined, setbacks: 0};
	const hasFallenBack = isSetback(last, instance);
	const goesOn = hasFallenBack || (last !== undefined && isBooting(last.status));
	return {
		boot: extendPolledSpan(goesOn ? observation.boot : undefined, moment),
		setbacks: (goesOn ? observation.setbacks : 0) + (hasFallenBack ? 1 : 0),
	};
}

/** True if the container has run: only then are there exits and uptimes. */
function hasEverRun({actual_status: status, uptime_mins: uptime}: Instance): boolean {
	return status === 'running' || status === 'exited' || (uptime !== null && uptime !== undefined);
}

const restarts = new Set(['rebooting', 'recycling']);

/** True if a boot restarts by itself: its renter did not request it. */
function isSetback(last: StatePhase | undefined, instance: Instance): boolean {
	if (last === undefined || restarts.has((instance.status_msg ?? '').trim())) return false;
	const now = reportedState(instance);
	if (last.status === 'loading') return now === null;
	return last.status === 'running' && isBooting(now);
}

/** Begins anew after a time that nobody watched: the GPUs may have worked all night. */
function idleSince(
	before: Observation | undefined,
	{actual_status: status, gpu_util: use}: Instance,
	{idleBelow, ...moment}: Moment & Pick<ObserveOptions, 'idleBelow'>,
): number | undefined {
	const isIdle = status === 'running' && typeof use === 'number' && use < idleBelow;
	if (!isIdle) return undefined;
	const polledAt = before?.state?.until;
	const isWatched = polledAt !== undefined && isWatchedBetween(polledAt, moment);
	return (isWatched ? before?.idleSince : undefined) ?? moment.now;
}
