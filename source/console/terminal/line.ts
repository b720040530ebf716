/** The line to the terminal, which may be slow: frames are written no faster than it shows them. */
import type {Input} from './input/input-filter.ts';
import type {SetTimer} from './input/keyboard.ts';

/** Bytes that may be written before the first answer: a whole frame and a bit. */
const UNKNOWN_BYTES = 8192;
/** Least bytes before a question: an answer to fewer only measures how busy this program is. */
const TELLING_BYTES = 1000;
/** Delay that users do not notice. */
const UNNOTICED_MS = 30;
/** Number of answers that the speed is taken from. */
const SAMPLES = 8;
// Longest wait for an answer: some terminals never answer.
const [LEAST_PATIENCE_MS, MOST_PATIENCE_MS] = [1000, 15_000];
/** Below, in bytes a millisecond, a line is slow where its frames take so long; above twice that it is not. */
const [SLOW_RATE, SLOW_MS] = [2.4, 250];
/** Length and time of an update that alone shows a slow line. */
const [LONG_BYTES, LONG_MS] = [1000, 1000];
const TOGETHER_MS = 100;

class LineSpeed {
	#quickestMs: number | undefined;
	/** Bytes a millisecond for each of the last answers: at most the line's rate, and often less. */
	#rates: number[] = [];
	#learnt = 0;
	#judgedAt = Number.NEGATIVE_INFINITY;
	#slowInTurn = 0;
	#quickInTurn = 0;
	isSlow = false;

	get isKnown(): boolean {
		return this.#learnt >= TELLING_BYTES;
	}

	/** Time of the quickest answer: others include frames and other work of this program. */
	get quickestMs(): number {
		return this.#quickestMs ?? Number.NaN;
	}

	get rate(): number {
		return Math.max(0, ...this.#rates);
	}

	/** Bytes that may be under way: those of two round trips, or of an unnoticed delay. */
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

	/** Judges the line as slow, or not, after a long update or two in a row. */
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

type Question = {
	/** Column of the cursor at the question, which identifies the answer. */
	readonly id: number;
	readonly at: number;
	/** Bytes written before the question, and those of them known to be shown. */
	readonly written: number;
	readonly shown: number;
};

// Ids have one digit, and an id is not used again while another eight are out.
const MOST_QUESTIONS = 8;
const MOST_MISSES = 3;
/** Bytes that go without a question on a quick line. */
const SILENT_BYTES = 1024;
/** Bytes that the line's own device keeps until it can send them. */
const DEVICE_BYTES = 4096;
/** Pause between frames without a key on a slow line, and the time for which a key wants frames. */
const [UNASKED_EVERY_MS, TYPED_FOR_MS] = [5000, 3000];

// oxlint-disable-next-line no-control-regex -- reports of the terminal begin with it
const cursorReport = /^\u001B\[\d*;(\d*)R$/;

export class TerminalConnection {
	readonly #now: () => number;
	readonly #after: SetTimer;
	readonly #speed = new LineSpeed();
	readonly #questions: Question[] = [];
	#id = 0;
	#written = 0;
	#shown = 0;
	#queryAt = 0;
	#misses = 0;
	#cancelPatience: (() => void) | undefined;
	/** Rate at which the device took bytes when it made us wait, and the moment until which it has enough. */
	#deviceRate: number | undefined;
	#deviceBusyUntil = 0;
	#typedAt = 0;
	#drawnAt = 0;
	#waiting: (() => void) | undefined;
	#cancelWaiting: (() => void) | undefined;
	#onAnswer: ((ms: number) => void) | undefined;
	#onSettled: (() => void) | undefined;
	/** Called when the line turns out to be slow, or not to be. */
	onSlow: (isSlow: boolean) => void = () => {};

	constructor(now: () => number, after: SetTimer) {
		this.#now = now;
		this.#after = after;
	}

	/** True while an answer is on its way: on arrival it would be typed into the program that then has the terminal. */
	get isAsked(): boolean {
		return this.#questions.length > 0;
	}

	/** Begins anew with an unknown terminal, and returns the first question. */
	renew(): string {
		this.#forget();
		this.#misses = 0;
		return this.#ask(0);
	}

	/** The question for an update of so many bytes; empty if the answer would add little. */
	question(bytes: number): string {
		return this.#isWorthAsking(bytes) ? this.#ask(bytes) : '';
	}

	/** Calls back once, at the next answer, with the quickest time; returns a question where none is out. */
	measure(listener: (ms: number) => void): string {
		this.#onAnswer = listener;
		return this.isAsked ? '' : this.#ask(0);
	}

	/** A question of another kind with one of ours behind it, until whose answer its own is under way. */
	ask(text: string): string {
		return this.#questions.length === MOST_QUESTIONS ? '' : text + this.#ask(text.length);
	}

	/** Notes that bytes were written, and how long the device took to take them. */
	wrote(bytes: number, ms: number): void {
		const now = this.#now();
		this.#written += bytes;
		this.#drawnAt = now;
		if (ms > UNNOTICED_MS) {
			this.#deviceRate = bytes / ms;
			this.#deviceBusyUntil = now + DEVICE_BYTES / this.#deviceRate;
		} else if (this.#deviceRate !== undefined) {
			this.#deviceBusyUntil = Math.max(now, this.#deviceBusyUntil) + bytes / this.#deviceRate;
		}
		this.#deviceBusyUntil = Math.min(this.#deviceBusyUntil, now + UNASKED_EVERY_MS);
	}

	/** Takes a report; true if it is an answer to a question, which is not passed on. */
	take(input: Input): boolean {
		const [, column] = input.kind === 'report' ? (cursorReport.exec(input.sequence) ?? []) : [];
		if (column === undefined) {
			this.#typedAt = this.#now();
			this.#look();
			return false;
		}
		const index = this.#questions.findIndex(({id}) => id === Number(column));
		const question = this.#questions[index];
		if (question !== undefined) {
			this.#questions.splice(0, index + 1);
			this.#answered(question);
		}
		return true;
	}

	/**
	 * Runs a function when the line can carry a frame: at once, or when enough was shown. A newer one
	 * replaces the waiting one.
	 */
	whenFree(run: () => void): void {
		this.#waiting = run;
		this.#look();
	}

	/** Runs a function when no answer is under way any more. */
	whenSettled(run: () => void): void {
		if (this.isAsked) this.#onSettled = run;
		else run();
	}

	/** Asks the terminal, after so many bytes, for its cursor, put into a column of our own. */
	#ask(bytes: number): string {
		this.#id = (this.#id % (MOST_QUESTIONS + 1)) + 1;
		const text = `\u001B[${this.#id}G\u001B[6n`;
		this.#queryAt = this.#written + bytes + text.length;
		const question = {id: this.#id, at: this.#now(), written: this.#queryAt, shown: this.#shown};
		this.#questions.push(question);
		if (this.#questions.length === 1) this.#setPatience();
		return text;
	}

	#isWorthAsking(bytes: number): boolean {
		if (this.#misses > 0) return this.#misses < MOST_MISSES && !this.isAsked;
		if (this.#questions.length === MOST_QUESTIONS) return false;
		if (!this.#speed.isKnown) return true;
		const written = this.#written + bytes;
		const silent = Math.min(SILENT_BYTES, this.#speed.rate * UNNOTICED_MS);
		return written - this.#queryAt >= silent || written - this.#shown >= this.#speed.allowance;
	}

	/** Milliseconds until a frame may be written; undefined if an answer has to come first. */
	#freeIn(): number | undefined {
		const now = this.#now();
		const isUnasked = this.#speed.isSlow && now - this.#typedAt > TYPED_FOR_MS;
		const rest = isUnasked ? Math.max(0, this.#drawnAt + UNASKED_EVERY_MS - now) : 0;
		if (this.#misses > 0) return Math.max(rest, this.#deviceBusyUntil - now);
		const isFree = !this.isAsked || this.#written - this.#shown < this.#speed.allowance;
		return isFree ? rest : undefined;
	}

	/** Runs the waiting function if the line is free. */
	#look(): void {
		this.#cancelWaiting?.();
		this.#cancelWaiting = undefined;
		const run = this.#waiting;
		const ms = run === undefined ? undefined : this.#freeIn();
		if (run === undefined || ms === undefined) return;
		if (ms > 0) {
			this.#cancelWaiting = this.#after(() => this.#look(), ms);
			return;
		}
		this.#waiting = undefined;
		run();
	}

	#answered({at, written, shown}: Question): void {
		const {isSlow: wasSlow} = this.#speed;
		const now = this.#now();
		this.#misses = 0;
		this.#shown = written;
		this.#speed.learn(written - shown, now - at, now);
		const {isSlow} = this.#speed;
		if (isSlow !== wasSlow) this.onSlow(isSlow);
		const onAnswer = this.#onAnswer;
		this.#onAnswer = undefined;
		onAnswer?.(this.#speed.quickestMs);
		this.#setPatience();
		this.#settle();
	}

	#setPatience(): void {
		this.#cancelPatience?.();
		this.#cancelPatience = undefined;
		if (!this.isAsked) return;
		const ms = this.#speed.patienceMs(this.#queryAt - this.#shown);
		this.#cancelPatience = this.#after(() => this.#miss(), ms);
	}

	/** No answer came, and perhaps none ever will. */
	#miss(): void {
		this.#misses += 1;
		this.#forget();
		this.#settle();
	}

	#forget(): void {
		this.#cancelPatience?.();
		this.#cancelPatience = undefined;
		this.#questions.length = 0;
		this.#shown = this.#written;
		this.#queryAt = this.#written;
		this.#speed.forget();
	}

	#settle(): void {
		const onSettled = this.isAsked ? undefined : this.#onSettled;
		if (onSettled !== undefined) this.#onSettled = undefined;
		onSettled?.();
		this.#look();
	}
}
