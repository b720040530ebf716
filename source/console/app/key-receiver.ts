import type {Reachable} from '../ui/bindings.ts';
import {troubleCount} from '../../renter/fleet/fleet-texts.ts';
import type {KeyOutcome, ReachableScope} from '../ui/keymap.ts';
import {type Message, outcomeMessage} from '../ui/message.ts';
import type {Services} from '../services/services.tsx';
import type {Router} from '../services/router.ts';
import {isListening, listeningFrom, type ConfirmationTiming} from '../ui/confirmation.ts';
import type {Store} from '../../renter/state/store.ts';
import type {Key} from '../terminal/input/keys.ts';
import {createMouse, type followMouse, type MouseGround} from './mouse.ts';
import type {Shell} from './app.tsx';
import {LEAST_COLUMNS, LEAST_ROWS} from '../ui/chrome.ts';
import type {Input} from '../terminal/input/input-filter.ts';
import type {Terminal} from '../terminal/terminal.ts';

/** Times after which a hint was read, or is not wanted. */
const TIMES = 3;

/**
 * Hints about keys that delete in other programs, three times each, and once about marks in a first
 * session.
 */
function createHabitHints(isFirstSession: boolean) {
	const said = new Map<Key, number>();
	return (
		key: Key,
		outcome: KeyOutcome,
		reachable: () => readonly ReachableScope[],
	): Message | undefined => {
		const lesson = lessons[key];
		const times = said.get(key) ?? 0;
		if (lesson === undefined || lesson.on !== outcome.kind) return undefined;
		if (times >= (lesson.isTip === true ? Number(isFirstSession) : TIMES)) return undefined;
		const text = lesson.message(reachable());
		if (text !== undefined) said.set(key, times + 1);
		return text === undefined ? undefined : {text, isError: false};
	};
}

type Lesson = {
	readonly on: KeyOutcome['kind'];
	/** Text of the hint, given the keys that work here; undefined for none. */
	readonly message: (scopes: readonly ReachableScope[]) => string | undefined;
	/** The hint is given once, in a first session. */
	readonly isTip?: boolean;
};

const lessons: Readonly<Record<Key, Lesson>> = {
	'Ctrl-D': {
		on: 'ran',
		message: scopes => aboutRemoval('Ctrl-D moves half a page and never deletes.', scopes),
	},
	'Ctrl-K': {
		on: 'unbound',
		message: scopes => aboutRemoval('Ctrl-K does nothing here.', scopes),
	},
	Backspace: {
		on: 'unbound',
		message: scopes =>
			`Backspace never acts on rows. ${removalIn(scopes) ?? 'Esc is one step back.'}`,
	},
	Delete: {
		on: 'unbound',
		message: scopes => `Delete never acts on rows. ${removalIn(scopes) ?? 'Esc is one step back.'}`,
	},
	Space: {
		on: 'ran',
		isTip: true,
		message: scopes =>
			bindingIn(scopes, ({title}) => title.startsWith('mark, ')) === undefined
				? undefined
				: 'Marked. Keys then act on all that is marked; U marks none, v marks a range.',
	},
};

/** Hints once, in a first session, about the first instance that is stuck or dead. */
function announceTrouble({state}: Services['fleet'], message: Store<Message | undefined>): void {
	const unfollow = state.subscribe(() => {
		// A message on screen is more to the point: there will be another check.
		if (troubleCount(state.get().troubles) === 0 || message.get() !== undefined) return;
		unfollow();
		const text =
			'Something is stuck or dead: 2 shows it; there x destroys one, X all that is proven, after a review.';
		message.set({text, isError: false});
	});
}

function aboutRemoval(said: string, scopes: readonly ReachableScope[]): string | undefined {
	const removal = removalIn(scopes);
	return removal && `${said} ${removal}`;
}

function bindingIn(
	scopes: readonly ReachableScope[],
	isWanted: (binding: Reachable) => boolean,
): Reachable | undefined {
	return scopes.flatMap(({bindings}) => bindings).find(isWanted);
}

/** The key that destroys or deletes: "x: destroy, after a review." */
function removalIn(scopes: readonly ReachableScope[]): string | undefined {
	const binding = bindingIn(
		scopes,
		({keys, title}) => keys.length > 0 && /^(destroy|delete|remove)/.test(title),
	);
	return binding && `${binding.keys[0] ?? ''}: ${binding.title}, after a review.`;
}

/**
 * React draws in a microtask, or in a turn of the loop for which that microtask asks, and with much to do
 * in one more.
 */
const TURNS = 3;

type KeyTurns = {
	readonly take: (input: Input) => void;
	/** Drops waiting keys: they were meant for the screen before. */
	readonly drop: () => void;
	readonly isWaiting: () => boolean;
};

/**
 * Hands over what was typed one by one. Keys that came in one go with another wait until React has
 * drawn the screen that it opened or left, because only then is it known which keys there are. Those that
 * were typed before another screen was drawn move there, and open or confirm nothing.
 *
 * @param screen the one that is shown
 */
export function createKeyTurns(
	receive: (input: Input) => void,
	screen: () => unknown = () => undefined,
): KeyTurns {
	const waiting: Array<{readonly input: Input; readonly on: unknown}> = [];
	let isBusy = false;

	function next(): void {
		const typed = waiting.shift();
		isBusy = typed !== undefined;
		if (typed === undefined) return;
		const {input, on} = typed;
		const isAhead = on !== screen();
		try {
			receive(isAhead && input.kind === 'key' ? {...input, isBurst: true} : input);
		} finally {
			queueMicrotask(() => later(TURNS, next));
		}
	}

	return {
		take(input) {
			waiting.push({input, on: screen()});
			if (!isBusy) next();
		},
		drop() {
			waiting.length = 0;
		},
		isWaiting: () => waiting.length > 0,
	};
}

function later(turns: number, run: () => void): void {
	if (turns === 0) run();
	else setImmediate(() => later(turns - 1, run));
}

/**
 * Knows a screen that came by itself: nobody has pressed a key for it, so that keys count there only
 * when it could be read.
 */
function createArrival(
	{subscribe}: Pick<Router['stack'], 'subscribe'>,
	moment: () => ConfirmationTiming,
) {
	let listensFrom = Number.NEGATIVE_INFINITY;
	let isPressing = false;
	subscribe(() => {
		if (!isPressing) listensFrom = listeningFrom(moment());
	});
	return {
		isNew: () => !isListening({listensFrom}, moment()),
		during<Value>(press: () => Value): Value {
			isPressing = true;
			try {
				return press();
			} finally {
				isPressing = false;
			}
		},
	};
}

type Options = {
	readonly shell: Shell;
	readonly services: Pick<Services, 'fleet' | 'settings' | 'offers'>;
	readonly terminal: Pick<Terminal, 'size' | 'isLent'>;
	readonly nowMs: () => number;
	readonly isFirstSession: boolean;
	/** Reads the events of the mouse, where that is ours. */
	readonly mouse: Pick<ReturnType<typeof followMouse>, 'read'>;
	readonly ground: MouseGround;
	readonly copy: (text: string) => boolean;
	readonly environment: Readonly<Record<string, string | undefined>>;
};

export function createKeyReceiver({
	shell,
	services,
	terminal,
	mouse: {read},
	ground,
	copy,
	environment,
	nowMs,
	isFirstSession,
}: Options): (input: Input) => void {
	const teach = createHabitHints(isFirstSession);
	const {keymap, message} = shell;
	const arrival = createArrival(shell.router.stack, () => ({
		nowMs: nowMs(),
		linkMs: shell.pulse.get().linkMs,
	}));
	if (isFirstSession) announceTrouble(services.fleet, message);

	function press(key: Key, isBurst: boolean): void {
		if (key !== 'Ctrl-C' && arrival.isNew()) {
			const text = 'Dropped: the screen had just changed by itself.';
			if (message.get() === undefined) message.set({text, isError: false});
			return;
		}
		message.set(undefined);
		const outcome = arrival.during(() => keymap.press(key, isBurst));
		const said = outcomeMessage(outcome) ?? teach(key, outcome, keymap.reachable);
		if (said !== undefined) message.set(said);
	}

	const clicking: MouseGround = {
		...ground,
		click: cell => (arrival.isNew() ? undefined : arrival.during(() => ground.click(cell))),
	};
	const mouse = createMouse({ground: clicking, press, copy, say: message.set, environment});

	function report(sequence: string): void {
		const event = read(sequence);
		if (event !== undefined) mouse.take(event);
	}

	return input => {
		services.fleet.touch();
		services.offers.priceWatches.acknowledge();
		// Keys typed ahead of another program were not meant for this one.
		if (terminal.isLent()) return;
		const isTooSmall = tooSmall(terminal);
		if (input.kind === 'key' && isTooSmall) {
			if (input.key === 'q' || input.key === 'Ctrl-C') shell.quit();
		} else if (isTooSmall) return;
		else if (input.kind === 'key') {
			mouse.selectNone();
			press(input.key, input.isBurst);
		} else if (input.kind === 'paste') keymap.paste(input.text);
		else report(input.sequence);
	};
}

function tooSmall(terminal: Options['terminal']): boolean {
	const {columns, rows} = terminal.size();
	return columns < LEAST_COLUMNS || rows < LEAST_ROWS;
}
