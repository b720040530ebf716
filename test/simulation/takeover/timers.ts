/** Timers of a process: they ring in the time of the world, and end with the process. */
import {current, world} from '../world/world.ts';
import type {Event} from '../world/queue.ts';

/** What a browser or Node gives for a timer. */
export class Timer {
	#event: Event | undefined;
	readonly #begin: () => Event;
	#isHeld = true;
	#lateMs = 0;

	constructor(ms: number, run: () => void, isRepeated: boolean) {
		const owner = current();
		const delay = Math.max(Number.isFinite(ms) ? ms : 1, 1);
		const drift = owner?.machine.drift ?? 0;
		this.#begin = () =>
			world().after(
				delay / (1 + drift) + this.#lateMs,
				() => {
					this.#event = isRepeated ? this.#begin() : undefined;
					run();
				},
				owner,
			);
		this.#event = this.#begin();
	}

	cancel(): void {
		if (this.#event !== undefined) this.#event.isCancelled = true;
		this.#event = undefined;
	}

	refresh(): this {
		this.cancel();
		this.#event = this.#begin();
		return this;
	}

	ref(): this {
		this.#isHeld = true;
		return this;
	}

	/** Work in the background is late where its machine is busy. */
	unref(): this {
		this.#isHeld = false;
		const owner = current();
		if (owner === undefined || owner.machine.lateMs === 0) return this;
		this.#lateMs = owner.chance.wait(owner.machine.lateMs);
		return this.refresh();
	}

	hasRef(): boolean {
		return this.#isHeld;
	}

	close(): this {
		this.cancel();
		return this;
	}

	[Symbol.dispose](): void {
		this.cancel();
	}
}

type Run = (...values: readonly unknown[]) => void;

export const setTimeout = (run: Run, ms = 1, ...values: readonly unknown[]) =>
	new Timer(ms, () => run(...values), false);
export const setInterval = (run: Run, ms = 1, ...values: readonly unknown[]) =>
	new Timer(ms, () => run(...values), true);
class Immediate {
	readonly #event: Event;

	constructor(run: () => void) {
		this.#event = world().after(0, run);
	}

	cancel(): void {
		this.#event.isCancelled = true;
	}

	ref(): this {
		return this;
	}

	unref(): this {
		return this;
	}
}

export const setImmediate = (run: Run, ...values: readonly unknown[]) =>
	new Immediate(() => run(...values));
export function clear(timer: unknown): void {
	if (timer instanceof Timer || timer instanceof Immediate) timer.cancel();
}

type Waiting = {readonly signal?: AbortSignal | undefined};

function abortError(signal: AbortSignal): Error {
	const error = new Error('The operation was aborted', {cause: signal.reason});
	return Object.assign(error, {name: 'AbortError', code: 'ABORT_ERR'});
}

async function wait<Value>(
	begin: (run: () => void) => unknown,
	value: Value,
	{signal}: Waiting = {},
): Promise<Value> {
	if (signal?.aborted === true) throw abortError(signal);
	return new Promise<Value>((resolve, reject) => {
		const end = () => {
			clear(timer);
			if (signal !== undefined) reject(abortError(signal));
		};
		const timer = begin(() => {
			signal?.removeEventListener('abort', end);
			resolve(value);
		});
		signal?.addEventListener('abort', end, {once: true});
	});
}

export async function timeoutLater<Value>(ms?: number, value?: Value, options?: Waiting) {
	return wait(run => setTimeout(run, ms), value, options);
}

export async function immediateLater<Value>(value?: Value, options?: Waiting) {
	return wait(setImmediate, value, options);
}

export async function* intervals<Value>(ms?: number, value?: Value, options?: Waiting) {
	for (;;) yield await timeoutLater(ms, value, options);
}
