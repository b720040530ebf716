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

/** Use of GPUs by spans of time: few enough to be drawn in a row, and seldom anew. */

/** Use seen in one span. */
export type UseSpan = {
	/** The so many-th stretch since 1970. */
	readonly at: number;
	/** Percents of all looks together, and how many looks said one. */
	readonly sum: number;
	readonly looks: number;
};

const SPAN_MS = 300_000;

/** The count of kept spans, the present one among them. */
export const USE_SPANS = 8;

/** The stretches with one more look in the present one. */
export function lookAtUse(
	spans: readonly UseSpan[],
	percent: number | null | undefined,
	now: number,
): readonly UseSpan[] {
	if (typeof percent !== 'number' || Number.isNaN(percent)) return spans;
	const at = Math.floor(now / SPAN_MS);
	const last = spans.at(-1);
	if (last?.at !== at) return [...spans, {at, sum: percent, looks: 1}].slice(-USE_SPANS);
	return [...spans.slice(0, -1), {at, sum: last.sum + percent, looks: last.looks + 1}];
}

/** Mean use in the last stretches, the present one last; undefined where none was seen. */
export function meanUse(spans: readonly UseSpan[], now: number): ReadonlyArray<number | undefined> {
	const present = Math.floor(now / SPAN_MS);
	return Array.from({length: USE_SPANS}, (_, index) => {
		const wanted = present - USE_SPANS + 1 + index;
		const span = spans.find(({at}) => at === wanted);
		return span === undefined ? undefined : span.sum / span.looks;
	});
}
