import type {Shell} from './app.tsx';
import {LEAST_COLUMNS, LEAST_ROWS} from '../ui/chrome.ts';
import {outcomeMessage} from '../ui/message.ts';
import type {Services} from '../services/services.tsx';
import {createHabitHints, tellOfTrouble} from './habit-hints.ts';
import type {Input} from '../terminal/input/input-filter.ts';
import type {Key} from '../terminal/input/keys.ts';
import {readMouse} from '../terminal/input/mouse.ts';
import type {Terminal} from '../terminal/terminal.ts';

/**
 * React draws in a microtask, or in a turn of the loop for which that microtask asks. Where it has much
 * to do it asks for another one.
 */
const TURNS = 3;

type KeyTurns = {
	readonly take: (input: Input) => void;
	/** Forgets what waits: it was meant for what was on the screen before. */
	readonly drop: () => void;
	/** True if inputs wait for their turn. */
	readonly isWaiting: () => boolean;
};

/**
 * Hands over what was typed one by one. Keys that came in one go with another wait until React has
 * drawn the screen that it opened or left, because only then is it known which keys there are.
 */
export function createKeyTurns(receive: (input: Input) => void): KeyTurns {
	const waiting: Input[] = [];
	let isBusy = false;

	function next(): void {
		const input = waiting.shift();
		isBusy = input !== undefined;
		if (input === undefined) return;
		try {
			receive(input);
		} finally {
			queueMicrotask(() => later(TURNS, next));
		}
	}

	return {
		take(input) {
			waiting.push(input);
			if (!isBusy) next();
		},
		drop() {
			waiting.length = 0;
		},
		isWaiting: () => waiting.length > 0,
	};
}

/** Calls so many turns of the loop later. */
function later(turns: number, run: () => void): void {
	if (turns === 0) run();
	else setImmediate(() => later(turns - 1, run));
}

type Options = {
	readonly shell: Shell;
	readonly services: Pick<Services, 'fleet' | 'settings' | 'offers'>;
	readonly terminal: Pick<Terminal, 'size' | 'isLent'>;
	/** The user is here for the first time. */
	readonly isFirstSession: boolean;
	/** Somebody clicked on a place of the screen. */
	readonly click: (place: {readonly column: number; readonly row: number}) => void;
};

/** Acts on what was typed. */
export function createKeyReceiver({
	shell,
	services,
	terminal,
	click,
	isFirstSession,
}: Options): (input: Input) => void {
	const teach = createHabitHints(isFirstSession);
	const {keymap, message} = shell;
	if (isFirstSession) tellOfTrouble({fleet: services.fleet, message});

	function press(key: Key, isBurst: boolean): void {
		message.set(undefined);
		const outcome = keymap.press(key, isBurst);
		const said = outcomeMessage(outcome) ?? teach(key, outcome, keymap.reachable);
		if (said !== undefined) message.set(said);
	}

	function report(sequence: string): void {
		const event = services.settings.get().mouse ? readMouse(sequence) : undefined;
		if (event?.kind === 'wheel') press(event.step === 1 ? 'Down' : 'Up', true);
		else if (event !== undefined) click(event);
	}

	return input => {
		services.fleet.touch();
		services.offers.priceWatches.seen();
		// Keys typed ahead of another program were not meant for this one.
		if (terminal.isLent()) return;
		const isTooSmall = tooSmall(terminal);
		if (input.kind === 'key' && isTooSmall) {
			if (input.key === 'q' || input.key === 'Ctrl-C') shell.quit();
		} else if (isTooSmall) return;
		else if (input.kind === 'key') press(input.key, input.isBurst);
		else if (input.kind === 'paste') keymap.paste(input.text);
		else report(input.sequence);
	};
}

function tooSmall(terminal: Options['terminal']): boolean {
	const {columns, rows} = terminal.size();
	return columns < LEAST_COLUMNS || rows < LEAST_ROWS;
}
