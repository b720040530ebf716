/**
 * The time by which leases end: the service's, as far as two of three clocks agree that it passed. A jump
 * of one clock against both others is no passing of time.
 */

/** A moment on three clocks, in milliseconds. */
export type Clocks = {
	/** The `Date` of the service's answer, since 1970. */
	readonly date: number;
	/** This machine's clock, since 1970. */
	readonly wall: number;
	/** A clock of this process that never jumps, and stands still while the machine sleeps. */
	readonly steady: number;
};

export type Counted = Clocks & {
	/** The service's time that counts, in milliseconds since 1970. */
	readonly time: number;
	/** Since when the service's clock says another time than counts, on the steady clock. */
	readonly apartSince: number | undefined;
	/** Since when the time that counts has gone on evenly, on the steady clock. */
	readonly evenSince: number;
};

/** Dates have whole seconds, and answers take time. */
export const TOLERANCE_MS = 3000;

/** The least time between the two looks that prove something. */
export const LEAST_APART_MS = 10_000;

/** @param before the moment of the look before; undefined where none counts */
export function countOn(before: Counted | undefined, now: Clocks): Counted {
	if (before === undefined) return fresh(now, now.steady);
	const gaps = [now.date - before.date, now.wall - before.wall, now.steady - before.steady];
	const time = before.time + passedBy(gaps);
	const ahead = now.date - time;
	const {evenSince} = before;
	if (Math.abs(ahead) <= TOLERANCE_MS) return fresh(now, evenSince);
	const isSame = Math.abs(ahead - (before.date - before.time)) <= TOLERANCE_MS;
	const apartSince = (isSame ? before.apartSince : undefined) ?? now.steady;
	// A clock that has gone on evenly for as long as it once jumped is the one to go by.
	if (now.steady - apartSince >= Math.abs(ahead)) return fresh(now, apartSince);
	// A single date says nothing against another one.
	const isProven = (before.apartSince ?? before.steady) - evenSince >= LEAST_APART_MS;
	return isProven ? {...now, time, apartSince, evenSince} : fresh(now, now.steady);
}

function fresh(now: Clocks, evenSince: number): Counted {
	return {...now, time: now.date, apartSince: undefined, evenSince};
}

/** The time on which two clocks agree, else the least that any of them says. */
export function passedBy(gaps: readonly number[]): number {
	const [least = 0, next = 0, most = next] = gaps.toSorted((a, b) => a - b);
	const areTwo = next - least <= TOLERANCE_MS || (gaps.length > 2 && most - next <= TOLERANCE_MS);
	return Math.max(0, areTwo ? next : least);
}
