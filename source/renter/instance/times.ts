/** Times of an instance from its service, and of polls. An impossible value counts as missing. */
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../contract/rules/durations.ts';

/** Earliest possible creation: no service of this API existed before 2015. */
const EARLIEST_MS = Date.UTC(2015, 0, 1);

/**
 * Tolerance: Date headers have whole seconds, and replies take time, so a beginning slightly in the
 * future is now.
 */
const TOLERANCE_MS = 10_000;

const YEAR_MS = 365 * 24 * HOUR_MS;
const LONGEST_RENTAL_MS = 100 * YEAR_MS;

/**
 * The moment an instance was created, in milliseconds since 1970; undefined if the service does not
 * send it.
 */
export function madeAt({start_date: start}: Instance, now: number): number | undefined {
	const at = milliseconds(start);
	if (at === undefined || at < EARLIEST_MS || at > now + TOLERANCE_MS) return undefined;
	return Math.min(at, now);
}

/** The start of the container; undefined if it does not run, or the service does not send it. */
export function runningSince(instance: Instance, now: number): number | undefined {
	const uptime = milliseconds((instance.uptime_mins ?? Number.NaN) * 60);
	if (instance.actual_status !== 'running' || uptime === undefined || uptime < 0) return undefined;
	const since = now - uptime;
	const made = madeAt(instance, now) ?? EARLIEST_MS;
	return since < made - TOLERANCE_MS ? undefined : since;
}

/** The moment a rental ends: its `end_date`, else now plus its `duration`. */
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

/** A length of time in words: 40 s, 13 min, 3 h 5 min, 10 d. */
export function spokenTime(ms: number): string {
	if (ms < MINUTE_MS) return `${Math.floor(ms / 1000)} s`;
	if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`;
	if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} d`;
	const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
	const hours = `${Math.floor(ms / HOUR_MS)} h`;
	return minutes === 0 ? hours : `${hours} ${minutes} min`;
}

export type Moment = {
	/** Milliseconds since 1970 on the service's clock. */
	readonly now: number;
	/** Milliseconds since 1970 on this machine's clock. */
	readonly localNow: number;
};

/**
 * Consecutive polls that showed the same, on two clocks: a jump of one cannot lengthen the span.
 */
export type PolledSpan = {
	readonly looks: number;
	/** The first and the last poll. */
	readonly from: Moment;
	readonly until: Moment;
	/** Time within it between polls so close that nothing can have changed and changed back. */
	readonly watchedMs: number;
};

/** Longest gap between polls of a span: a longer one may hide anything. */
const LONGEST_GAP_MS = HOUR_MS;

/**
 * Longest gap in which nothing is missed: after a longer one, a new state may have begun at any
 * time between.
 */
export const LONGEST_BETWEEN_MS = 90_000;

/** Adds a poll. A clock that went back, or a long gap, begins a new span. */
export function extendPolledSpan(
	span: PolledSpan | undefined,
	{now, localNow}: Moment,
): PolledSpan {
	const moment = {now, localNow};
	const started = {looks: 1, from: moment, until: moment, watchedMs: 0};
	if (span === undefined) return started;
	const {least, most} = gapBetween(span.until, moment);
	if (least < 0 || most > LONGEST_GAP_MS) return started;
	const watchedMs = span.watchedMs + (isWatchedBetween(span.until, moment) ? least : 0);
	return {looks: span.looks + 1, from: span.from, until: moment, watchedMs};
}

function gapBetween(before: Moment, {now, localNow}: Moment) {
	const gaps = [now - before.now, localNow - before.localNow];
	return {least: Math.min(...gaps), most: Math.max(...gaps)};
}

/** True if two polls are so close, on both clocks, that nothing was missed between. */
export function isWatchedBetween(before: Moment, moment: Moment): boolean {
	const {least, most} = gapBetween(before, moment);
	return least >= 0 && most <= LONGEST_BETWEEN_MS;
}

/** Length of the span, by the clock that shows less. */
export function polledSpanMs(span: PolledSpan | undefined): number {
	if (span === undefined) return 0;
	const {from, until} = span;
	return Math.max(0, Math.min(until.now - from.now, until.localNow - from.localNow));
}

/**
 * GPU usage in one span of time. The spans are few enough to be drawn in a row, and seldom redrawn.
 */
export type UseSpan = {
	/** Number of the stretch since 1970. */
	readonly at: number;
	/** Sum of the percentages, and count of the polls with one. */
	readonly sum: number;
	readonly polls: number;
};

const SPAN_MS = 120_000;

/** The count of kept spans, including the present one. */
export const USE_SPANS = 16;

/** The stretches with one more poll in the present one. */
export function extendUseSpans(
	spans: readonly UseSpan[],
	percent: number | null | undefined,
	now: number,
): readonly UseSpan[] {
	if (typeof percent !== 'number' || Number.isNaN(percent)) return spans;
	const at = Math.floor(now / SPAN_MS);
	const last = spans.at(-1);
	if (last?.at !== at) return [...spans, {at, sum: percent, polls: 1}].slice(-USE_SPANS);
	return [...spans.slice(0, -1), {at, sum: last.sum + percent, polls: last.polls + 1}];
}

/** The stretches with those of earlier polls, in the order of times. */
export function withEarlierUse(
	spans: readonly UseSpan[],
	samples: ReadonlyArray<{readonly at: number; readonly value: number | undefined}>,
): readonly UseSpan[] {
	const [first] = spans;
	const earlier = samples
		.reduce<readonly UseSpan[]>((all, {at, value}) => extendUseSpans(all, value, at), [])
		.filter(({at}) => first === undefined || at < first.at);
	return [...earlier, ...spans].slice(-USE_SPANS);
}

/** Mean usage in the last stretches, the present one last; undefined without polls. */
export function meanUse(spans: readonly UseSpan[], now: number): ReadonlyArray<number | undefined> {
	const present = Math.floor(now / SPAN_MS);
	return Array.from({length: USE_SPANS}, (_, index) => {
		const wanted = present - USE_SPANS + 1 + index;
		const span = spans.find(({at}) => at === wanted);
		return span === undefined ? undefined : span.sum / span.polls;
	});
}
