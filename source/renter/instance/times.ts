/** Times of an instance as its service says them. A value that cannot be counts as not said. */
import type {Instance} from '../../contract/nouns/instance-record.ts';

/** No service of this API made an instance before 2015. */
const EARLIEST_MS = Date.UTC(2015, 0, 1);

/** Date headers have whole seconds, and answers take time: a beginning this close ahead is now. */
const TOLERANCE_MS = 10_000;

const YEAR_MS = 365 * 24 * 3_600_000;
const LONGEST_RENTAL_MS = 100 * YEAR_MS;

/** The moment an instance was made, in milliseconds since 1970; undefined where it is not said. */
export function madeAt({start_date: start}: Instance, now: number): number | undefined {
	const at = milliseconds(start);
	if (at === undefined || at < EARLIEST_MS || at > now + TOLERANCE_MS) return undefined;
	return Math.min(at, now);
}

/** The moment since which its container runs; undefined where it does not, or it is not said. */
export function runningSince(instance: Instance, now: number): number | undefined {
	const uptime = milliseconds((instance.uptime_mins ?? Number.NaN) * 60);
	if (instance.actual_status !== 'running' || uptime === undefined || uptime < 0) return undefined;
	const since = now - uptime;
	const made = madeAt(instance, now) ?? EARLIEST_MS;
	return since < made - TOLERANCE_MS ? undefined : since;
}

/** The moment a rental ends: its `end_date`, else what `duration` says is left of it. */
export function endsAt({end_date: end, duration: left}: Instance, now: number): number | undefined {
	const at = milliseconds(end);
	if (at !== undefined && at >= EARLIEST_MS && at <= now + LONGEST_RENTAL_MS) return at;
	const leftMs = milliseconds(left);
	if (leftMs === undefined || leftMs < 0 || leftMs > LONGEST_RENTAL_MS) return undefined;
	return now + leftMs;
}

function milliseconds(seconds: number | null | undefined): number | undefined {
	const value = (seconds ?? Number.NaN) * 1000;
	return Number.isFinite(value) ? value : undefined;
}
