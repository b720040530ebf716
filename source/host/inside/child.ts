/** Something that runs in a room, with a terminal of its own or without. */
import {spawn} from 'node:child_process';
import {Socket} from 'node:net';
import {constants} from 'node:os';
import process from 'node:process';
import type {Readable, Writable} from 'node:stream';
import type {IPty} from '@lydell/node-pty';

/** A program with its arguments, as it is started on this machine: no shell reads them. */
export type Launch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/** Lets go of what the program reads at its start: called once, when it has ended. */
	readonly release?: () => void;
	/** Nothing outlives its first process: what that has left of its group is ended. */
	readonly endsWhole?: boolean;
};

/** Beginning of a session, as the client asks for it. */
export type Beginning = {
	readonly variables: Readonly<Record<string, string>>;
	/** Client's terminal: its kind and its size; undefined without one. */
	readonly terminal: {readonly name: string; readonly size: TerminalSize} | undefined;
};

export type TerminalSize = {readonly columns: number; readonly rows: number};

/** End of a process: an exit code or a signal. */
export type Ending = {readonly code: number | undefined; readonly signal: string | undefined};

export type Child = {
	/** Input of the process; it is no faster than the process reads. */
	readonly input: Writable;
	/** Nothing more is written to it. */
	readonly end: () => void;
	readonly output: Readable;
	/** Error output; undefined with a terminal, where it is part of the output. */
	readonly complaint: Readable | undefined;
	/** Lets go of what it says and is told, where nobody is there for it any more. */
	readonly abandon: () => void;
	readonly resize: (size: TerminalSize) => void;
	readonly kill: (signal: NodeJS.Signals) => void;
	/** Once it has ended, and all that it said was taken. It never fails. */
	readonly ended: Promise<Ending>;
};

/** Could not be started at all, as shells say it. */
const NOT_STARTED = 127;

/** Starts something in a process group of its own, so that all of it can be ended at once. */
export function startChild({file, args, cwd, env, release, endsWhole}: Launch): Child {
	const child = spawn(file, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']});
	if (!hasStreams(child)) {
		child.on('error', () => undefined);
		release?.();
		throw new Error('this machine can open no more files');
	}
	const {promise: ended, resolve} = Promise.withResolvers<Ending>();
	child.on('error', () => resolve({code: NOT_STARTED, signal: undefined}));
	if (endsWhole === true) child.on('exit', () => killGroup(child.pid, 'SIGKILL'));
	child.on('close', (code, signal) =>
		resolve({code: code ?? undefined, signal: signal ?? undefined}),
	);
	if (release !== undefined) void ended.then(release);
	const {stdin: input, stdout: output, stderr: complaint} = child;
	// Whoever does not read what is written to it has ended, and that is told.
	for (const stream of [input, output, complaint]) stream.on('error', () => stream.destroy());
	return {
		input,
		end: () => void input.end(),
		output,
		complaint,
		abandon() {
			for (const stream of [input, output, complaint]) stream.destroy();
		},
		resize: () => undefined,
		kill: signal => killGroup(child.pid, signal),
		ended,
	};
}

/** A process that could not be started for want of open files has none. */
function hasStreams({stdin}: {readonly stdin: Writable | undefined}): boolean {
	return stdin !== undefined;
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
	{file, args, cwd, env, release, endsWhole}: Launch,
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
		// Bytes, as they come.
		encoding: null,
	});
	const socket = socketOf(child);
	// Its library throws what nobody else listens to.
	socket.on('error', () => undefined);
	const {promise: ended, resolve} = Promise.withResolvers<Ending>();
	child.onExit(({exitCode, signal: number}) => {
		if (endsWhole === true) killGroup(child.pid, 'SIGKILL');
		const signal = nameOfSignal(number);
		resolve({code: signal === undefined ? exitCode : undefined, signal});
	});
	if (release !== undefined) void ended.then(release);
	const abandon = keepUntilTaken(socket);
	return {
		input: socket,
		end: () => void socket.write('\u0004'),
		output: socket.pause(),
		complaint: undefined,
		abandon,
		resize({columns: wide, rows: high}) {
			// One that has ended meanwhile has no size.
			if (!socket.destroyed) child.resize(wide, high);
		},
		kill: signal => killGroup(child.pid, signal),
		ended,
	};
}

/** The terminal as bytes: its library says of what is written to it neither when it is taken nor how much waits. */
function socketOf(child: IPty): Socket {
	const socket: unknown = Reflect.get(child, '_socket');
	if (!(socket instanceof Socket)) throw new TypeError('this terminal is not a file');
	return socket;
}

const LOOK_MS = 200;

/**
 * Has a terminal stay open while what it last said is held back: its library closes it a moment after
 * its program has ended. Answers how it is closed nevertheless.
 */
function keepUntilTaken(socket: Socket): () => void {
	let isAbandoned = false;
	const destroy = socket.destroy.bind(socket);
	socket.destroy = error => {
		if (isAbandoned || !socket.isPaused()) return destroy(error);
		setTimeout(() => socket.destroy(error), LOOK_MS).unref();
		return socket;
	};
	return () => {
		isAbandoned = true;
		destroy();
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
