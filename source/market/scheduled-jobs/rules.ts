/** Times of scheduled jobs, in UTC. */
import type {Frequency} from '../../contract/nouns/scheduled-jobs.ts';
import {DAY, HOUR, MINUTE} from '../../contract/rules/durations.ts';

export type Schedule = {
	readonly frequency: Frequency;
	readonly startAt: number;
	readonly endAt: number;
	readonly day: number | null;
	readonly hour: number | null;
	readonly minute: number;
};

const WEEK = 7 * DAY;

/** First Sunday since 1970, which began on a Thursday. */
const FIRST_SUNDAY = 3 * DAY;

export function minuteOfHour(at: number): number {
	return Math.floor(at / MINUTE) % 60;
}

/** The first time of a schedule from a moment on; undefined after its end. */
export function nextRun(schedule: Schedule, from: number): number | undefined {
	const {period, offset} = rhythmOf(schedule);
	const earliest = Math.max(from, schedule.startAt);
	const at = Math.ceil((earliest - offset) / period) * period + offset;
	return at <= schedule.endAt ? at : undefined;
}

function rhythmOf({frequency, day, hour, minute}: Schedule) {
	const inHour = minute * MINUTE;
	const inDay = (hour ?? 0) * HOUR + inHour;
	switch (frequency) {
		case 'HOURLY':
			return {period: HOUR, offset: inHour};
		case 'DAILY':
			return {period: DAY, offset: inDay};
		case 'WEEKLY':
			return {period: WEEK, offset: FIRST_SUNDAY + (day ?? 0) * DAY + inDay};
	}
}
