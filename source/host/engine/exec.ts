/** Runs something in a container that runs, as an engine does it. */
import type {Socket} from 'node:net';
import type {TerminalSize} from '../inside/child.ts';
import {numberAt, textAt, at} from '../json.ts';
import {plainBytes} from './demultiplexer.ts';
import {type Engine, EngineError} from './engine.ts';

export type Command = {
	readonly container: string;
	/** A program with its arguments: no shell reads them. */
	readonly words: readonly string[];
	/** As `NAME=value`. */
	readonly env?: readonly string[];
	readonly folder?: string;
	/** The size of its terminal; undefined for none. */
	readonly terminal?: TerminalSize | undefined;
};

export type Execution = {
	readonly id: string;
	/** Connection to the command: writes are its input, reads are its output. */
	readonly socket: Socket;
};

/** @throws EngineError where it cannot be begun. */
export async function execute(engine: Engine, command: Command): Promise<Execution> {
	const {container, words, env = [], folder, terminal} = command;
	const made = await engine.ask({
		method: 'POST',
		path: `/containers/${container}/exec`,
		body: {
			AttachStdin: true,
			AttachStdout: true,
			AttachStderr: true,
			Tty: terminal !== undefined,
			Env: env,
			Cmd: words,
			User: '0',
			...(folder !== undefined && {WorkingDir: folder}),
		},
	});
	const id = textAt(made, 'Id');
	if (id === undefined) throw new EngineError('The container engine says nothing of a command');
	const begun = {Detach: false, Tty: terminal !== undefined, ...sizeOf(terminal)};
	const socket = await engine.converse({method: 'POST', path: `/exec/${id}/start`, body: begun});
	return {id, socket};
}

/** Docker and Podman have their own words for it, and overlook those of the other. */
function sizeOf(terminal: TerminalSize | undefined) {
	if (terminal === undefined) return {};
	const {columns: w, rows: h} = terminal;
	return {ConsoleSize: [h, w], h, w};
}

/** Looks for the exit code of a command whose output has ended. */
const LOOKS = 50;
const LOOK_MS = 20;

/** The code with which it ended; undefined where the engine does not know. */
export async function codeOf(engine: Engine, id: string): Promise<number | undefined> {
	for (let looks = 0; looks < LOOKS; looks++) {
		const about = await engine.ask({method: 'GET', path: `/exec/${id}/json`});
		if (at(about, 'Running') !== true) return numberAt(about, 'ExitCode');
		await new Promise(resolve => setTimeout(resolve, LOOK_MS));
	}
	return undefined;
}

const LONGEST_SAID = 512 * 1024;

/** All that a command says, complaints included, and at most so much and for so long. */
export async function saidBy(engine: Engine, command: Command, longestMs: number): Promise<string> {
	const {socket} = await execute(engine, command);
	const late = setTimeout(() => socket.destroy(), longestMs);
	const parts: Buffer[] = [];
	let bytes = 0;
	socket.on('error', () => undefined);
	socket.on('data', (part: Buffer) => {
		bytes += part.length;
		if (bytes > LONGEST_SAID) socket.destroy();
		else parts.push(part);
	});
	await new Promise(resolve => socket.on('close', resolve));
	clearTimeout(late);
	return plainBytes(Buffer.concat(parts)).toString('utf8');
}
