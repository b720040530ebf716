/**
 * Rsync's daemon form for an instance, which existing clients use to copy from and to their
 * machine: `rsync -e ssh USER@HOST::C.7/path`. The handshake is done here, and rsync runs inside as
 * for `HOST:path`: the two forms differ only in their handshake.
 */
import {PassThrough, type Readable} from 'node:stream';
import {finished} from 'node:stream/promises';
import {messageOf} from '../../contract/rules/thrown.ts';
import type {Child, ProcessEnding, Inside} from '../inside/inside.ts';

/** User name that may only copy by rsync. */
export const COPYING_USER = 'vastai_kaalia';

/**
 * Protocol version, supported since 2013. Greetings must list digests, although no password is
 * required.
 */
const VERSION = 31;
const GREETING = `@RSYNCD: ${VERSION}.0 sha512 sha256 sha1 md5 md4\n`;

const LONGEST_LINE = 256;
const LONGEST_ARGUMENT = 4096;
const MOST_ARGUMENTS = 1000;

export function rsyncInside({start}: Inside, instanceId: number): Inside {
	const names = [`C.${instanceId}`, String(instanceId)];
	return {
		home: '/',
		folders: [],
		outside: () => undefined,
		isReadOnly: true,
		connect: nothingElse,
		async start(command, beginning) {
			if (command?.trim() !== 'rsync --server --daemon .') return nothingElse();
			return serve(names, async line => start(line, {...beginning, terminal: undefined}));
		},
	};
}

async function nothingElse(): Promise<never> {
	throw new Error(`${COPYING_USER} copies by rsync, and does nothing else`);
}

type Start = (line: string) => Promise<Child>;

function serve(names: readonly string[], start: Start): Child {
	const [input, output, complaint] = [new PassThrough(), new PassThrough(), new PassThrough()];
	const all = [input, output, complaint];
	for (const stream of all) stream.on('error', () => stream.destroy());
	let child: Child | undefined;
	let isLeft = false;
	const {promise: started, resolve: settle} = Promise.withResolvers<void>();

	async function run(): Promise<ProcessEnding> {
		output.write(GREETING);
		const version = Math.min(versionIn(await readText(input, '\n', LONGEST_LINE)), VERSION);
		const name = await readText(input, '\n', LONGEST_LINE);
		if (!names.includes(name)) {
			output.end(`@ERROR: this machine has no ${name} for you: its name is ${names[0]}\n`);
			return {code: 1, signal: undefined};
		}
		output.write('@RSYNCD: OK\n');
		const line = commandOf(name, await readArguments(input));
		if (isLeft) throw new Error('the client has gone');
		child = await start(line);
		settle();
		// The client disconnected before the program had started.
		if (isLeft) throw new Error('the client has gone');
		// In the `HOST:path` form the client sends its version first; the handshake above has it already.
		child.input.write(littleEndian(version));
		input.pipe(child.input);
		child.complaint?.pipe(complaint);
		if ((await readVersion(child.output)) < version) throw new Error('the rsync inside is too old');
		child.output.pipe(output);
		const ending = await child.ended;
		await finished(output, {writable: false}).catch(() => undefined);
		return ending;
	}

	const ended = run().catch((error: unknown): ProcessEnding => {
		settle();
		child?.kill('SIGTERM');
		child?.abandon();
		complaint.end(`It could not be copied: ${messageOf(error)}.\n`);
		output.end();
		return {code: 1, signal: undefined};
	});
	// A stream that is never closed counts as waiting, and keeps its connection.
	void ended.then(() => input.destroy());
	return {
		input,
		end: () => void input.end(),
		output,
		complaint,
		abandon() {
			isLeft = true;
			child?.abandon();
			for (const stream of all) stream.destroy();
		},
		resize: () => undefined,
		kill(signal) {
			// Any signal ends a copy that has not begun.
			if (child === undefined) {
				isLeft = true;
				input.destroy();
			} else child.kill(signal);
		},
		begun: started,
		ended,
	};
}

/** @throws Error for a client that is too old, or not rsync */
function versionIn(line: string): number {
	const version = Number(/^@RSYNCD: (\d{1,3})\b/.exec(line)?.[1]);
	if (version >= 30) return version;
	throw new Error('the client must be rsync 3 or later');
}

/** Reads the arguments up to an empty one. */
async function readArguments(input: Readable): Promise<readonly string[]> {
	const found: string[] = [];
	for (;;) {
		const argument = await readText(input, '\0', LONGEST_ARGUMENT);
		if (argument === '') return found;
		found.push(argument);
		if (found.length > MOST_ARGUMENTS) throw new Error('the client has too many arguments');
	}
}

/** Shell command of the request to a daemon, whose paths begin with the instance's name. */
function commandOf(name: string, words: readonly string[]): string {
	const dot = words.indexOf('.');
	const options = words.slice(0, dot);
	// Option `s` would send more arguments after these.
	if (dot < 1 || options.some(option => /^-[^-.]*s/.test(option))) {
		throw new Error('leave out --secluded-args');
	}
	const paths = words.slice(dot + 1).map(path => {
		if (path !== name && !path.startsWith(`${name}/`)) throw new Error(`${path} is not in ${name}`);
		return path.slice(name.length).replace(/^\/*/, '/');
	});
	return ['rsync', ...options, '.', ...paths].map(quoted).join(' ');
}

function quoted(word: string): string {
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function littleEndian(value: number): Buffer {
	const bytes = Buffer.alloc(4);
	bytes.writeUInt32LE(value);
	return bytes;
}

async function readVersion(output: Readable): Promise<number> {
	for (;;) {
		const bytes: unknown = output.read(4);
		if (bytes instanceof Buffer && bytes.length === 4) return bytes.readUInt32LE();
		await moreOf(output, 'rsync does not run inside');
	}
}

/** Reads a text up to a separator, which is left out. */
async function readText(input: Readable, sign: string, most: number): Promise<string> {
	const parts: Buffer[] = [];
	for (let length = 0; length <= most;) {
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the stream has bytes alone
		const chunk = input.read() as Buffer | null;
		if (chunk === null) {
			await moreOf(input, 'the client has gone');
			continue;
		}
		const at = chunk.indexOf(sign);
		parts.push(at === -1 ? chunk : chunk.subarray(0, at));
		if (at !== -1) {
			if (at + 1 < chunk.length) input.unshift(chunk.subarray(at + 1));
			return Buffer.concat(parts).toString('utf8');
		}
		length += chunk.length;
	}
	throw new Error('the client says too much at once');
}

/** Waits for more to read. @throws Error with the reason at the end of the stream */
async function moreOf(stream: Readable, reason: string): Promise<void> {
	await new Promise<void>(resolve => {
		for (const event of ['readable', 'end', 'close']) stream.once(event, () => resolve());
	});
	if (stream.readableEnded || stream.destroyed) throw new Error(reason);
}
