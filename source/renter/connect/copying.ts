/**
 * Copies files into instances and out of them with rsync over SSH, or with scp if rsync is missing.
 */
import {spawn} from 'node:child_process';
import type {Readable} from 'node:stream';
import {setTimeout as pause} from 'node:timers/promises';
import {
	type ProgramCommand,
	rsyncCommand,
	scpCommand,
	type SshRoute,
	type FileTransfer,
} from '../../contract/nouns/ssh-command.ts';
import {codeOf} from '../../contract/rules/thrown.ts';
import {UsageError} from '../text/usage-error.ts';

export type CopyProgress = {
	/** Bytes of all files so far, including those that were already there. */
	readonly bytes: number;
	readonly percent: number;
	/** As rsync writes it: `12.34MB/s`. */
	readonly speed: string;
	/** Remaining hours, minutes and seconds: `0:01:12`. */
	readonly left: string;
};

type CopyOptions = {
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: CopyProgress) => void;
	/** Called with a line for the user: a program's error output, or the next attempt. */
	readonly printLine: (line: string) => void;
	/**
	 * Seconds before each further try, once the connection has broken.
	 *
	 * @default 1 to 30
	 */
	readonly waits?: readonly number[];
};

type Copied = {
	readonly program: 'rsync' | 'scp';
	/** Broken connections after which the copy was resumed. */
	readonly breaks: number;
	/** Reason of the failure, as a sentence. */
	readonly problem: string | undefined;
};

/** Keepalives, after which a silent connection counts as broken. */
const alive = ['ServerAliveInterval=15', 'ServerAliveCountMax=4', 'ConnectTimeout=20'];

const usualWaits = [1, 2, 5, 10, 20, 30, 30, 30];

/**
 * Arguments that make a copy resumable, and keep shells from reading a path. Owners are not copied:
 * user ids differ between machines.
 */
const rsyncFlags = ['-s', '--no-owner', '--no-group', '--no-inc-recursive', '--no-h'];

export function rsyncFor(route: SshRoute, transfer: FileTransfer): ProgramCommand {
	const settings = [...alive, ...(transfer.settings ?? [])];
	const {program, args} = rsyncCommand(route, {...transfer, settings});
	return {program, args: [...rsyncFlags, ...args]};
}

/** Exit codes of rsync after a broken connection, and 255 of ssh. */
const broken: ReadonlySet<number> = new Set([10, 12, 30, 35, 255]);

/** True if rsync has these options; that of macOS is another program. */
async function hasRsync(environment: CopyOptions['environment']): Promise<boolean> {
	let output = '';
	const ended = await runProgram({program: 'rsync', args: ['--version']}, environment, {
		onLine: line => (output += `${line}\n`),
	});
	const version = /^rsync\s+version\s+v?(\d+)\.(\d+)/.exec(output);
	if (ended.code !== 0 || version === null) return false;
	const [major = 0, minor = 0] = version.slice(1).map(Number);
	return major > 3 || (major === 3 && minor >= 1);
}

export async function copyFiles(
	route: SshRoute,
	transfer: FileTransfer,
	options: CopyOptions,
): Promise<Copied> {
	const {environment, printLine} = options;
	if (!(await hasRsync(environment))) {
		printLine(
			'This machine has no rsync of 3.1 or later: scp copies, and begins anew where it breaks.',
		);
		return copyWithScp(route, transfer, options);
	}
	const {how, breaks, problem} = await copyWithRsync(rsyncFor(route, transfer), options);
	if (how === 'done') return {program: 'rsync', breaks, problem: undefined};
	if (how !== 'missing') return {program: 'rsync', breaks, problem};
	printLine('The instance has no rsync: scp copies, and begins anew where it breaks.');
	return copyWithScp(route, transfer, options);
}

type Attempt = {
	/** `broken`: the connection broke; `missing`: no rsync at the other end. */
	readonly how: 'done' | 'broken' | 'missing' | 'failed';
	readonly problem: string;
	/** Bytes of files that already exist; undefined if copying had not begun. */
	readonly bytes: number | undefined;
	readonly complaints: readonly string[];
};

/** Most lines of rsync's error output that are printed: the other end may send any number. */
const MOST_COMPLAINTS = 200;

async function attemptRsync(
	command: ProgramCommand,
	{environment, signal, onProgress}: CopyOptions,
): Promise<Attempt> {
	let bytes: number | undefined;
	const first: string[] = [];
	let left = 0;
	const {code, failure} = await runProgram(command, environment, {
		signal,
		onLine(line) {
			const progress = readProgress(line);
			if (progress === undefined) return;
			bytes = progress.bytes;
			onProgress(progress);
		},
		onComplaint(line) {
			if (first.length < MOST_COMPLAINTS) first.push(line);
			else left++;
		},
	});
	signal.throwIfAborted();
	const problem = failure ?? problems.get(code) ?? `rsync ended with ${code ?? 'a signal'}`;
	const complaints = left === 0 ? first : [...first, `and ${left} more`];
	const attempt = {problem, bytes, complaints};
	if (code === 0) return {...attempt, how: 'done'};
	if (first.some(isAboutMissing)) return {...attempt, how: 'missing'};
	return {...attempt, how: code !== undefined && broken.has(code) ? 'broken' : 'failed'};
}

/** Runs rsync, and again each time that the connection breaks after copying has begun. */
async function copyWithRsync(command: ProgramCommand, options: CopyOptions) {
	const {signal, printLine, waits = usualWaits} = options;
	let breaks = 0;
	let tries = 0;
	let most = 0;
	for (;;) {
		// oxlint-disable-next-line no-await-in-loop -- one try after the other
		const {how, problem, bytes, complaints} = await attemptRsync(command, options);
		if ((bytes ?? 0) > most) tries = 0;
		most = Math.max(most, bytes ?? 0);
		const isEntered = bytes !== undefined || breaks > 0;
		const wait = how === 'broken' && isEntered ? waits[tries] : undefined;
		if (wait === undefined) {
			if (how !== 'missing') for (const line of complaints) printLine(line);
			return {breaks, how, problem};
		}
		tries++;
		breaks++;
		printLine(`The line is broken: it goes on where it was in ${wait} s.`);
		// oxlint-disable-next-line no-await-in-loop -- one try after the other
		await pause(wait * 1000, undefined, {signal}).catch(() => signal.throwIfAborted());
	}
}

/** True for an error of a shell, or of rsync itself, about a missing rsync at the other end. */
function isAboutMissing(line: string): boolean {
	return /rsync: (?:command )?not found|rsync: No such file|remote command not found/i.test(line);
}

const problems: ReadonlyMap<number | undefined, string> = new Map([
	[11, 'the files could not be read or written'],
	[23, 'some files could not be copied'],
	[24, 'some files went away meanwhile'],
	[255, 'ssh could not get in'],
]);

async function copyWithScp(
	route: SshRoute,
	transfer: FileTransfer,
	{environment, signal, printLine}: CopyOptions,
): Promise<Copied> {
	const settings = [...alive, ...(transfer.settings ?? [])];
	const {program, args} = scpCommand(route, {...transfer, settings, ...contentsOf(transfer)});
	// Only by SFTP: in the older protocol a remote shell reads the path.
	const command = {program, args: ['-s', '-p', ...args]};
	const ended = await runProgram(command, environment, {signal, onComplaint: printLine});
	signal.throwIfAborted();
	const failed = ended.code === 0 ? undefined : `scp ended with ${ended.code ?? 'a signal'}`;
	return {program: 'scp', breaks: 0, problem: ended.failure ?? failed};
}

/** A slash at the end of a source means its contents, which scp names with a dot. */
function contentsOf({
	isUpload,
	local,
	remote,
}: FileTransfer): Pick<FileTransfer, 'local' | 'remote'> {
	return isUpload ? {local: inside(local), remote} : {local, remote: inside(remote)};
}

function inside(path: string): string {
	return path.endsWith('/') ? `${path}.` : path;
}

/** ` 32768   3%   12.34MB/s    0:00:12` */
export function readProgress(line: string): CopyProgress | undefined {
	const found = /^\s*(\d{1,15})\s+(\d{1,3})%\s+(\S{1,16}\/s)\s+(\d+:\d\d:\d\d)/.exec(line);
	if (found === null) return undefined;
	const [, bytes, percent, speed = '', left = ''] = found;
	return {bytes: Number(bytes), percent: Math.min(100, Number(percent)), speed, left};
}

/** A file's location in words: `7:/workspace/x`, `train:/x`, `V.12:/data`, or a path of this machine. */
export type FileLocation =
	| {readonly kind: 'here'; readonly path: string}
	/** Number or label of an instance. */
	| {readonly kind: 'instance'; readonly name: string; readonly path: string}
	| {readonly kind: 'volume'; readonly id: number; readonly path: string};

/**
 * Reads a word as the public service's own client does. As for scp, a colon before the first slash
 * parts an instance from a path.
 *
 * @throws UsageError
 */
export function parseFileLocation(word: string): FileLocation {
	if (/^(?:[CV]\.)?\d+$/.test(word)) {
		throw new UsageError(
			`${word} needs a path: ${word}:/workspace is in the instance, ./${word} is a file here.`,
		);
	}
	const found = /^([^/:]*):(.*)$/s.exec(word);
	if (found === null || word === '') return {kind: 'here', path: readPath(word, word)};
	const [, name = '', rest = ''] = found;
	const path = readPath(rest, word);
	if (name === 'local') return {kind: 'here', path};
	if (/^(?:s3|gs|gcs|hf|b2|r2|drive|dropbox)(?:\.\d+)?$/i.test(name)) {
		throw new UsageError(
			`${word}: rentty copies from and to no cloud; use rclone in the instance.`,
		);
	}
	const volume = /^V\.(\d{1,15})$/.exec(name)?.[1];
	if (volume !== undefined) return {kind: 'volume', id: Number(volume), path};
	const instance = name.replace(/^C\.(?=\d{1,15}$)/, '');
	if (instance === '') throw new UsageError(`${word} names no instance before its colon.`);
	return {kind: 'instance', name: instance, path};
}

function readPath(path: string, word: string): string {
	if (path !== '' && !path.includes('\0')) return path;
	throw new UsageError(`"${word}" needs a path behind its name.`);
}

type Hearing = {
	readonly signal?: AbortSignal;
	readonly onLine?: (line: string) => void;
	readonly onComplaint?: (line: string) => void;
};

type Ended = {readonly code: number | undefined; readonly failure: string | undefined};

/** Time to read the rest of the output after a program has ended. */
const LAST_OUTPUT_MS = 2000;

/** Runs a program that may ask the terminal for a password, and takes no other input. */
async function runProgram(
	{program, args}: ProgramCommand,
	environment: Readonly<Record<string, string | undefined>>,
	{signal, onLine, onComplaint}: Hearing,
): Promise<Ended> {
	return new Promise(resolve => {
		const child = spawn(program, args, {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {...environment, LC_ALL: 'C'},
			...(signal !== undefined && {signal}),
		});
		readLines(child.stdout, onLine);
		readLines(child.stderr, onComplaint);
		child.once('error', error => {
			const isMissing = codeOf(error) === 'ENOENT';
			const failure = isMissing ? `${program} is not installed` : error.message;
			// A program ended by the signal still writes its last output.
			if (child.pid === undefined) resolve({code: undefined, failure});
		});
		let late: NodeJS.Timeout | undefined;
		const end = (code: number | null): void => {
			clearTimeout(late);
			resolve({code: code ?? undefined, failure: undefined});
			child.stdout.destroy();
			child.stderr.destroy();
		};
		child.once('close', end);
		// An ssh process that rsync started may outlive it and keep its pipes open, so do not wait
		// for their end.
		child.once('exit', code => {
			late = setTimeout(end, LAST_OUTPUT_MS, code);
		});
	});
}

const LONGEST_LINE = 65_536;

/** Splits output at line feeds, and at the carriage returns of progress. */
function readLines(stream: Readable, take: ((line: string) => void) | undefined): void {
	let rest = '';
	const emit = (line: string): void => {
		if (line.trim() !== '') take?.(line);
	};
	stream.setEncoding('utf8').on('data', (text: string) => {
		const parts = (rest + text).split(/[\r\n]+/);
		rest = (parts.pop() ?? '').slice(-LONGEST_LINE);
		for (const part of parts) emit(part);
	});
	stream.on('end', () => emit(rest));
}
