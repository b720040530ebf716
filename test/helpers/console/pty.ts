import {withoutBox} from './box.ts';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {screenText} from './emulator.ts';
import {createRelay, type LineSpeed} from './slow-line.ts';

/** What a test runner sets and a user's shell does not. */
const ofTheRunner = [
	'CI',
	'CONTINUOUS_INTEGRATION',
	'NODE_ENV',
	'FORCE_COLOR',
	'VITEST',
	'NO_COLOR',
];

export type PtyOptions = {
	readonly columns?: number;
	readonly rows?: number;
	readonly env?: Readonly<Record<string, string>>;
	/** The line between the program and the terminal. @default none */
	readonly line?: LineSpeed;
};

const clock = {
	now: () => performance.now(),
	after: (ms: number, run: () => void) => setTimeout(run, ms),
};

export type Pty = ReturnType<typeof openPty>;

/** Runs a real program in a real pty, and reads from a terminal emulator what a user would see. */
export function openPty(
	file: string,
	args: readonly string[],
	{columns = 80, rows = 24, env = {}, line}: PtyOptions = {},
) {
	const terminal = new xterm.Terminal({cols: columns, rows, allowProposedApi: true});
	const inherited = Object.entries(process.env).filter(([name]) => !ofTheRunner.includes(name));
	const child = pty.spawn(file, [...args], {
		name: env['TERM'] ?? 'xterm-256color',
		cols: columns,
		rows,
		env: {...Object.fromEntries(inherited), LANG: 'C.UTF-8', ...env},
	});
	const ended = Promise.withResolvers<number>();
	let exitCode: number | undefined;
	let raw = '';
	const {type, waiting} = connect(child, terminal, line);
	child.onData(data => (raw += data));
	child.onExit(event => {
		exitCode = event.exitCode;
		ended.resolve(event.exitCode);
	});

	return {
		pid: child.pid,
		/** Everything the program wrote. */
		raw: () => raw,
		screen: () => screenText(terminal),
		isAlternate: () => terminal.buffer.active.type === 'alternate',
		type,
		/** The bytes that wait in the line, where there is one. */
		waiting,
		kill: (signal: string) => child.kill(signal),
		resize(toColumns: number, toRows: number) {
			terminal.resize(toColumns, toRows);
			child.resize(toColumns, toRows);
		},
		/** Waits until the screen shows a text, in its box where there is one. */
		async sees(what: string | RegExp, withinMs = 50_000) {
			for (const deadline = performance.now() + withinMs; ; await sleep(5)) {
				await new Promise<void>(resolve => terminal.write('', resolve));
				const shown = screenText(terminal);
				const read = withoutBox(shown);
				if (typeof what === 'string' ? read.includes(what) : what.test(read)) return shown;
				if (performance.now() > deadline)
					throw new Error(`never saw ${String(what)} on:\n${shown}`);
				if (exitCode !== undefined)
					throw new Error(`ended with ${exitCode} before ${String(what)}:\n${raw}`);
			}
		},
		/** Waits until the program has ended. */
		async ends(): Promise<number> {
			const code = await ended.promise;
			await new Promise<void>(resolve => terminal.write('', resolve));
			return code;
		},
		async [Symbol.asyncDispose]() {
			if (exitCode === undefined) child.kill('SIGKILL');
			await ended.promise;
			terminal.dispose();
		},
	};
}

/** Connects a program with its terminal, by a line where there is one. */
function connect(child: pty.IPty, terminal: InstanceType<typeof xterm.Terminal>, line?: LineSpeed) {
	const type = (keys: string): void => {
		if (line === undefined) child.write(keys);
		else setTimeout(() => child.write(keys), line.delayMs);
	};
	const show = (data: string) => terminal.write(data);
	const relay = line && createRelay(clock, line, show);
	child.onData(data => (relay === undefined ? show(data) : relay.send(data)));
	terminal.onData(type);
	return {type, waiting: () => relay?.waiting() ?? 0};
}

/** How a question says that it took no key yet. */
const DROPPED = /were dropped \((\d+)\)/;

/** Says yes to a question on the screen, by its key, again where that came before it could have been read. */
export async function agree(terminal: Pty, question: string, yes = 'y'): Promise<void> {
	for (;;) {
		const [, before = '0'] = DROPPED.exec(terminal.screen()) ?? [];
		terminal.type(yes);
		const heard = new RegExp(`were dropped \\((?!${before}\\))|^(?![^]*${question})`);
		if (!(await terminal.sees(heard)).includes(question)) return;
	}
}
