/**
 * Named pipes between the agent and a command in a container. Engines pass output on in frames of a
 * few kilobytes, several times slower than a pipe.
 */
import {execFile} from 'node:child_process';
import {closeSync, constants, openSync} from 'node:fs';
import {chmod, mkdir, rm} from 'node:fs/promises';
import {Socket} from 'node:net';
import {join} from 'node:path';
import {promisify} from 'node:util';

/** Path of the pipes inside, which is read-only there. */
export const PIPES_PATH = '/run/rentty';

/** Line that a command prints to the engine once it has opened its pipes. */
export const PIPED = 'piped\n';

/** Line that it prints if it has none. */
export const NOT_PIPED = 'not piped\n';

/** Opens the pipes of a shell script whose first argument is their path. */
export const OPEN_PIPES = `
if [ -p "$1.input" ]; then
	exec 3>&1 <"$1.input" >"$1.output" 2>"$1.complaint"
	echo piped >&3
	exec 3>&-
else
	echo not piped
fi
shift
`;

export type ExecPipes = {
	/** Their path inside, without the ending of each. */
	readonly path: string;
	readonly input: Socket;
	readonly output: Socket;
	readonly complaint: Socket;
	/** Removes the names: from now on the pipes end when the command closes them. */
	readonly release: () => void;
	readonly close: () => void;
};

/** Makes the folder for the pipes of an instance. Nobody else lists its names. */
export async function makePipesFolder(own: string): Promise<string> {
	const folder = join(own, 'pipes');
	await mkdir(folder, {recursive: true});
	await chmod(folder, 0o711);
	return folder;
}

const {O_RDONLY, O_WRONLY, O_RDWR, O_NONBLOCK, O_NOFOLLOW} = constants;

const runProgram = promisify(execFile);

/**
 * Makes the pipes of a command in a folder of this machine.
 *
 * @returns undefined if the agent cannot make any there
 */
export async function makeExecPipes(folder: string, name: string): Promise<ExecPipes | undefined> {
	const pipe = join(folder, name);
	const [input, output, complaint] = [`${pipe}.input`, `${pipe}.output`, `${pipe}.complaint`];
	const paths = [input, output, complaint];
	const held: number[] = [];
	const used: Socket[] = [];
	const release = () => {
		for (const path of paths) void rm(path, {force: true}).catch(() => undefined);
		for (const fd of held.splice(0)) closeSync(fd);
	};
	const close = () => {
		release();
		for (const socket of used) socket.destroy();
	};
	const openEnd = (path: string, flags: number) => {
		const fd = openSync(path, flags | O_NONBLOCK | O_NOFOLLOW);
		const isInput = flags === O_WRONLY;
		const socket = new Socket({fd, readable: !isInput, writable: isInput});
		used.push(socket);
		// A broken pipe means that the command has ended, which its exit code reports.
		return socket.on('error', () => undefined);
	};
	try {
		await runProgram('mkfifo', ['-m', '666', ...paths]);
		// Both ends are held until the command has its own: a pipe without a writer would end at once.
		for (const path of paths) held.push(openSync(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW));
		return {
			path: join(PIPES_PATH, name),
			input: openEnd(input, O_WRONLY),
			output: openEnd(output, O_RDONLY),
			complaint: openEnd(complaint, O_RDONLY),
			release,
			close,
		};
	} catch {
		close();
		return undefined;
	}
}
