/** Capacity of a machine's line, by which the traffic that its host reports is judged. */

/** The fastest line that the market takes for true, in Mb/s, whatever a host claims. */
const MOST_MBPS = 10_000;

const BYTES_PER_MEGABIT = 125_000;

/** Counts are taken a little before they arrive, and speeds are measured: so much is let pass. */
export const LINE_SLACK_SECONDS = 60;

/**
 * Seconds that a line needs for bytes in one direction; `claimedMbps` is null where no speed was
 * given.
 */
export function lineSeconds(bytes: number, claimedMbps: number | null): number {
	const speed = Math.min(claimedMbps ?? MOST_MBPS, MOST_MBPS) * BYTES_PER_MEGABIT;
	return bytes === 0 ? 0 : bytes / speed;
}

type Counted = {readonly created_at: number; readonly bytes_at: number};

/**
 * Until when the line of an instance was busy with all that was counted, `seconds` more than before;
 * undefined where that is later than now, for then the count cannot be true.
 */
export function busyUntil(
	{created_at: createdAt, bytes_at: countedAt}: Counted,
	seconds: number,
	now: number,
): number | undefined {
	const until = Math.max(createdAt - LINE_SLACK_SECONDS, countedAt) + seconds;
	return until > now ? undefined : Math.max(until, now - LINE_SLACK_SECONDS);
}
