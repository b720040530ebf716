/** Runs a command in a container that runs, as an engine does it, and reads what it says. */
import type {Socket} from 'node:net';
import type {TerminalSize} from '../inside/inside.ts';
import {numberAt, textAt, at} from '../../contract/grammar/json.ts';
import {type Engine, EngineError} from './engine.ts';

type Command = {
	readonly container: string;
	/** A program with its arguments: no shell reads them. */
	readonly words: readonly string[];
	/** As `NAME=value`. */
	readonly env?: readonly string[];
	readonly folder?: string;
	/** The size of its terminal; undefined for none. */
	readonly terminal?: TerminalSize | undefined;
};

type Execution = {
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

type Channel = 'output' | 'complaint';

export type Part = {readonly channel: Channel; readonly bytes: Buffer};

const HEADER_BYTES = 8;
const LENGTH_AT = 4;

/** The number of the channel of complaints; all others are output. */
const COMPLAINTS = 2;

/**
 * Takes an engine's stream of a container without a terminal apart, whose output and complaints come
 * in frames: it is given bytes as they come, cut anywhere, and answers the contents that are there.
 */
export function createDemultiplexer(): (bytes: Buffer) => readonly Part[] {
	const header = Buffer.alloc(HEADER_BYTES);
	let headerBytes = 0;
	/** Bytes that are missing from the present frame. Frames may be larger than memory. */
	let missing = 0;

	return bytes => {
		const parts: Part[] = [];
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

/** All that a whole stream says, in its order. */
export function plainBytes(stream: Buffer): Buffer {
	return Buffer.concat(createDemultiplexer()(stream).map(part => part.bytes));
}
