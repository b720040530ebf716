import type {Readable} from 'node:stream';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {mouseMode} from './input/keys.ts';
import type {Input} from './input/input-filter.ts';
import {createKeyboard, type SetTimer} from './input/keyboard.ts';
import {TerminalConnection} from './line.ts';
import {createScreen} from './output/screen.ts';

/** Streams of a terminal; `process.stdin` and `process.stdout` fit. */
type TerminalInput = Readable & {setRawMode?: (isRaw: boolean) => unknown};
type TerminalOutput = NodeJS.WritableStream & {
	readonly columns?: number;
	readonly rows?: number;
};

// Title saved, alternate screen, no cursor, bracketed paste; and the reverse.
const entering = '\u001B[22;0t\u001B[?1049h\u001B[?25l\u001B[?2004h';
const leaving = '\u001B[23;0t\u001B[?2004l\u001B[m\u001B[?25h\u001B[?1049l';
// Modes that a killed program may have left behind: the mouse, other cursor keys, a part that scrolls.
const tidy = '\u001B[?1000;1002;1003;1006l\u001B[?1l\u001B>\u001B[r\u001B[m';

const NO_PROGRESS = '\u001B]9;4;0\u0007';

type Modes = {
	/** True while the terminal is ours. */
	readonly isTaken: () => boolean;
	/** Takes the terminal; false if it was ours already. */
	readonly take: () => boolean;
	/** Gives the screen back as it was; false if it was not ours. Input still comes to us, unseen. */
	readonly giveBack: () => boolean;
	/** Gives back what is typed; false if it was not ours. */
	readonly release: () => boolean;
	/** Notes that another part gave the terminal back to the shell. */
	readonly lose: () => void;
	/** Resets modes that another program may have left in the lent terminal. */
	readonly tidy: () => void;
	/** Names the terminal's window for as long as the terminal is ours. */
	readonly setTitle: (title: string) => void;
	/** Shows progress beside the title, by bytes that set it; none if they are empty. */
	readonly setProgress: (sequence: string) => void;
	/** Has the mouse reported for as long as the terminal is ours, or leaves it to the terminal. */
	readonly setMouse: (isReported: boolean) => void;
};

/** The modes that a full-screen program sets on a terminal, and must not leave behind. */
function createModes(stdin: TerminalInput, stdout: TerminalOutput): Modes {
	let isTaken = false;
	let isRaw = false;
	let shownTitle = '';
	let progress = '';
	let isMouseReported = false;
	const mouse = (isReported: boolean) => (isMouseReported ? mouseMode(isReported) : '');
	return {
		isTaken: () => isTaken,
		take() {
			if (isTaken) return false;
			isTaken = true;
			isRaw = true;
			stdin.setRawMode?.(true);
			stdout.write(entering + titled(shownTitle) + progress + mouse(true));
			return true;
		},
		giveBack() {
			if (!isTaken) return false;
			isTaken = false;
			stdout.write(mouse(false) + (progress === '' ? '' : NO_PROGRESS) + leaving);
			return true;
		},
		release() {
			if (!isRaw) return false;
			isRaw = false;
			stdin.setRawMode?.(false);
			return true;
		},
		lose() {
			isTaken = false;
			isRaw = false;
		},
		tidy() {
			if (isTaken) stdout.write(tidy + mouse(true));
		},
		setTitle(title) {
			if (title === shownTitle) return;
			shownTitle = title;
			if (isTaken) stdout.write(titled(title));
		},
		setProgress(sequence) {
			if (sequence === progress) return;
			progress = sequence;
			if (isTaken) stdout.write(sequence);
		},
		setMouse(isReported) {
			if (isReported === isMouseReported) return;
			isMouseReported = isReported;
			if (isTaken) stdout.write(mouseMode(isReported));
		},
	};
}

function titled(title: string): string {
	return title === '' ? '' : `\u001B]0;${harmlessLine(title)}\u0007`;
}

export type Size = {readonly columns: number; readonly rows: number};

type TerminalOptions = {
	readonly stdin: TerminalInput;
	readonly stdout: TerminalOutput;
	/** Stops this program and those it was started with, until the shell continues them. */
	readonly stop: () => void;
	/** Milliseconds since some moment. */
	readonly now: () => number;
	/** Calls back later, unless the returned function cancels it. @default setTimeout */
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
			// Keys that come while the terminal is given back are dropped.
			if (!line.take(input) && modes.isTaken()) inputs.tell(input);
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
		/** Hands over the input, beginning with the input so far. */
		onInput: inputs.listen,
		onResize: resizes.listen,
		/** Runs a function once the terminal has shown enough of the output; a newer one replaces it. */
		whenFree: (run: () => void) => line.whenFree(run),
		/** Asks once how long the link to the terminal takes. */
		measureLink: (listener: (ms: number) => void) => write(line.measure(listener)),
		/** Calls back when the line turns out to be slow, or not to be. */
		onSlow: (listener: (isSlow: boolean) => void) => void (line.onSlow = listener),
		/** Sends sequences that leave the screen unchanged: a bell, a text for the clipboard. */
		send: write,
		/** Asks the terminal something: the program that has it next does not read the answer. */
		ask(text: string) {
			if (modes.isTaken()) write(line.ask(text));
		},
		/** Names the terminal's window; the name it had comes back when the terminal is given back. */
		setTitle: modes.setTitle,
		/** Shows progress beside the title, by bytes that set it, until the terminal is given back. */
		setProgress: modes.setProgress,
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
			// The shell has continued the borrowing program, too.
			if (hold.isLent()) return;
			modes.lose();
			hold.take();
			sizes.changed();
		},
		/** Gives the terminal back for good, once no answer of it can reach the shell. */
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
	const line = new TerminalConnection(now, after);
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
	/** Runs a function when no answer of the terminal is under way: it would be typed into the next program. */
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

/** Listeners; events before there are any are kept for the first. */
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

/** A dragged window changes its size many times: only the last one is drawn. */
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
