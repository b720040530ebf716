/** The mouse: clicks press keys, drags move edges or select text, and the wheel moves the cursor. */
import type {Message} from '../ui/message.ts';
import type {OnMouse} from '../ui/panes.ts';
import {
	MOUSE_QUESTION,
	readMouse,
	readMouseAnswer,
	type Cell,
	type Key,
	type MouseEvent,
} from '../terminal/input/keys.ts';
import type {Settings, SettingsStore} from '../../renter/settings/default-settings.ts';
import type {Terminal} from '../terminal/terminal.ts';

export type MouseGround = {
	/** Clicks on a cell; returns the key of its action. */
	readonly click: (cell: Cell) => Key | undefined;
	/** Handler that moves the edge at a cell; undefined if there is no edge. */
	readonly edgeAt: (cell: Cell) => OnMouse['drag'];
	readonly textAt: (row: number) => string;
	/** Selects the cells from one to another, in reading order. */
	readonly select: (from: Cell, to: Cell) => void;
	readonly selectNone: () => void;
	readonly selected: () => string;
};

type Options = {
	readonly ground: MouseGround;
	readonly press: (key: Key, isBurst: boolean) => void;
	/** Copies a text; false if it is longer than terminals take. */
	readonly copy: (text: string) => boolean;
	readonly say: (message: Message) => void;
	readonly environment: Environment;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The button that is down: where, on which text, and the edge that it holds. */
type Held = {
	readonly at: Cell;
	readonly text: string;
	readonly edge: OnMouse['drag'];
	readonly last: Cell;
	readonly hasMoved: boolean;
};

/**
 * Acts on the mouse. A click counts when the button is let go on the cell where it went down, and where
 * the same text stands there still: what moved meanwhile was not meant.
 */
export function createMouse({ground, press, copy, say, environment}: Options) {
	let held: Held | undefined;
	let hasSelected = false;

	function move(to: Cell): void {
		if (held === undefined) return;
		const {edge, last, at} = held;
		const hasMoved = held.hasMoved || to.column !== at.column || to.row !== at.row;
		held = {...held, last: to, hasMoved};
		if (edge !== undefined) edge(to.column - last.column);
		else if (hasMoved) {
			hasSelected = true;
			ground.select(at, to);
		}
	}

	function letGo(to: Cell): void {
		move(to);
		const done = held;
		held = undefined;
		if (done === undefined || (done.edge !== undefined && done.hasMoved)) return;
		if (done.hasMoved) return copySelected();
		if (ground.textAt(to.row) !== done.text) return;
		const key = ground.click(to);
		if (key !== undefined) press(key, false);
	}

	function copySelected(): void {
		const text = ground.selected();
		if (text.trim() === '') return;
		const by = `${selectingKey(environment)} and the mouse select as without rentty.`;
		const said = copy(text) ? 'Copied through the terminal' : 'Too long to copy';
		say({text: `${said}; ${by}`, isError: false});
	}

	return {
		/** True for the report of an event, which is acted on. */
		take(event: MouseEvent): void {
			if (event.kind === 'wheel') return press(event.step === 1 ? 'Down' : 'Up', true);
			if (event.kind === 'drag') return move(event);
			if (event.kind === 'release') return letGo(event);
			this.selectNone();
			const {column, row} = event;
			const at = {column, row};
			held = {at, text: ground.textAt(row), edge: ground.edgeAt(at), last: at, hasMoved: false};
		},
		/** Takes the selection off: another input came. */
		selectNone() {
			if (hasSelected) ground.selectNone();
			hasSelected = false;
		},
	};
}

/** The key that keeps the mouse for the terminal's own selection. */
function selectingKey({TERM_PROGRAM: program}: Environment): string {
	if (program === 'iTerm.app') return 'Option';
	return program === 'Apple_Terminal' ? 'Fn' : 'Shift';
}

type FollowOptions = {
	readonly settings: SettingsStore;
	readonly environment: Environment;
	readonly terminal: Pick<Terminal, 'setMouse' | 'ask'>;
	/** True if the user has tmux use the mouse. */
	readonly tmuxMouse: () => Promise<boolean>;
};

/**
 * Has the mouse reported where the settings want it, or leave it to the terminal and that says that it has
 * one. In tmux the user's own choice for tmux counts: who has its mouse off selects text by plain dragging.
 */
export function followMouse({settings, environment, terminal, tmuxMouse}: FollowOptions) {
	let hasMouse = false;
	let isAsked = false;
	const isWanted = ({mouse}: Settings) => (mouse === 'auto' ? hasMouse : mouse);
	const follow = () => {
		const {mouse} = settings.get();
		if (mouse === 'auto' && !isAsked) ask();
		terminal.setMouse(isWanted(settings.get()));
	};
	const answered = (isThere: boolean) => {
		hasMouse = isThere;
		follow();
	};
	function ask(): void {
		isAsked = true;
		if ((environment['TMUX'] ?? '') !== '') void tmuxMouse().then(answered, () => answered(false));
		else if (!silent.has(environment['TERM'] ?? '')) terminal.ask(MOUSE_QUESTION);
	}
	follow();
	const stop = settings.subscribe(follow);
	return {
		/** The event of a report; undefined for other reports, and while the mouse is left to the terminal. */
		read(sequence: string): MouseEvent | undefined {
			const answer = readMouseAnswer(sequence);
			if (answer !== undefined) answered(answer);
			return isWanted(settings.get()) ? readMouse(sequence) : undefined;
		},
		stop,
	};
}

/** Terminals that print a question they do not know. */
const silent = new Set(['', 'linux', 'dumb']);
