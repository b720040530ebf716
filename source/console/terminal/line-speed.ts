/** Speed of the line to the terminal, as its answers tell it. */

/** Bytes that may be written before answers tell anything: a whole frame and a bit. */
const UNKNOWN_BYTES = 8192;
/** Bytes behind which answers tell something: those to less tell how busy this program is. */
const TELLING_BYTES = 1000;
/** Delay that nobody notices. */
export const UNNOTICED_MS = 30;
/** Number of answers that the speed is taken from. */
const SAMPLES = 8;
// A whole frame at 300 bytes a second is not waited for; some terminals never answer.
const [LEAST_PATIENCE_MS, MOST_PATIENCE_MS] = [1000, 15_000];
/** Below, in bytes a millisecond, a line is slow where its frames take so long; above twice that it is not. */
const [SLOW_RATE, SLOW_MS] = [2.4, 250];
/** An update as long, and as late, tells it alone. */
const [LONG_BYTES, LONG_MS] = [1000, 1000];
const TOGETHER_MS = 100;

export class LineSpeed {
	#quickestMs: number | undefined;
	/** Bytes a millisecond, for each of the last answers: never more than the line can carry, and often less. */
	#rates: number[] = [];
	#learnt = 0;
	#judgedAt = Number.NEGATIVE_INFINITY;
	#slowInTurn = 0;
	#quickInTurn = 0;
	isSlow = false;

	get isKnown(): boolean {
		return this.#learnt >= TELLING_BYTES;
	}

	/** Time of the quickest answer: in the others are frames, and what else this program did. */
	get quickestMs(): number {
		return this.#quickestMs ?? Number.NaN;
	}

	get rate(): number {
		return Math.max(0, ...this.#rates);
	}

	/** Bytes that may be on their way: those of two round trips, or what nobody notices. */
	get allowance(): number {
		if (!this.isKnown) return UNKNOWN_BYTES;
		return 2 * this.rate * Math.max(this.quickestMs, UNNOTICED_MS);
	}

	/** Time for which an answer behind so many bytes is waited for. */
	patienceMs(bytes: number): number {
		const expected =
			this.#quickestMs === undefined ? LEAST_PATIENCE_MS / 2 : this.#quickestMs + bytes / this.rate;
		return Math.min(MOST_PATIENCE_MS, Math.max(LEAST_PATIENCE_MS, 4 * expected));
	}

	/** Notes the time that an answer behind so many bytes took. */
	learn(bytes: number, ms: number, now: number): void {
		this.#learnt += bytes;
		this.#rates = [...this.#rates, bytes / Math.max(ms, 0.1)].slice(-SAMPLES);
		if (this.#quickestMs !== undefined) this.#judge(bytes, ms - this.#quickestMs, now);
		this.#quickestMs = Math.min(ms, this.#quickestMs ?? ms);
	}

	forget(): void {
		this.#learnt = 0;
		this.#rates = [];
		this.#quickestMs = undefined;
	}

	/** Says of the line that it is slow, or not, when a long update or two in turn took so long. */
	#judge(bytes: number, ms: number, now: number): void {
		const rate = bytes / Math.max(ms, 0.1);
		const isSlow = rate < SLOW_RATE && ms > SLOW_MS;
		// A short update is quick on any line.
		const isQuick = rate > 2 * SLOW_RATE && bytes > LONG_BYTES / 2;
		// Answers that come together, as when this program was busy, are one.
		if ((!isSlow && !isQuick) || now - this.#judgedAt < TOGETHER_MS) return;
		this.#judgedAt = now;
		const weight = bytes > LONG_BYTES && ms > LONG_MS ? 2 : 1;
		this.#slowInTurn = isSlow ? this.#slowInTurn + weight : 0;
		this.#quickInTurn = isQuick ? this.#quickInTurn + 1 : 0;
		if (Math.max(this.#slowInTurn, this.#quickInTurn) >= 2) this.isSlow = isSlow;
	}
}
