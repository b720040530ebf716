/** Sees to it that the terminal is given back, however the program ends. */
import type {Terminal} from '../terminal/terminal.ts';

/** Events that end or interrupt a process; `process` fits. */
export type Interrupts = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

export type GuardOptions = {
	readonly interrupts: Interrupts;
	readonly terminal: Terminal;
	/** Someone wants the program to end: a signal, or a terminal that went away. */
	readonly onQuit: (signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGABRT') => void;
	/** Something is broken. The terminal is given back already. */
	readonly onCrash: (error: unknown) => void;
};

/** The signal by which shells stop a program, to be continued later. */
const STOP = 'SIGTSTP';

/** Watches over a terminal for as long as it is taken. */
export function guardTerminal({interrupts, terminal, onQuit, onCrash}: GuardOptions): () => void {
	const handlers: ReadonlyArray<readonly [event: string, handler: (cause: unknown) => void]> = [
		['SIGTERM', () => onQuit('SIGTERM')],
		// Ctrl-C is meant for the program that has the terminal, and comes to both.
		['SIGINT', () => terminal.isLent() || onQuit('SIGINT')],
		['SIGQUIT', () => terminal.isLent() || onQuit('SIGQUIT')],
		['SIGABRT', () => onQuit('SIGABRT')],
		['SIGHUP', () => onQuit('SIGHUP')],
		[STOP, () => terminal.suspend()],
		['SIGCONT', () => terminal.resume()],
		['exit', () => terminal.close()],
		['uncaughtException', crash],
		['unhandledRejection', crash],
	];
	function crash(error: unknown): void {
		terminal.close();
		onCrash(error);
	}
	for (const [event, handler] of handlers) interrupts.on(event, handler);
	return () => {
		for (const [event, handler] of handlers) interrupts.off(event, handler);
	};
}

/** Stops this process and those it was started with, until the shell continues them. */
export function stopGroup(processes: NodeJS.Process): void {
	const handlers = processes.listeners(STOP);
	// With a handler in place the signal would not stop anything.
	processes.removeAllListeners(STOP);
	// Process 0 is the whole group: npm or a shell script that started us has to stop with us.
	processes.kill(0, STOP);
	processes.once('SIGCONT', () => {
		for (const handler of handlers) processes.on(STOP, handler);
	});
}
