/** Ends of offers, and of contracts of instances and volumes. */

const DAY = 86_400;

/** Days for which something is rented of an offer without an end: they begin anew each day. */
const OPEN_DAYS = 90;

/** End of a contract that is made or moved on now, whose offer has none; those before `due` are moved on. */
export function openEnd(now: number): {readonly end: number; readonly due: number} {
	const end = now + OPEN_DAYS * DAY;
	return {end, due: end - DAY};
}

/** End of a contract that is made now, of an offer that ends then, or has no end. */
export function contractEnd(offeredUntil: number | null, now: number): number {
	return offeredUntil ?? openEnd(now).end;
}

/** Moment as of which passing times are shown: all of them change together, once a minute. */
export function minuteOf(now: number): number {
	return Math.floor(now / 60) * 60;
}

/** Seconds until an end, as they are shown. */
export function timeLeft(end: number | null, now: number): number | null {
	return end === null ? null : end - minuteOf(now);
}
