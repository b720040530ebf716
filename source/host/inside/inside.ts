/** The inside of an instance: its folders on this machine, and a way to start programs in there. */
import {spawn} from 'node:child_process';
import {Socket} from 'node:net';
import {constants} from 'node:os';
import process from 'node:process';
import type {Readable, Writable, Duplex} from 'node:stream';
import type {Stats} from 'node:fs';
import {join, posix, relative} from 'node:path';
import type {IPty} from '@lydell/node-pty';

/** Plan of an instance's inside. */
export type InsidePlan = {
	/** The instance's own folder on this machine: what it writes at home lies in here. */
	readonly folder: string;
	/** Host name inside, where that has a name of its own. */
	readonly hostName: string;
	/** The variables of the instance. Nothing of this program's own environment is handed on. */
	readonly env: Readonly<Record<string, string>>;
	/** Variables by which the machine knows the processes inside; they are set inside, too. */
	readonly labels?: Readonly<Record<string, string>>;
	/** Further writable folders that go with the instance, and their paths inside. */
	readonly writable?: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Volumes: folders of this machine, and where they are seen inside. */
	readonly mounts: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	/** Devices of this machine that are seen inside, such as GPUs. */
	readonly devices?: readonly string[];
	/** A network of its own, or none at all; without it, that of the machine. */
	readonly network?: InsideNetwork | 'none';
	/** The control groups that all its processes are in. */
	readonly groups?: readonly string[];
	/** Limit of `/dev/shm` in bytes. */
	readonly sharedMemoryBytes?: number;
	/**
	 * The first process inside, where a sandbox is entered that runs: what runs in it is seen,
	 * and what is started in it stays when whoever started it goes.
	 */
	readonly joins?: number;
};

/** The network of an inside. */
export type InsideNetwork = {
	/** Arguments that start a program in the network. */
	readonly entrance: readonly string[];
	/** Files of this machine that are seen inside as its settings. */
	readonly settings: ReadonlyArray<{readonly folder: string; readonly path: string}>;
	readonly connect: NonNullable<Inside['connect']>;
	readonly listen: Listen;
};

/** Listens on a port, 0 for any, and hands over whoever connects; answers which port that is. */
export type Listen = (
	port: number,
	take: (socket: Duplex) => void,
) => Promise<{readonly port: number; readonly close: () => void}>;

/** Inside of an instance, as its SSH server needs it. */
export type Inside = {
	/** The home folder as it is called inside. */
	readonly home: string;
	/** The folders of this machine that it shows as its own. */
	readonly folders: readonly string[];
	/**
	 * Path on this machine of a file inside; undefined for files that are not the instance's own.
	 */
	readonly outside: (path: string) => string | undefined;
	/** Folders and files of this machine that are seen inside under the same names, and not changed. */
	readonly readOnly?: readonly string[];
	/** None of its files is changed. */
	readonly isReadOnly?: boolean;
	/** True if an opened folder is still the same one; absent where folders cannot change. */
	readonly isStillOwn?: (folder: string, about: Stats) => boolean;
	/** Starts a command line of a shell inside; without one, the shell that one logs in to. */
	readonly start: (command: string | undefined, beginning: Beginning) => Promise<Child>;
	/** Reaches a port as programs inside do; undefined where they share the network of this machine. */
	readonly connect?: (host: string, port: number, signal: AbortSignal) => Promise<Duplex>;
	/** Listens where programs inside connect to; undefined where nobody can, or they share the network. */
	readonly listen?: Listen;
};

/** A folder of this machine as an inside in which nothing runs. */
export function folderInside(folder: string): Inside {
	return {
		home: '/',
		folders: [folder],
		outside: path => join(folder, posix.resolve('/', path)),
		start: nothingRuns,
		connect: nothingRuns,
	};
}

/** The same inside for whoever may only read its files. */
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
	/** For whoever rents: how far it is apart from the machine that it runs on. */
	readonly isolation: 'sandbox' | 'none';
	/** Start of a shell's command line inside; without one, of a login shell. */
	readonly launch: (command?: string) => Launch;
};

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

/** True if a path is a folder's, or the folder itself. */
export function isWithin(folder: string, path: string): boolean {
	const rest = relative(folder, path);
	return rest !== '..' && !rest.startsWith('../');
}
