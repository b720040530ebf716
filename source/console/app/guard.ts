/** Gives the terminal back, however the program ends, and logs a crash. */
import {appendFileSync, chmodSync, mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {inspect} from 'node:util';
import type {Terminal} from '../terminal/terminal.ts';
import {sentence} from '../../renter/text/format.ts';

/** Events that end or interrupt a process; `process` fits. */
type Interrupts = Pick<NodeJS.EventEmitter, 'on' | 'off' | 'emit'>;

type GuardOptions = {
	readonly interrupts: Interrupts;
	readonly terminal: Terminal;
	/** Called to end the program: after a signal, or when the terminal went away. */
	readonly onQuit: (signal: 'SIGTERM' | 'SIGHUP' | 'SIGINT' | 'SIGQUIT' | 'SIGABRT') => void;
	/** Called after a crash, when the terminal is given back already. */
	readonly onCrash: (error: unknown) => void;
};

/** The signal by which shells stop a program, to be continued later. */
const STOP = 'SIGTSTP';

/** Guards a terminal until the returned function is called. */
export function guardTerminal({interrupts, terminal, onQuit, onCrash}: GuardOptions): () => void {
	const handlers: ReadonlyArray<readonly [event: string, handler: (cause: unknown) => void]> = [
		['SIGTERM', () => onQuit('SIGTERM')],
		// Ctrl-C is meant for the program that has the terminal, and comes to both.
		['SIGINT', () => terminal.isLent() || onQuit('SIGINT')],
		['SIGQUIT', () => terminal.isLent() || onQuit('SIGQUIT')],
		['SIGABRT', () => onQuit('SIGABRT')],
		['SIGHUP', () => onQuit('SIGHUP')],
		[STOP, () => terminal.suspend()],
		['SIGCONT', goOn],
		['exit', () => terminal.close()],
		['uncaughtException', crash],
		['unhandledRejection', crash],
	];
	function goOn(): void {
		// A terminal that was resized meanwhile has told the shell alone: its size is read again.
		interrupts.emit('SIGWINCH');
		terminal.resume();
	}
	function crash(error: unknown): void {
		terminal.close();
		onCrash(error);
	}
	for (const [event, handler] of handlers) interrupts.on(event, handler);
	return () => {
		for (const [event, handler] of handlers) interrupts.off(event, handler);
	};
}

/** Stops this process group until the shell continues it. */
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

/** Logs a crash without the secret, and returns a sentence that names the log. */
export function logCrash(folder: string, error: unknown, secret: string | undefined): string {
	const file = join(folder, 'crash.log');
	const what = withoutSecret(error instanceof Error ? error.message : inspect(error), secret);
	const [line = ''] = what.split('\n');
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const entry = `${new Date().toISOString()}\n${withoutSecret(inspect(error), secret)}\n\n`;
		appendFileSync(file, entry, {mode: 0o600});
		chmodSync(file, 0o600);
		return `rentty stopped because of an error: ${sentence(line)} Details are in ${file}.`;
	} catch {
		return `rentty stopped because of an error: ${sentence(line)} Its log could not be written to ${file}.`;
	}
}

function withoutSecret(text: string, secret: string | undefined): string {
	return secret === undefined || secret === ''
		? text
		: text.replaceAll(secret, `..${secret.slice(-4)}`);
}
