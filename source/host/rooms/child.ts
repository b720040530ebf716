/** Something that runs in a room, with a terminal of its own or without. */
import {spawn} from 'node:child_process';
import {constants} from 'node:os';
import process from 'node:process';

/** A program with its arguments, as it is started on this machine: no shell reads them. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
};

/** What whoever enters brings along. */
export type Beginning = {
	readonly variables: Readonly<Record<string, string>>;
	/** Where somebody types to it: the kind of their terminal, and its size. */
	readonly terminal: {readonly name: string; readonly size: TerminalSize} | undefined;
};

export type TerminalSize = {readonly columns: number; readonly rows: number};

/** How something ended: with a code, or by a signal. */
export type Ending = {readonly code: number | undefined; readonly signal: string | undefined};

export type Child = {
	readonly write: (bytes: Buffer) => void;
	/** Nothing more is written to it. */
	readonly end: () => void;
	readonly onOutput: (take: (bytes: Buffer) => void) => void;
	/** What it complains of. With a terminal, that is among its output. */
	readonly onComplaint: (take: (bytes: Buffer) => void) => void;
	/** Holds what it says back, where nobody takes it fast enough. */
	readonly pause: () => void;
	readonly resume: () => void;
	readonly resize: (size: TerminalSize) => void;
	readonly kill: (signal: NodeJS.Signals) => void;
	/** Once it has ended, and all that it said was taken. It never fails. */
	readonly ended: Promise<Ending>;
};

/** Could not be started at all, as shells say it. */
const NOT_STARTED = 127;

/** Starts something in a process group of its own, so that all of it can be ended at once. */
export function startChild({file, args, cwd, env}: Launch): Child {
	const child = spawn(file, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']});
	const {promise: ended, resolve} = Promise.withResolvers<Ending>();
	child.on('error', () => resolve({code: NOT_STARTED, signal: undefined}));
	child.on('close', (code, signal) =>
		resolve({code: code ?? undefined, signal: signal ?? undefined}),
	);
	// Whoever does not read what is written to it has ended, and that is told.
	child.stdin.on('error', () => undefined);
	return {
		write: bytes => void child.stdin.write(bytes),
		end: () => void child.stdin.end(),
		onOutput: take => void child.stdout.on('data', take),
		onComplaint: take => void child.stderr.on('data', take),
		pause() {
			child.stdout.pause();
			child.stderr.pause();
		},
		resume() {
			child.stdout.resume();
			child.stderr.resume();
		},
		resize: () => undefined,
		kill: signal => killGroup(child.pid, signal),
		ended,
	};
}

/** Starts something for whoever enters. */
export async function startFor({variables, terminal}: Beginning, launch: Launch): Promise<Child> {
	const varied = {...launch, env: {...launch.env, ...variables}};
	return terminal === undefined
		? startChild(varied)
		: startInTerminal(varied, terminal.name, terminal.size);
}

/** The same with a terminal, as shells that somebody types to have. */
async function startInTerminal(
	{file, args, cwd, env}: Launch,
	name: string,
	{columns, rows}: TerminalSize,
): Promise<Child> {
	const {spawn: spawnInTerminal} = await import('@lydell/node-pty');
	const child = spawnInTerminal(file, [...args], {
		name,
		cols: columns,
		rows,
		cwd,
		env: {...env, TERM: name},
		// Of which every byte is a letter, so that none is changed on the way.
		encoding: 'latin1',
	});
	const {promise: ended, resolve} = Promise.withResolvers<Ending>();
	child.onExit(({exitCode, signal: number}) => {
		const signal = nameOfSignal(number);
		resolve({code: signal === undefined ? exitCode : undefined, signal});
	});
	return {
		write: bytes => child.write(bytes.toString('latin1')),
		end: () => child.write('\u0004'),
		onOutput: take => void child.onData(data => take(Buffer.from(data, 'latin1'))),
		onComplaint: () => undefined,
		pause: () => child.pause(),
		resume: () => child.resume(),
		resize: size => child.resize(size.columns, size.rows),
		kill: signal => killGroup(child.pid, signal),
		ended,
	};
}

function nameOfSignal(number: number | undefined): string | undefined {
	return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined || pid <= 1) return;
	try {
		process.kill(-pid, signal);
	} catch {
		// It has ended already.
	}
}
