import type {Readable} from 'node:stream';
import {harmlessLine} from '../../contract/grammar/harmless-text.ts';
import {mouseMode} from './input/mouse.ts';

/** Streams of a terminal; `process.stdin` and `process.stdout` fit. */
export type TerminalInput = Readable & {setRawMode?: (isRaw: boolean) => unknown};
export type TerminalOutput = NodeJS.WritableStream & {
	readonly columns?: number;
	readonly rows?: number;
};

// The title kept aside, alternate screen, no cursor, pastes marked as such; and the same taken back.
const enter = '\u001B[22;0t\u001B[?1049h\u001B[?25l\u001B[?2004h';
const leave = '\u001B[23;0t\u001B[?2004l\u001B[m\u001B[?25h\u001B[?1049l';
// What a program that was killed may have left behind: the mouse, other cursor keys, a part that scrolls.
const tidy = '\u001B[?1000;1002;1003;1006l\u001B[?1l\u001B>\u001B[r\u001B[m';

export type Modes = {
	/** True while the terminal is ours. */
	readonly isTaken: () => boolean;
	/** Takes the terminal; false if it was ours already. */
	readonly take: () => boolean;
	/** Gives the screen back as it was; false if it was not ours. What is typed still comes to us, unseen. */
	readonly giveBack: () => boolean;
	/** Gives back what is typed; false if it was not ours. */
	readonly release: () => boolean;
	/** Notes that something else gave the terminal back to the shell. */
	readonly lose: () => void;
	/** Undoes what another program may have done to the terminal that was lent to it. */
	readonly tidy: () => void;
	/** Names the terminal's window for as long as the terminal is ours. */
	readonly setTitle: (title: string) => void;
	/** Has the mouse reported for as long as the terminal is ours, or leaves it to the terminal. */
	readonly setMouse: (isReported: boolean) => void;
};

/** The modes that a full-screen program sets on a terminal, and must not leave behind. */
export function createModes(stdin: TerminalInput, stdout: TerminalOutput): Modes {
	let isTaken = false;
	let isRaw = false;
	let shownTitle = '';
	let isMouseReported = false;
	const mouse = (isReported: boolean) => (isMouseReported ? mouseMode(isReported) : '');
	return {
		isTaken: () => isTaken,
		take() {
			if (isTaken) return false;
			isTaken = true;
			isRaw = true;
			stdin.setRawMode?.(true);
			stdout.write(enter + titled(shownTitle) + mouse(true));
			return true;
		},
		giveBack() {
			if (!isTaken) return false;
			isTaken = false;
			stdout.write(mouse(false) + leave);
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
