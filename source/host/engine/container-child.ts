/** A command in a container, to which an SSH session is connected. */
import {randomUUID} from 'node:crypto';
import type {Socket} from 'node:net';
import {Readable} from 'node:stream';
import type {Beginning, Child, Ending, TerminalSize} from '../inside/inside.ts';
import {createDemultiplexer, type Part, codeOf, execute, saidBy} from './exec.ts';
import type {Engine} from './engine.ts';

/** Environment variable that labels all processes of a session, or of a forward. */
export const SESSION_LABEL = 'RENTTY_SESSION';

const KILLING_MS = 10_000;

/** Starts Bash if the image has it, for most people expect it. */
const SHELL =
	'if [ -x /bin/bash ]; then s=/bin/bash; else s=/bin/sh; fi; SHELL=$s; export SHELL; exec $s "$@"';

/** Sets the terminal's size before programs ask for it: a resize by the engine may come later. */
function sizing({rows, columns}: TerminalSize): string {
	return `stty rows ${rows} cols ${columns} 2>/dev/null;`;
}

/**
 * Sends signals to the process groups of labelled commands, which engines cannot do. A process that
 * left its group, such as a tmux server, stays, as on any machine.
 */
const SIGNALLING = `
has() { { tr '\\0' '\\n' < "/proc/$1/environ" | grep -qx "$mark"; } 2>/dev/null; }
look() { s=$(cat "/proc/$1/stat" 2>/dev/null) || return 1; set -- \${s##*) }; parent=$2; group=$3; }
mark=$1; signal=$2; first=
for d in /proc/[0-9]*; do
	p=\${d#/proc/}; has "$p" && look "$p" && [ "$parent" = 0 ] && first=$group
done
[ -n "$first" ] || exit 0
for d in /proc/[0-9]*; do
	p=\${d#/proc/}; has "$p" && look "$p" && [ "$group" = "$first" ] && kill -s "$signal" "$p"
done`;

export type ChildPlan = {
	readonly container: string;
	readonly folder: string;
	/** A shell's command line; undefined for a login shell. */
	readonly command: string | undefined;
	readonly beginning: Beginning;
};

export async function startInContainer(engine: Engine, plan: ChildPlan): Promise<Child> {
	const {container, folder, command, beginning} = plan;
	const {terminal} = beginning;
	const label = randomUUID();
	const variables = {
		...beginning.variables,
		...(terminal !== undefined && {TERM: terminal.name}),
		HOME: '/root',
		[SESSION_LABEL]: label,
	};
	const sized = terminal === undefined ? SHELL : sizing(terminal.size) + SHELL;
	const {id, socket} = await execute(engine, {
		container,
		words: ['/bin/sh', '-c', sized, 'sh', ...(command === undefined ? ['-l'] : ['-c', command])],
		env: Object.entries(variables).map(([name, value]) => `${name}=${value}`),
		folder,
		terminal: terminal?.size,
	});
	const resize = (size: TerminalSize) => void resizeTerminal(engine, id, size);
	// Older engines overlook the size that it is begun with, and not every image has stty.
	if (terminal !== undefined) resize(terminal.size);

	let isOver = false;
	const {output, complaint} = takeApart(socket, terminal !== undefined);
	socket.on('error', () => undefined);
	const ended = Promise.all([closed(output), closed(complaint)]).then(async () =>
		endingOf(engine, id),
	);
	void ended.then(() => (isOver = true));

	return {
		input: socket,
		end: () => void (terminal === undefined ? socket.end() : socket.write('\u0004')),
		output,
		complaint,
		abandon: () => void socket.destroy(),
		resize,
		kill(signal) {
			if (!isOver) signalLabelled(engine, {container, label, signal});
		},
		ended,
	};
}

type Labelled = {
	readonly container: string;
	readonly label: string;
	readonly signal: NodeJS.Signals;
};

/** Sends a signal to what was started with a label. */
export function signalLabelled(engine: Engine, {container, label, signal}: Labelled): void {
	const words = [
		'/bin/sh',
		'-c',
		SIGNALLING,
		'sh',
		`${SESSION_LABEL}=${label}`,
		signalName(signal),
	];
	// A container that has ended took it along.
	saidBy(engine, {container, words}, KILLING_MS).catch(() => undefined);
}

async function closed(stream: Readable): Promise<void> {
	return new Promise(resolve => stream.on('close', () => resolve()));
}

/** Output and error output of a command, both held back while one of them is not read. */
function takeApart(socket: Socket, hasTerminal: boolean) {
	const read = hasTerminal ? asOutput : createDemultiplexer();
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
function asOutput(bytes: Buffer): readonly Part[] {
	return [{channel: 'output', bytes}];
}

/** Name of a signal without `SIG`, as shells take it. */
function signalName(signal: NodeJS.Signals): string {
	return signal.replace(/^SIG/, '');
}

/** One that has ended meanwhile has no size. Docker answers with another status than Podman. */
async function resizeTerminal(engine: Engine, id: string, size: TerminalSize): Promise<void> {
	const query = {h: String(size.rows), w: String(size.columns)};
	const path = `/exec/${id}/resize`;
	await engine.ask({method: 'POST', path, query}).catch(() => undefined);
}

/** Ending of a command whose container has ended, which killed it. */
const LOST: Ending = {code: undefined, signal: 'SIGKILL'};

async function endingOf(engine: Engine, id: string): Promise<Ending> {
	try {
		const code = await codeOf(engine, id);
		return code === undefined ? LOST : {code, signal: undefined};
	} catch {
		return LOST;
	}
}
