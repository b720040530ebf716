/** A command in a container, to which an SSH session is connected. */
import {randomUUID} from 'node:crypto';
import type {Socket} from 'node:net';
import {Readable} from 'node:stream';
import type {Beginning, Child, ProcessEnding, TerminalSize} from '../inside/inside.ts';
import {
	createDemultiplexer,
	type OutputPart,
	readExitCode,
	startExecution,
	readCommandOutput,
} from './exec.ts';
import type {Engine} from './engine.ts';
import {makeExecPipes, NOT_PIPED, OPEN_PIPES, PIPED, type ExecPipes} from './exec-pipes.ts';

/** Environment variable that labels all processes of a session, or of a forward. */
export const SESSION_LABEL = 'RENTTY_SESSION';

const KILLING_MS = 10_000;

/** Starts Bash if the image has it: most people expect it. */
const SHELL =
	'if [ -x /bin/bash ]; then s=/bin/bash; else s=/bin/sh; fi; SHELL=$s; export SHELL; exec $s "$@"';

/** Sets the terminal's size before a program reads it: a resize by the engine may come later. */
function sizing({rows, columns}: TerminalSize): string {
	return `stty rows ${rows} cols ${columns} 2>/dev/null;`;
}

/**
 * Sends signals to the process groups of labelled commands, which engines cannot do. A process that
 * left its group, such as a tmux server, survives, as on any machine.
 */
const SIGNALLING = `
has() { { tr '\\0' '\\n' < "/proc/$1/environ" | grep -qx "$mark"; } 2>/dev/null; }
look() { s=$(cat "/proc/$1/stat" 2>/dev/null) || return 1; set -- \${s##*) }; parent=$2; group=$3; }
while [ $# -gt 1 ]; do
mark=$1; signal=$2; first=; shift 2
for d in /proc/[0-9]*; do
	p=\${d#/proc/}; has "$p" && look "$p" && [ "$parent" = 0 ] && first=$group
done
[ -n "$first" ] || continue
for d in /proc/[0-9]*; do
	p=\${d#/proc/}; has "$p" && look "$p" && [ "$group" = "$first" ] && kill -s "$signal" "$p"
done
done`;

type ChildPlan = {
	readonly container: string;
	readonly signal: Signalling;
	readonly folder: string;
	/** Folder of this machine for its pipes, if any. */
	readonly pipes: string | undefined;
	/** A shell's command line; undefined for a login shell. */
	readonly command: string | undefined;
	readonly beginning: Beginning;
};

export async function startInContainer(engine: Engine, plan: ChildPlan): Promise<Child> {
	const {container, signal: signalLabelled, folder, command, beginning} = plan;
	const {terminal} = beginning;
	const label = randomUUID();
	const variables = {
		...beginning.variables,
		...(terminal !== undefined && {TERM: terminal.name}),
		HOME: '/root',
		[SESSION_LABEL]: label,
	};
	const hasPipes = terminal === undefined && plan.pipes !== undefined;
	const pipes = hasPipes ? await makeExecPipes(plan.pipes, label) : undefined;
	const preparing = terminal === undefined ? '' : sizing(terminal.size);
	const script = (pipes === undefined ? preparing : OPEN_PIPES) + SHELL;
	const {id, socket} = await startExecution(engine, {
		container,
		words: [
			'/bin/sh',
			'-c',
			script,
			'sh',
			...(pipes === undefined ? [] : [pipes.path]),
			...(command === undefined ? ['-l'] : ['-c', command]),
		],
		env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
		folder,
		terminal: terminal?.size,
	}).catch((error: unknown) => {
		pipes?.close();
		throw error;
	});
	const resize = resizing(engine, id);
	// Older engines ignore the initial size, and not every image has stty.
	if (terminal !== undefined) resize(terminal.size);

	let isOver = false;
	socket.on('error', () => undefined);
	const {input, output, complaint} =
		pipes === undefined
			? {
					input: socket,
					...takeApart(socket, terminal === undefined ? createDemultiplexer() : asOutput),
				}
			: await takePiped(socket, pipes);
	const ended = Promise.all([closed(output), closed(complaint)]).then(async () =>
		endingOf(engine, id),
	);
	const rest = () => {
		isOver = true;
		pipes?.close();
	};
	void ended.then(rest);

	return {
		input,
		end: () => void (terminal === undefined ? input.end() : input.write('\u0004')),
		output,
		complaint,
		abandon() {
			socket.destroy();
			pipes?.close();
		},
		resize,
		kill(signal) {
			if (!isOver) signalLabelled(label, signal);
		},
		ended,
	};
}

export type Signalling = (label: string, signal: NodeJS.Signals) => void;

/** Commands that one signalling program of the engine handles at once. */
const MOST_AT_ONCE = 64;

/**
 * Sends signals in a container by one program of the engine at a time, for all waiting commands.
 */
export function signalling(engine: Engine, container: string): Signalling {
	const waiting = new Map<string, readonly [mark: string, signal: string]>();
	return oneAtATime(
		async () => {
			const some = [...waiting].slice(0, MOST_AT_ONCE);
			for (const [key] of some) waiting.delete(key);
			const pairs = some.flatMap(([, pair]) => pair);
			const words = ['/bin/sh', '-c', SIGNALLING, 'sh', ...pairs];
			// A container that has ended has no such process.
			await readCommandOutput(engine, {container, words}, KILLING_MS).catch(() => undefined);
			return waiting.size > 0;
		},
		(label: string, signal: NodeJS.Signals) => {
			waiting.set(`${label} ${signal}`, [`${SESSION_LABEL}=${label}`, signalName(signal)]);
		},
	);
}

/** Queues requests, and works on them until none is left; further callers wait for the same run. */
function oneAtATime<Given extends readonly unknown[]>(
	work: () => Promise<boolean>,
	want: (...given: Given) => void,
): (...given: Given) => void {
	let isBusy = false;
	return (...given) => {
		want(...given);
		if (isBusy) return;
		isBusy = true;
		void (async () => {
			while (await work());
			isBusy = false;
		})();
	};
}

async function closed(stream: Readable): Promise<void> {
	if (!stream.closed) await new Promise(resolve => stream.on('close', resolve));
}

type ReadParts = (bytes: Buffer) => readonly OutputPart[];

/** Limit on the wait for a command to open its pipes: the image's shell may be anything. */
const OPENING_MS = 10_000;

/**
 * Input and output of a command that was given pipes. They are the engine's if the command cannot
 * open them, for example because the engine runs elsewhere.
 */
async function takePiped(socket: Socket, pipes: ExecPipes) {
	const {promise: isPiped, resolve} = Promise.withResolvers<boolean>();
	const read = createDemultiplexer();
	let isFirst = true;
	const streams = takeApart(socket, bytes =>
		read(bytes).map(part => {
			if (!isFirst || part.channel !== 'output') return part;
			isFirst = false;
			const text = part.bytes.toString('latin1');
			const marker = [PIPED, NOT_PIPED].find(one => text.startsWith(one)) ?? '';
			resolve(marker === PIPED);
			return {...part, bytes: part.bytes.subarray(marker.length)};
		}),
	);
	const late = setTimeout(() => resolve(false), OPENING_MS);
	socket.once('close', () => resolve(false));
	// Begins to read, although nobody takes anything yet.
	streams.output.read(0);
	const hasOpened = await isPiped;
	clearTimeout(late);
	if (!hasOpened) {
		pipes.close();
		return {input: socket, ...streams};
	}
	pipes.release();
	for (const one of [streams.output, streams.complaint]) one.resume();
	return pipes;
}

/** Output and error output of a command, both paused while one of them is not read. */
function takeApart(socket: Socket, read: ReadParts) {
	const goOn = () => {
		const isTaken = [output, complaint].every(
			one => one.readableLength < one.readableHighWaterMark,
		);
		if (isTaken) socket.resume();
	};
	const output = new Readable({read: goOn});
	const complaint = new Readable({read: goOn});
	const both = {output, complaint};
	socket.pause().on('data', (bytes: Buffer) => {
		const parts = read(bytes).map(({channel, bytes: part}) => both[channel].push(part));
		if (parts.includes(false)) socket.pause();
	});
	socket.on('end', () => {
		for (const one of [output, complaint]) one.push(null);
	});
	socket.on('close', () => {
		for (const one of [output, complaint]) if (!socket.readableEnded) one.destroy();
	});
	return both;
}

/** Takes all bytes as output: a terminal's stream has no frames. */
function asOutput(bytes: Buffer): readonly OutputPart[] {
	return [{channel: 'output', bytes}];
}

/** Name of a signal without `SIG`, as shells take it. */
function signalName(signal: NodeJS.Signals): string {
	return signal.replace(/^SIG/, '');
}

/**
 * Resizes a terminal to the last requested size. Errors are ignored: for an ended command, each
 * engine has its own status.
 */
function resizing(engine: Engine, id: string): (size: TerminalSize) => void {
	let wanted: TerminalSize | undefined;
	return oneAtATime(
		async () => {
			if (wanted === undefined) return false;
			const query = {h: String(wanted.rows), w: String(wanted.columns)};
			wanted = undefined;
			await engine.ask({method: 'POST', path: `/exec/${id}/resize`, query}).catch(() => undefined);
			return true;
		},
		size => {
			wanted = size;
		},
	);
}

/** Ending of a command whose container has ended, which killed it. */
const LOST: ProcessEnding = {code: undefined, signal: 'SIGKILL'};

async function endingOf(engine: Engine, id: string): Promise<ProcessEnding> {
	try {
		const code = await readExitCode(engine, id);
		return code === undefined ? LOST : {code, signal: undefined};
	} catch {
		return LOST;
	}
}
