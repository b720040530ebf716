import type {Input} from './input/input-filter.ts';
import {createKeyboard, type SetTimer} from './input/keyboard.ts';
import {Line} from './line.ts';
import {createModes, type Modes, type TerminalInput, type TerminalOutput} from './modes.ts';
import {createScreen} from './output/screen.ts';

export type Size = {readonly columns: number; readonly rows: number};

type TerminalOptions = {
	readonly stdin: TerminalInput;
	readonly stdout: TerminalOutput;
	/** Stops this program and those it was started with, until the shell continues them. */
	readonly stop: () => void;
	/** Milliseconds since some moment. */
	readonly now: () => number;
	/** Runs something later; what it returns calls that off. @default setTimeout */
	readonly after?: SetTimer;
};

export type Terminal = ReturnType<typeof openTerminal>;

/** An answer of the terminal can come in pieces, and its ESC alone is no key. */
const [ESCAPE_DELAY_MS, ESCAPE_DELAY_ASKED_MS] = [50, 250];

/** The one owner of the terminal: takes it, draws on it, reads from it, and gives it back. */
export function openTerminal({stdin, stdout, stop, now, after = setTimer}: TerminalOptions) {
	const size = (): Size => ({columns: stdout.columns ?? 80, rows: stdout.rows ?? 24});
	const modes = createModes(stdin, stdout);
	const {line, screen, write} = openLine(modes, {stdout, now, after, size: size()});
	const inputs = createListeners<Input>();
	const resizes = createListeners<Size>();
	const keyboard = createKeyboard({
		stdin,
		onInput(input) {
			// Keys that come while the terminal is given back were typed for nobody.
			if (!line.hear(input) && modes.isTaken()) inputs.tell(input);
		},
		escapeDelayMs: () => (line.isAsked ? ESCAPE_DELAY_ASKED_MS : ESCAPE_DELAY_MS),
	});
	const sizes = watchSize(stdout, () => {
		screen.resize(size().columns, size().rows);
		resizes.tell(size());
	});

	const hold = createHold(modes, {
		onTake() {
			keyboard.resume();
			screen.forget();
			write(line.renew());
		},
		onRelease: keyboard.pause,
		whenSettled: run => line.whenSettled(run),
	});
	hold.take();

	return {
		screen,
		size,
		/** Hands over what is typed, beginning with what was typed so far. */
		onInput: inputs.listen,
		onResize: resizes.listen,
		/** Runs something once the terminal has shown enough of what was written; what waited before is dropped. */
		whenFree: (run: () => void) => line.whenFree(run),
		/** Asks once how long the link to the terminal takes. */
		measureLink: (listener: (ms: number) => void) => write(line.measure(listener)),
		/** Has it said when the line to the terminal turns out to be slow, or not to be. */
		onSlow: (listener: (isSlow: boolean) => void) => void (line.onSlow = listener),
		/** Sends what does not change the screen: a bell, a text for the clipboard. */
		send: write,
		/** Names the terminal's window; the name it had comes back when the terminal is given back. */
		setTitle: modes.setTitle,
		/**
		 * Turns reports of the mouse's wheel and buttons on or off; while on, it selects no text.
		 */
		setMouse: modes.setMouse,
		/** True while another program has the terminal. */
		isLent: hold.isLent,
		/** Gives the terminal to another program, and takes it again when that has ended. */
		lend: <Result>(borrow: () => Promise<Result>) => hold.lend(borrow, sizes.changed),
		/** Gives the terminal to the shell until it continues us. */
		suspend: () => hold.leave(stop),
		/** Takes the terminal again after `suspend`, or after a stop that came from outside. */
		resume() {
			// The shell has continued the program that it is lent to, too.
			if (hold.isLent()) return;
			modes.lose();
			hold.take();
			sizes.changed();
		},
		/** Gives the terminal back for good, once nothing that it answers can reach the shell. */
		leave: async () => new Promise<void>(resolve => hold.leave(resolve)),
		/** Gives the terminal back for good, at once. */
		close() {
			sizes.stop();
			hold.close();
			keyboard.close();
		},
	};
}

/** The drawn screen, whose updates ask how far the terminal has come. */
function openLine(
	modes: Modes,
	{
		stdout,
		now,
		after,
		size,
	}: Required<Pick<TerminalOptions, 'stdout' | 'now' | 'after'>> & {size: Size},
) {
	const line = new Line(now, after);
	const write = (data: string) => {
		if (!modes.isTaken() || data === '') return;
		const since = now();
		stdout.write(data);
		line.wrote(Buffer.byteLength(data), now() - since);
	};
	const question = (bytes: number) => (modes.isTaken() ? line.question(bytes) : '');
	return {line, write, screen: createScreen({...size, write, question})};
}

const setTimer: SetTimer = (run, ms) => {
	const timer = setTimeout(run, ms);
	return () => clearTimeout(timer);
};

type HoldEvents = {
	readonly onTake: () => void;
	readonly onRelease: () => void;
	/** Runs something when no answer of the terminal is on its way: it would be typed into whatever has it next. */
	readonly whenSettled: (run: () => void) => void;
};

/** Holder of the terminal: ours, the shell's, or a program's that we lent it to. */
function createHold(modes: Modes, {onTake, onRelease, whenSettled}: HoldEvents) {
	let isLent = false;
	let isClosed = false;
	function take(): void {
		if (!isClosed && modes.take()) onTake();
	}
	function release(): void {
		if (modes.release()) onRelease();
	}
	function leave(next: () => void): void {
		if (!modes.giveBack()) return next();
		whenSettled(() => {
			if (!modes.isTaken()) release();
			next();
		});
	}
	return {
		take,
		leave,
		isLent: () => isLent,
		async lend<Result>(borrow: () => Promise<Result>, onBack: () => void): Promise<Result> {
			isLent = true;
			await new Promise<void>(resolve => leave(resolve));
			try {
				return await borrow();
			} finally {
				isLent = false;
				take();
				modes.tidy();
				if (!isClosed) onBack();
			}
		},
		close() {
			isClosed = true;
			modes.giveBack();
			release();
		},
	};
}

/** Those who want to be told; what comes before there are any is kept for the first. */
function createListeners<Event>() {
	const listeners = new Set<(event: Event) => void>();
	const waiting: Event[] = [];
	return {
		tell(event: Event) {
			if (listeners.size === 0) waiting.push(event);
			for (const listener of listeners) listener(event);
		},
		listen: (listener: (event: Event) => void) => {
			listeners.add(listener);
			for (const event of waiting.splice(0)) listener(event);
			return () => void listeners.delete(listener);
		},
	};
}

/** A window that is dragged changes its size many times: only where it comes to rest is drawn. */
const RESIZE_DELAY_MS = 50;

function watchSize(stdout: TerminalOutput, onChange: () => void) {
	let timer: NodeJS.Timeout | undefined;
	const changed = () => {
		clearTimeout(timer);
		timer = setTimeout(onChange, RESIZE_DELAY_MS);
	};
	stdout.on('resize', changed);
	return {
		changed,
		stop() {
			clearTimeout(timer);
			stdout.off('resize', changed);
		},
	};
}
