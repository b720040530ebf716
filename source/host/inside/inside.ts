/** The inside of an instance: its folders on this machine, and a way to start programs in it. */
import {spawn} from 'node:child_process';
import {Socket} from 'node:net';
import {constants} from 'node:os';
import process from 'node:process';
import type {Readable, Writable, Duplex} from 'node:stream';
import type {Stats} from 'node:fs';
import {join, posix, relative} from 'node:path';
import type {IPty} from '@lydell/node-pty';

export type InsidePlan = {
	/** The instance's own folder on this machine, with its home. */
	readonly folder: string;
	/** Host name inside, if the inside has a name of its own. */
	readonly hostName: string;
	/** Environment of the instance, without this program's own variables. */
	readonly env: Readonly<Record<string, string>>;
	/** Variables set inside, by which the host recognises the instance's processes. */
	readonly labels?: Readonly<Record<string, string>>;
	/** Further writable folders that go with the instance, and their paths inside. */
	readonly writable?: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Volumes: folders of this machine, and their paths inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	readonly devices?: readonly string[];
	/** The instance's own network, or none at all; undefined for that of the machine. */
	readonly network?: InsideNetwork | 'none';
	/** The control groups that all its processes are in. */
	readonly groups?: readonly string[];
	/** Limit of `/dev/shm` in bytes. */
	readonly sharedMemoryBytes?: number;
	/**
	 * First process of a running sandbox to enter: a program started in it sees the others, and
	 * keeps running when the SSH session ends.
	 */
	readonly joins?: number;
};

export type InsideNetwork = {
	/** Arguments that start a program in the network. */
	readonly entrance: readonly string[];
	/** Files of this machine that are shown inside as its settings. */
	readonly settings: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	readonly connect: NonNullable<Inside['connect']>;
	readonly listen: Listen;
};

/** Listens on a port, 0 for any, and passes on connections; returns the port. */
export type Listen = (
	port: number,
	take: (socket: Duplex) => void,
) => Promise<{readonly port: number; readonly close: () => void}>;

export type Inside = {
	readonly home: string;
	readonly folders: readonly string[];
	/**
	 * Path on this machine of a file inside; undefined for files outside the instance's folders.
	 */
	readonly outside: (path: string) => string | undefined;
	/** Folders and files of this machine that are shown inside at the same paths, read-only. */
	readonly readOnly?: readonly string[];
	readonly isReadOnly?: boolean;
	/** True if an opened folder is still the same one; absent if folders cannot change. */
	readonly isStillOwn?: (folder: string, about: Stats) => boolean;
	/** Starts a shell's command line inside; without one, a login shell. */
	readonly start: (command: string | undefined, beginning: Beginning) => Promise<Child>;
	/** Connects to a port as programs inside do; undefined if they share this machine's network. */
	readonly connect?: (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;
	/** Listens in the inside's network; undefined if it cannot, or if the network is the machine's. */
	readonly listen?: Listen;
};

/** A folder of this machine as an inside without processes. */
export function folderInside(folder: string): Inside {
	return {
		home: '/',
		folders: [folder],
		outside: path => join(folder, posix.resolve('/', path)),
		start: nothingRuns,
		connect: nothingRuns,
	};
}

export function readOnlyInside({home, folders, outside, readOnly, isStillOwn}: Inside): Inside {
	return {
		home,
		folders,
		outside,
		...(readOnly !== undefined && {readOnly}),
		...(isStillOwn !== undefined && {isStillOwn}),
		isReadOnly: true,
		start: nothingRuns,
		connect: nothingRuns,
	};
}

async function nothingRuns(): Promise<never> {
	throw new Error('nothing runs here: files are read by SFTP');
}

/** An inside that is entered by a program of this machine. */
export type LocalInside = Inside & {
	readonly isolation: 'sandbox' | 'none';
	/** Start of a shell's command line inside; without one, of a login shell. */
	readonly launch: (command?: string) => ProcessLaunch;
};

/** A program with its arguments, started on this machine without a shell. */
export type ProcessLaunch = {
	readonly file: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
	/**
	 * Closes the file that the program reads at its start: called once, when the program has ended,
	 * or could not be started.
	 */
	readonly release?: () => void;
	/** True to kill the rest of the process group when the first process has ended. */
	readonly endsWhole?: boolean;
};

/** Start of a session, as the client requests it. */
export type Beginning = {
	readonly variables: Readonly<Record<string, string>>;
	/** Client's terminal: its kind and its size; undefined without one. */
	readonly terminal: {readonly name: string; readonly size: TerminalSize} | undefined;
};

export type TerminalSize = {readonly columns: number; readonly rows: number};

export type ProcessEnding = {
	readonly code: number | undefined;
	readonly signal: string | undefined;
};

export type Child = {
	/** Input of the process, with backpressure for writers. */
	readonly input: Writable;
	readonly end: () => void;
	readonly output: Readable;
	/** Error output; undefined with a terminal, whose output includes it. */
	readonly complaint: Readable | undefined;
	/** Closes input and output after the client has disconnected. */
	readonly abandon: () => void;
	readonly resize: (size: TerminalSize) => void;
	readonly kill: (signal: NodeJS.Signals) => void;
	/** Fulfils when no start is in progress; absent if none ever was. */
	readonly begun?: Promise<void>;
	/** Fulfils when the process has ended and its output was read; never rejects. */
	readonly ended: Promise<ProcessEnding>;
};

/** Exit code that shells use for a program that could not be started. */
const NOT_STARTED = 127;

/** Starts a program, and gives back what was opened for it where that throws, as for a NUL. */
export function beginOrRelease<Begun>(
	{release}: Pick<ProcessLaunch, 'release'>,
	begin: () => Begun,
): Begun {
	try {
		return begin();
	} catch (error) {
		release?.();
		throw error;
	}
}

/** Starts a program in a process group of its own, so that the group can be killed at once. */
export function startChild(launch: ProcessLaunch): Child {
	const {release, endsWhole} = launch;
	const child = beginOrRelease(launch, () => spawnInGroup(launch));
	const {promise: ended, resolve} = Promise.withResolvers<ProcessEnding>();
	child.on('error', () => resolve({code: NOT_STARTED, signal: undefined}));
	if (endsWhole === true) child.on('exit', () => killGroup(child.pid, 'SIGKILL'));
	child.on('close', (code, signal) =>
		resolve({code: code ?? undefined, signal: signal ?? undefined}),
	);
	if (release !== undefined) void ended.then(release);
	const {stdin: input, stdout: output, stderr: complaint} = child;
	// A broken pipe means that the process has ended, which `ended` reports.
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

function spawnInGroup({file, args, cwd, env}: ProcessLaunch) {
	const child = spawn(file, args, {cwd, env, detached: true, stdio: ['pipe', 'pipe', 'pipe']});
	if (hasStreams(child)) return child;
	child.on('error', () => undefined);
	throw new Error('this machine can open no more files');
}

/** False if there were too many open files to start the process. */
function hasStreams({stdin}: {readonly stdin: Writable | undefined}): boolean {
	return stdin !== undefined;
}

export async function startFor(
	{variables, terminal}: Beginning,
	launch: ProcessLaunch,
): Promise<Child> {
	const varied = {...launch, env: {...launch.env, ...variables}};
	return terminal === undefined
		? startChild(varied)
		: startInTerminal(varied, terminal.name, terminal.size);
}

/** Loads terminals, which not every platform has. */
export const loadTerminals = async () => import('@lydell/node-pty');

async function startInTerminal(
	launch: ProcessLaunch,
	name: string,
	{columns, rows}: TerminalSize,
): Promise<Child> {
	const {file, args, cwd, env, release, endsWhole} = launch;
	const {spawn: spawnInTerminal} = await loadTerminals();
	const child = beginOrRelease(launch, () =>
		spawnInTerminal(file, [...args], {
			name,
			cols: columns,
			rows,
			cwd,
			env: {...env, TERM: name},
			// Null for bytes, without decoding.
			encoding: null,
		}),
	);
	const socket = socketOf(child);
	// Without a listener, the library would throw the error.
	socket.on('error', () => undefined);
	const {promise: ended, resolve} = Promise.withResolvers<ProcessEnding>();
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
			// The library throws for a terminal that has ended.
			if (!socket.destroyed) child.resize(wide, high);
		},
		kill: signal => killGroup(child.pid, signal),
		ended,
	};
}

/** The terminal's socket: the library's own writes have no backpressure. */
function socketOf(child: IPty): Socket {
	const socket: unknown = Reflect.get(child, '_socket');
	if (!(socket instanceof Socket)) throw new TypeError('this terminal is not a file');
	return socket;
}

const LAST_READ_MS = 200;

/**
 * Keeps a terminal open until its last output is read: the library closes it a moment after its
 * program has ended. Returns a function that closes it at once.
 */
function keepUntilTaken(socket: Socket): () => void {
	let isAbandoned = false;
	const destroy = socket.destroy.bind(socket);
	socket.destroy = error => {
		if (isAbandoned || !socket.isPaused()) return destroy(error);
		setTimeout(() => socket.destroy(error), LAST_READ_MS).unref();
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
		// The group has ended already.
	}
}

/** True if a path is in a folder, or the folder itself. */
export function isInFolder(folder: string, path: string): boolean {
	const rest = relative(folder, path);
	return rest !== '..' && !rest.startsWith('../');
}
