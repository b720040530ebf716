/** What was seen of instances from one look at the service to the next: since when each is what it is. */
import type {Instance} from '../../contract/instance-record.ts';

/** The state of an instance as its service says it, and since when: milliseconds since 1970. */
export type Phase = {
	/** The service's own word; null while nothing runs for it yet. */
	readonly status: string | null;
	readonly since: number;
	/** It was so already when rentty first looked: it may have lasted longer. */
	readonly isOlder?: boolean;
};

export type Observation = {
	readonly id: number;
	/** What it was one after the other, the present state last. */
	readonly phases: readonly Phase[];
	/** How many looks in a row showed the present state. */
	readonly looks: number;
	/** How many looks in a row did not show it at all. */
	readonly missed: number;
	/** Whether it ran at some time, so that there may be something on its disk. */
	readonly hasRun: boolean;
	/** How often its boot went back to where it had been before. */
	readonly setbacks: number;
	readonly idleSince: number | undefined;
	/** How busy its GPUs were at the last looks, in percent; undefined where nothing was said. */
	readonly use: ReadonlyArray<number | undefined>;
	/** When the service accepted that it be destroyed. */
	readonly destroyedAt: number | undefined;
	/** When a port for SSH was first found to answer, and since when it has been silent. */
	readonly sshAnsweredAt: number | undefined;
	readonly sshSilentSince: number | undefined;
};

/** Longer histories say no more, and would be kept on disk. */
const MOST_PHASES = 20;

/** How many of the last looks are kept for drawing use over time. */
const MOST_USE = 60;

/** When it was made, on the clock of whoever looks; undefined where the service does not say. */
export function madeAt({duration}: Instance, now: number): number | undefined {
	return typeof duration === 'number' ? now - duration * 1000 : undefined;
}

/** Looks at an instance for the first time, or once more. */
export function observe(
	before: Observation | undefined,
	instance: Instance,
	{now, idleBelow}: {readonly now: number; readonly idleBelow: number},
): Observation {
	const status = instance.actual_status ?? null;
	const seen = before ?? firstSight(instance, now);
	const last = seen.phases.at(-1);
	const isSame = last?.status === status;
	const phases = isSame
		? seen.phases
		: [...seen.phases, {status, since: startOf(instance, now)}].slice(-MOST_PHASES);
	return {
		...seen,
		phases,
		looks: isSame ? seen.looks + 1 : 1,
		missed: 0,
		hasRun: seen.hasRun || hasEverRun(instance),
		setbacks: seen.setbacks + (isSetback(last, instance) ? 1 : 0),
		idleSince: idleSince(seen, instance, {now, idleBelow}),
		use: [...seen.use, instance.gpu_util ?? undefined].slice(-MOST_USE),
		...(status !== 'running' && {sshAnsweredAt: undefined, sshSilentSince: undefined}),
	};
}

/** Looks, and does not find it. */
export function miss(seen: Observation): Observation {
	return {...seen, missed: seen.missed + 1};
}

function firstSight(instance: Instance, now: number): Observation {
	return {
		id: instance.id,
		phases: [firstPhase(instance, now)],
		looks: 0,
		missed: 0,
		hasRun: hasEverRun(instance),
		setbacks: 0,
		idleSince: undefined,
		use: [],
		destroyedAt: undefined,
		sshAnsweredAt: undefined,
		sshSilentSince: undefined,
	};
}

/**
 * Since when it may have been so at the first sight. What boots has done so since it was made, for
 * all that is known; what the service says of its running is exact; anything else began some time
 * before, and is counted from now on.
 */
function firstPhase(instance: Instance, now: number): Phase {
	const status = instance.actual_status ?? null;
	const made = madeAt(instance, now);
	if ((status === 'loading' || status === null) && made !== undefined) return {status, since: made};
	const since = startOf(instance, now);
	return since === now ? {status, since, isOlder: true} : {status, since};
}

/** Since when the present state has lasted: as the service says, else from this look on. */
function startOf({actual_status: status, uptime_mins: uptime}: Instance, now: number): number {
	return status === 'running' && typeof uptime === 'number' ? now - uptime * 60_000 : now;
}

/** Whoever has an outcome has had a container. */
function hasEverRun({actual_status: status, uptime_mins: uptime}: Instance): boolean {
	return status === 'running' || status === 'exited' || (uptime !== null && uptime !== undefined);
}

const restarts = new Set(['rebooting', 'recycling']);

/** Whether a boot begins again by itself: its renter did not ask for it. */
function isSetback(
	last: Phase | undefined,
	{actual_status: status, status_msg}: Instance,
): boolean {
	if (last === undefined || restarts.has((status_msg ?? '').trim())) return false;
	const now = status ?? null;
	if (last.status === 'loading') return now === null;
	return last.status === 'running' && (now === 'loading' || now === null);
}

function idleSince(
	{idleSince: before}: Observation,
	{actual_status: status, gpu_util: use}: Instance,
	{now, idleBelow}: {readonly now: number; readonly idleBelow: number},
): number | undefined {
	const isIdle = status === 'running' && typeof use === 'number' && use < idleBelow;
	return isIdle ? (before ?? now) : undefined;
}
