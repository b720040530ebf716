import type {Terminal} from './terminal/terminal.ts';

/** Another program that gets the terminal for a while. Nothing of it passes through a shell. */
export type Command = {
	readonly program: string;
	readonly args: readonly string[];
	/** Variables beside those that rentty has itself. */
	readonly env?: Readonly<Record<string, string>>;
	/** Lines that stand above what the program writes: what runs, and how to come back. */
	readonly intro?: readonly string[];
	/**
	 * Waits for Enter before rentty returns, so that the program's output can be read.
	 * @default never
	 */
	readonly isRead?: (ended: Ended) => boolean;
};

/** End of a program. */
export type Ended =
	| {readonly kind: 'ended'; readonly code: number}
	| {readonly kind: 'killed'; readonly signal: string}
	| {readonly kind: 'notStarted'; readonly reason: string};

/** Runs a program in this terminal, and comes back when it has ended. It never throws. */
export type RunOutside = (command: Command) => Promise<Ended>;

export type OutsideOptions = {
	readonly terminal: Pick<Terminal, 'lend' | 'isLent'>;
	/** Runs the program once the terminal is free for it. */
	readonly run: RunOutside;
	readonly redraw: () => void;
	/** Told while nobody sees the screen. @default nobody */
	readonly hide?: (isHidden: boolean) => void;
};

export function createOutsideProgram({terminal, run, redraw, hide}: OutsideOptions): RunOutside {
	return async command => {
		if (terminal.isLent()) {
			return {kind: 'notStarted', reason: 'another program has this terminal'};
		}
		hide?.(true);
		const ended = await terminal.lend(() => run(command)).finally(() => hide?.(false));
		redraw();
		return ended;
	};
}
