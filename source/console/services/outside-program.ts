import type {Terminal} from '../terminal/terminal.ts';
import {messageOf} from '../../contract/rules/thrown.ts';
import {printable} from '../../renter/text/text-width.ts';

/** Another program that gets the terminal for a while, started without a shell. */
export type OutsideCommand = {
	readonly program: string;
	readonly args: readonly string[];
	/** Variables beside those that rentty has itself. */
	readonly env?: Readonly<Record<string, string>>;
	/** Lines above the program's output: its command, and the way back. */
	readonly intro?: readonly string[];
	/**
	 * Waits for Enter before rentty returns, so that the program's output can be read.
	 * @default never
	 */
	readonly isRead?: (ended: Ended) => boolean;
};

export type Ended =
	| {readonly kind: 'ended'; readonly code: number}
	| {readonly kind: 'killed'; readonly signal: string}
	| {readonly kind: 'notStarted'; readonly reason: string};

/** Runs a program in this terminal, and comes back when it has ended. Never throws. */
export type RunOutside = (command: OutsideCommand) => Promise<Ended>;

type OutsideOptions = {
	readonly terminal: Pick<Terminal, 'lend' | 'isLent'>;
	/** Runs the program once the terminal is free for it. */
	readonly run: RunOutside;
	readonly redraw: () => void;
	/** Called when the screen is hidden, and when it is back. */
	readonly hide?: (isHidden: boolean) => void;
};

export function createOutsideProgram({terminal, run, redraw, hide}: OutsideOptions): RunOutside {
	return async command => {
		if (terminal.isLent()) {
			return {kind: 'notStarted', reason: 'another program has this terminal'};
		}
		hide?.(true);
		const ended = await terminal.lend(() => run(command).catch(notStarted));
		hide?.(false);
		redraw();
		return ended;
	};
}

const notStarted = (error: unknown): Ended => ({kind: 'notStarted', reason: messageOf(error)});

/** Runs a program in a window of tmux of its own, while rentty stays in place. */
export function tmuxWindow(
	name: string,
	{program, args, env = {}}: OutsideCommand,
): OutsideCommand {
	const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
	// tmux expands formats in a name, and one of them runs commands.
	const title = printable(name).replaceAll('#', '##');
	return {
		program: 'tmux',
		// A single word would go to a shell; with several, tmux starts the program itself.
		args: ['new-window', ...variables, '-n', title, '--', 'env', '--', program, ...args],
	};
}
