/** Clock of the market: tests move it by hand. */

export type Clock = {
	/** Seconds since 1970 in UTC, with a fraction: they jump when the clock is set, or the machine has slept. */
	readonly now: () => number;
	/** Seconds of a clock that never jumps. */
	readonly steady: () => number;
};

export const systemClock: Clock = {
	now: () => Date.now() / 1000,
	steady: () => performance.now() / 1000,
};

export type MarketClock = {
	/** Seconds since 1970 in UTC, with a fraction, never going back. */
	readonly now: () => number;
	/** The machine's, for times between two events of this process. */
	readonly steady: Clock['steady'];
	/** Time of the machine clock's last jump forward; -Infinity for none. */
	readonly jumpedAt: () => number;
};

/** Largest step that counts as ordinary time: corrections by time servers are smaller. */
const JUMP_SECONDS = 5;

/** Speed of market time while the machine's clock is behind. */
const WAITING_SPEED = 0.9;

/**
 * Makes the market's time from the machine's clock.
 *
 * A jump forward is followed at once, because a machine that slept looks like one whose clock was
 * set, and all that came due meanwhile is due. After a jump back, the market's time runs a little
 * slower until the clock has caught up: going back would make negative bills, and standing still
 * would stop charges and the detection of silent hosts for hours.
 *
 * @param earliest Time of the last write to the market's database.
 */
export function createMarketClock(clock: Clock, earliest = -Infinity): MarketClock {
	let last = Math.max(clock.now(), earliest);
	let lastSteady = clock.steady();
	let jumpedAt = -Infinity;
	return {
		now() {
			const [now, steady] = [clock.now(), clock.steady()];
			const passed = Math.max(0, steady - lastSteady);
			if (now > last + passed + JUMP_SECONDS) jumpedAt = now;
			last = Math.max(now, last + passed * WAITING_SPEED);
			lastSteady = steady;
			return last;
		},
		steady: clock.steady,
		jumpedAt: () => jumpedAt,
	};
}
