import type {Input} from './input/input-filter.ts';
import {createKeyboard} from './input/keyboard.ts';
import {createModes, type Modes, type TerminalInput, type TerminalOutput} from './modes.ts';
import {createScreen} from './output/screen.ts';

export type Size = {readonly columns: number; readonly rows: number};

export type TerminalOptions = {
	readonly stdin: TerminalInput;
	readonly stdout: TerminalOutput;
	/** Stops this program and those it was started with, until the shell continues them. */
	readonly stop: () => void;
	/** Milliseconds since some moment. */
	readonly now: () => number;
};

export type Terminal = ReturnType<typeof openTerminal>;

/** The one owner of the terminal: takes it, draws on it, reads from it, and gives it back. */
export function openTerminal({stdin, stdout, stop, now}: TerminalOptions) {
	const size = (): Size => ({columns: stdout.columns ?? 80, rows: stdout.rows ?? 24});
	const modes = createModes(stdin, stdout);
	const write = (data: string) => {
		if (modes.isTaken()) stdout.write(data);
	};
	const screen = createScreen({...size(), write});
	const link = createLinkClock(write, now);
	const inputs = createListeners<Input>();
	const resizes = createListeners<Size>();
	const keyboard = createKeyboard({
		stdin,
		onInput(input) {
			link.hear(input);
			inputs.tell(input);
		},
	});
	const sizes = watchSize(stdout, () => {
		screen.resize(size().columns, size().rows);
		resizes.tell(size());
	});

	const hold = createHold(modes, {
		onTake() {
			keyboard.resume();
			screen.forget();
		},
		onGiveBack: keyboard.pause,
	});
	hold.take();

	return {
		screen,
		size,
		/** Hands over what is typed, beginning with what was typed so far. */
		onInput: inputs.listen,
		onResize: resizes.listen,
		/** Asks once how long the link to the terminal takes. */
		measureLink: link.ask,
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
		lend: <Result>(borrow: () => Promise<Result>) => hold.lend(borrow, sizes.changed, link.settled),
		/** Gives the terminal to the shell until it continues us. */
		suspend() {
			hold.giveBack();
			stop();
		},
		/** Takes the terminal again after `suspend`, or after a stop that came from outside. */
		resume() {
			// The shell has continued the program that it is lent to, too.
			if (hold.isLent()) return;
			modes.lose();
			hold.take();
			sizes.changed();
		},
		/** Gives the terminal back for good. */
		close() {
			sizes.stop();
			hold.close();
			keyboard.close();
		},
	};
}

type HoldEvents = {readonly onTake: () => void; readonly onGiveBack: () => void};

/** Holder of the terminal: ours, the shell's, or a program's that we lent it to. */
function createHold(modes: Modes, {onTake, onGiveBack}: HoldEvents) {
	let isLent = false;
	let isClosed = false;
	function take(): void {
		if (!isClosed && modes.take()) onTake();
	}
	function giveBack(): void {
		if (modes.giveBack()) onGiveBack();
	}
	return {
		take,
		giveBack,
		isLent: () => isLent,
		async lend<Result>(
			borrow: () => Promise<Result>,
			onBack: () => void,
			settled: () => Promise<void> | undefined,
		): Promise<Result> {
			isLent = true;
			const settling = settled();
			if (settling !== undefined) await settling;
			giveBack();
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
			giveBack();
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

/** Asks the terminal whether it is well: the answer tells how long the link to it takes. */
const question = '\u001B[5n';
const answer = '\u001B[0n';

type LinkClock = {
	/** Asks once, and tells the listener how many milliseconds the answer took. */
	readonly ask: (listener: (ms: number) => void) => void;
	/** Takes what the terminal sent; anything but the answer is left alone. */
	readonly hear: (input: Input) => void;
	/**
	 * Settles when no answer is on its way any more. It would be typed into whatever has the terminal
	 * when it comes. Undefined where none is.
	 */
	readonly settled: () => Promise<void> | undefined;
};

/** Some terminals never answer. */
const PATIENCE_MS = 1000;

/** Measures how long the terminal takes to answer, which over a network is the link to it. */
function createLinkClock(write: (data: string) => void, now: () => number): LinkClock {
	let waiting: {readonly since: number; readonly listener: (ms: number) => void} | undefined;
	let onSettled: (() => void) | undefined;
	async function answered(): Promise<void> {
		await new Promise<void>(resolve => {
			onSettled = resolve;
			setTimeout(resolve, PATIENCE_MS);
		});
		waiting = undefined;
		onSettled = undefined;
	}

	return {
		ask(listener) {
			waiting = {since: now(), listener};
			write(question);
		},
		hear(input) {
			if (waiting === undefined || input.kind !== 'report' || input.sequence !== answer) return;
			const {since, listener} = waiting;
			waiting = undefined;
			onSettled?.();
			listener(now() - since);
		},
		settled: () => (waiting === undefined ? undefined : answered()),
	};
}
