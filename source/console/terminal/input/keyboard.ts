import type {Readable} from 'node:stream';
import {StringDecoder} from 'node:string_decoder';
import {createInputFilter, type Input} from './input-filter.ts';

type KeyboardOptions = {
	/** Source of the terminal's bytes. Raw mode is the caller's. */
	readonly stdin: Readable;

	readonly onInput: (input: Input) => void;

	/**
	 * Calls back after some time, unless the returned function cancels it.
	 * @default setTimeout, and one more check of pending input before the call
	 */
	readonly setTimer?: SetTimer;

	/**
	 * Time for a lone ESC to become the beginning of a key, read for each.
	 * @default 50
	 */
	readonly escapeDelayMs?: () => number;
};

export type SetTimer = (run: () => void, ms: number) => () => void;

export type Keyboard = {
	/**
	 * Leaves the terminal to a child. Input that was read and not given yet is dropped: it was meant for the
	 * child.
	 */
	readonly pause: () => void;
	readonly resume: () => void;

	/** Stops reading for good, so that the process can end. */
	readonly close: () => void;
};

// Long enough for a packet that was lost and sent again, short enough that a sequence whose end never
// comes does not swallow much typing.
const forgetDelayMs = 2000;

/** Reads keys, pastes and reports from the terminal, beginning at once. */
export function createKeyboard({
	stdin,
	onInput,
	setTimer = setTimerBehindInput,
	escapeDelayMs = () => 50,
}: KeyboardOptions): Keyboard {
	const session = {stdin, onInput, setTimer, escapeDelayMs};
	let isClosed = false;
	let stopReading: (() => void) | undefined = startReading(session);
	const pause = () => {
		stopReading?.();
		stopReading = undefined;
	};

	return {
		pause,
		resume() {
			if (!isClosed) {
				stopReading ??= startReading(session);
			}
		},
		close() {
			pause();
			isClosed = true;
		},
	};
}

function startReading(options: Required<KeyboardOptions>): () => void {
	const {stdin, onInput, setTimer} = options;
	const decoder = new StringDecoder('utf8');
	const filter = createInputFilter();
	let isStopped = false;
	let cancelFlush: (() => void) | undefined;
	let cancelForget: (() => void) | undefined;

	const read = (chunk: Buffer | string) => give(filter.push(decoder.write(chunk)));

	const give = (inputs: readonly Input[]) => {
		for (const input of inputs) {
			if (!isStopped) {
				onInput(input);
			}
		}

		if (!isStopped) {
			setTimers();
		}
	};

	const setTimers = () => {
		cancelFlush?.();
		cancelFlush = filter.isWaiting
			? setTimer(() => give(filter.flush()), options.escapeDelayMs())
			: undefined;
		if (filter.isOverdue) {
			// The timer is not set anew by each push, or typing on would keep an unfinished sequence alive.
			cancelForget ??= setTimer(() => give(filter.forget()), forgetDelayMs);
		} else {
			cancelForget?.();
			cancelForget = undefined;
		}
	};

	stdin.on('data', read);
	stdin.resume();
	return () => {
		isStopped = true;
		stdin.off('data', read);
		stdin.pause();
		cancelFlush?.();
		cancelForget?.();
	};
}

/**
 * A timer that fires after pending input is read: after busy time the rest of a key may have
 * arrived unread. Node reads between its timers and its immediates.
 */
const setTimerBehindInput: SetTimer = (run, ms) => {
	let immediate: NodeJS.Immediate | undefined;
	const timeout = setTimeout(() => {
		immediate = setImmediate(run);
	}, ms);
	return () => {
		clearTimeout(timeout);
		clearImmediate(immediate);
	};
};
