/** Runs a command in a running container by the engine's exec, and reads its output. */
import type {Socket} from 'node:net';
import type {TerminalSize} from '../inside/inside.ts';
import {numberAt, textAt, at} from '../../contract/grammar/json.ts';
import {type Engine, EngineError} from './engine.ts';

type Command = {
	readonly container: string;
	/** A program with its arguments, run without a shell. */
	readonly words: readonly string[];
	/** Variables as `NAME=value`. */
	readonly env?: readonly string[];
	readonly folder?: string;
	/** Size of its terminal; undefined for none. */
	readonly terminal?: TerminalSize | undefined;
};

type Execution = {
	readonly id: string;
	/** Connection to the command: writes are its input, reads are its output. */
	readonly socket: Socket;
};

/** @throws EngineError if the command cannot be started. */
export async function startExecution(engine: Engine, command: Command): Promise<Execution> {
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
	const body = {Detach: false, Tty: terminal !== undefined, ...sizeOf(terminal)};
	const socket = await engine.converse({method: 'POST', path: `/exec/${id}/start`, body: body});
	return {id, socket};
}

/** Size in the fields of Docker and of Podman: each ignores the other's. */
function sizeOf(terminal: TerminalSize | undefined) {
	if (terminal === undefined) return {};
	const {columns: w, rows: h} = terminal;
	return {ConsoleSize: [h, w], h, w};
}

/** Limit on polls for the exit code of a command whose output has ended. */
const MOST_POLLS = 50;
const POLL_MS = 20;

/** Exit code of a command; undefined if the engine does not know it. */
export async function readExitCode(engine: Engine, id: string): Promise<number | undefined> {
	for (let polls = 0; polls < MOST_POLLS; polls++) {
		const about = await engine.ask({method: 'GET', path: `/exec/${id}/json`});
		if (at(about, 'Running') !== true) return numberAt(about, 'ExitCode');
		await new Promise(resolve => setTimeout(resolve, POLL_MS));
	}
	return undefined;
}

const LONGEST_OUTPUT = 512 * 1024;

/** Output and error output of a command, up to a size and a time. */
export async function readCommandOutput(
	engine: Engine,
	command: Command,
	longestMs: number,
): Promise<string> {
	const {socket} = await startExecution(engine, command);
	const late = setTimeout(() => socket.destroy(), longestMs);
	const parts: Buffer[] = [];
	let bytes = 0;
	socket.on('error', () => undefined);
	socket.on('data', (part: Buffer) => {
		bytes += part.length;
		if (bytes > LONGEST_OUTPUT) socket.destroy();
		else parts.push(part);
	});
	await new Promise(resolve => socket.on('close', resolve));
	clearTimeout(late);
	return plainBytes(Buffer.concat(parts)).toString('utf8');
}

type Channel = 'output' | 'complaint';

export type OutputPart = {readonly channel: Channel; readonly bytes: Buffer};

const HEADER_BYTES = 8;
const LENGTH_AT = 4;

/** Number of the error stream; all others are output. */
const COMPLAINTS = 2;

/**
 * Splits the framed stream of a container without a terminal into output and error output. Takes
 * chunks of any size, and returns the contents so far.
 */
export function createDemultiplexer(): (bytes: Buffer) => readonly OutputPart[] {
	const header = Buffer.alloc(HEADER_BYTES);
	let headerBytes = 0;
	/** Missing bytes of the present frame, which may be larger than memory. */
	let missing = 0;

	return bytes => {
		const parts: OutputPart[] = [];
		let from = 0;
		while (from < bytes.length) {
			if (missing === 0) {
				const taken = bytes.copy(header, headerBytes, from, from + HEADER_BYTES - headerBytes);
				headerBytes += taken;
				from += taken;
				if (headerBytes < HEADER_BYTES) break;
				headerBytes = 0;
				missing = header.readUInt32BE(LENGTH_AT);
				continue;
			}
			const part = bytes.subarray(from, from + missing);
			parts.push({channel: header[0] === COMPLAINTS ? 'complaint' : 'output', bytes: part});
			missing -= part.length;
			from += part.length;
		}
		return parts;
	};
}

/** Contents of a whole stream in their order. */
export function plainBytes(stream: Buffer): Buffer {
	return Buffer.concat(createDemultiplexer()(stream).map(part => part.bytes));
}
