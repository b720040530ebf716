/** An unbroken row of looks that showed the same, on two clocks: neither can jump it into the past. */

export type Moment = {
	/** Milliseconds since 1970 on the service's clock. */
	readonly now: number;
	/** The same on this machine's clock. */
	readonly localNow: number;
};

export type LookSpan = {
	readonly looks: number;
	/** The first look, and the last. */
	readonly from: Moment;
	readonly until: Moment;
};

/** Longest gap between looks: a longer one may hide anything. */
const LONGEST_GAP_MS = 3_600_000;

/** Adds a look. A clock that went back, or a long gap, begins a new span. */
export function lookAgain(span: LookSpan | undefined, {now, localNow}: Moment): LookSpan {
	const moment = {now, localNow};
	if (span === undefined || isBroken(span, moment)) {
		return {looks: 1, from: moment, until: moment};
	}
	return {looks: span.looks + 1, from: span.from, until: moment};
}

function isBroken({until}: LookSpan, {now, localNow}: Moment): boolean {
	const gaps = [now - until.now, localNow - until.localNow];
	return gaps.some(gap => gap < 0 || gap > LONGEST_GAP_MS);
}

/** Length of the looks, by the clock that shows less. */
export function lengthOf(span: LookSpan | undefined): number {
	if (span === undefined) return 0;
	const {from, until} = span;
	return Math.max(0, Math.min(until.now - from.now, until.localNow - from.localNow));
}
