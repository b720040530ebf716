import type {Readable} from 'node:stream';

/** What a terminal is read from and written to; `process.stdin` and `process.stdout` fit. */
export type TerminalInput = Readable & {setRawMode?: (isRaw: boolean) => unknown};
export type TerminalOutput = NodeJS.WritableStream & {
	readonly columns?: number;
	readonly rows?: number;
};

// Alternate screen, no cursor, pastes marked as such; and the same taken back.
const enter = '\u001B[?1049h\u001B[?25l\u001B[?2004h';
const leave = '\u001B[?2004l\u001B[m\u001B[?25h\u001B[?1049l';

export type Modes = {
	/** Whether the terminal is ours at present. */
	readonly isTaken: () => boolean;
	/** Takes the terminal; false if it was ours already. */
	readonly take: () => boolean;
	/** Gives the terminal back as it was; false if it was not ours. */
	readonly giveBack: () => boolean;
	/** Notes that something else gave the terminal back to the shell. */
	readonly lose: () => void;
};

/** The modes that a full-screen program sets on a terminal, and must not leave behind. */
export function createModes(stdin: TerminalInput, stdout: TerminalOutput): Modes {
	let isTaken = false;
	return {
		isTaken: () => isTaken,
		take() {
			if (isTaken) return false;
			isTaken = true;
			stdin.setRawMode?.(true);
			stdout.write(enter);
			return true;
		},
		giveBack() {
			if (!isTaken) return false;
			isTaken = false;
			stdout.write(leave);
			stdin.setRawMode?.(false);
			return true;
		},
		lose() {
			isTaken = false;
		},
	};
}
