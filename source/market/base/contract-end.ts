/** Ends of offers, and of contracts of instances and volumes. */
import {DAY} from '../../contract/rules/durations.ts';

/** Days of a contract on an offer without an end, extended each day. */
const OPEN_DAYS = 90;

/** End of a contract on an offer without an end; contracts that end before `due` are extended. */
export function openEnd(now: number): {readonly end: number; readonly due: number} {
	const end = now + OPEN_DAYS * DAY;
	return {end, due: end - DAY};
}

export function contractEnd(offeredUntil: number | null, now: number): number {
	return offeredUntil ?? openEnd(now).end;
}

/** Start of the minute: durations are shown as of then, so that replies change once a minute. */
export function startOfMinute(now: number): number {
	return Math.floor(now / 60) * 60;
}

/** Shown seconds until an end. */
export function timeLeft(end: number | null, now: number): number | null {
	return end === null ? null : end - startOfMinute(now);
}
