/** Bandwidth of a machine's connection, an upper bound for the traffic that its host reports. */

/** The fastest plausible connection in Mb/s, whatever a host claims. */
const MOST_MBPS = 10_000;

const BYTES_PER_MEGABIT = 125_000;

/** Tolerance for late counts and measured speeds. */
export const LINE_SLACK_SECONDS = 60;

/**
 * Seconds that a connection needs for these bytes in one direction; `claimedMbps` is null for an
 * unknown speed.
 */
export function lineSeconds(bytes: number, claimedMbps: number | null): number {
	const speed = Math.min(claimedMbps ?? MOST_MBPS, MOST_MBPS) * BYTES_PER_MEGABIT;
	return bytes === 0 ? 0 : bytes / speed;
}

type Counted = {readonly created_at: number; readonly bytes_at: number};

/**
 * Time until which an instance's connection was busy with the counted traffic, `seconds` more than
 * before; undefined if that is in the future, which proves a false count.
 */
export function busyUntil(
	{created_at: createdAt, bytes_at: countedAt}: Counted,
	seconds: number,
	now: number,
): number | undefined {
	const until = Math.max(createdAt - LINE_SLACK_SECONDS, countedAt) + seconds;
	return until > now ? undefined : Math.max(until, now - LINE_SLACK_SECONDS);
}
