import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import pty from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {screenText} from './emulator.ts';

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
};

export type Pty = ReturnType<typeof openPty>;

/** Runs a real program in a real pty, and reads from a terminal emulator what a user would see. */
export function openPty(
	file: string,
	args: readonly string[],
	{columns = 80, rows = 24, env = {}}: PtyOptions = {},
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
	child.onData(data => {
		raw += data;
		terminal.write(data);
	});
	child.onExit(event => {
		exitCode = event.exitCode;
		ended.resolve(event.exitCode);
	});
	terminal.onData(answer => child.write(answer));

	return {
		pid: child.pid,
		/** Everything the program wrote. */
		raw: () => raw,
		screen: () => screenText(terminal),
		isAlternate: () => terminal.buffer.active.type === 'alternate',
		type: (keys: string) => child.write(keys),
		kill: (signal: string) => child.kill(signal),
		resize(toColumns: number, toRows: number) {
			terminal.resize(toColumns, toRows);
			child.resize(toColumns, toRows);
		},
		/** Waits until the screen shows a text. */
		async sees(what: string | RegExp, withinMs = 10_000) {
			for (const deadline = performance.now() + withinMs; ; await sleep(5)) {
				await new Promise<void>(resolve => terminal.write('', resolve));
				const shown = screenText(terminal);
				if (typeof what === 'string' ? shown.includes(what) : what.test(shown)) return shown;
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
