/** Copies files into instances and out of them with rsync over SSH, or with scp where there is none. */
import {setTimeout as pause} from 'node:timers/promises';
import {
	rsyncCommand,
	scpCommand,
	type CommandLine,
	type SshRoute,
	type Transfer,
} from '../../contract/nouns/ssh-command.ts';
import {runProgram} from './run-program.ts';

export type CopyProgress = {
	/** Bytes of all files so far, those that were there before among them. */
	readonly bytes: number;
	readonly percent: number;
	/** As rsync writes it: `12.34MB/s`. */
	readonly speed: string;
	/** Hours, minutes and seconds that are left: `0:01:12`. */
	readonly left: string;
};

export type CopyOptions = {
	readonly environment: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal;
	readonly onProgress: (progress: CopyProgress) => void;
	/** Takes a line for people: what a program complained of, and what is tried next. */
	readonly say: (line: string) => void;
	/**
	 * Seconds before each further try, once the line has broken.
	 *
	 * @default 1 to 30
	 */
	readonly waits?: readonly number[];
};

export type Copied = {
	readonly program: 'rsync' | 'scp';
	/** Broken lines after which it went on. */
	readonly breaks: number;
	/** Why it was not done, as a sentence. */
	readonly problem: string | undefined;
};

/** A line that says nothing for so long is broken. */
const alive = ['ServerAliveInterval=15', 'ServerAliveCountMax=4', 'ConnectTimeout=20'];

const usualWaits = [1, 2, 5, 10, 20, 30, 30, 30];

/**
 * Arguments that make a copy go on where it was, and have no shell read a path. Owners stay behind:
 * users of one machine are others on the next.
 */
const rsyncFlags = ['-s', '--no-owner', '--no-group', '--no-inc-recursive', '--no-h'];

export function rsyncFor(route: SshRoute, transfer: Transfer): CommandLine {
	const settings = [...alive, ...(transfer.settings ?? [])];
	const {program, args} = rsyncCommand(route, {...transfer, settings});
	return {program, args: [...rsyncFlags, ...args]};
}

/** Exit codes of rsync that a broken line has, and 255 of ssh. */
const broken: ReadonlySet<number> = new Set([10, 12, 30, 35, 255]);

/** An rsync that knows what it is asked for; that of macOS is another program. */
async function hasRsync(environment: CopyOptions['environment']): Promise<boolean> {
	let said = '';
	const ended = await runProgram({program: 'rsync', args: ['--version']}, environment, {
		onLine: line => (said += `${line}\n`),
	});
	const version = /^rsync\s+version\s+v?(\d+)\.(\d+)/.exec(said);
	if (ended.code !== 0 || version === null) return false;
	const [major = 0, minor = 0] = version.slice(1).map(Number);
	return major > 3 || (major === 3 && minor >= 1);
}

export async function copyFiles(
	route: SshRoute,
	transfer: Transfer,
	options: CopyOptions,
): Promise<Copied> {
	const {environment, say} = options;
	if (!(await hasRsync(environment))) {
		say('This machine has no rsync of 3.1 or later: scp copies, and begins anew where it breaks.');
		return copyWithScp(route, transfer, options);
	}
	const {how, breaks, problem} = await copyWithRsync(rsyncFor(route, transfer), options);
	if (how === 'done') return {program: 'rsync', breaks, problem: undefined};
	if (how !== 'missing') return {program: 'rsync', breaks, problem};
	say('The instance has no rsync: scp copies, and begins anew where it breaks.');
	return copyWithScp(route, transfer, options);
}

type Attempt = {
	/** `broken` is a line that broke; `missing`: there is no rsync at the other end. */
	readonly how: 'done' | 'broken' | 'missing' | 'failed';
	readonly problem: string;
	/** Bytes of files that are there; undefined where copying had not begun. */
	readonly bytes: number | undefined;
	readonly complaints: readonly string[];
};

async function attemptRsync(
	command: CommandLine,
	{environment, signal, onProgress}: CopyOptions,
): Promise<Attempt> {
	let bytes: number | undefined;
	const complaints: string[] = [];
	const {code, failure} = await runProgram(command, environment, {
		signal,
		onLine(line) {
			const progress = readProgress(line);
			if (progress === undefined) return;
			bytes = progress.bytes;
			onProgress(progress);
		},
		onComplaint: line => complaints.push(line),
	});
	signal.throwIfAborted();
	const problem = failure ?? problems.get(code) ?? `rsync ended with ${code ?? 'a signal'}`;
	const attempt = {problem, bytes, complaints};
	if (code === 0) return {...attempt, how: 'done'};
	if (complaints.some(isAboutMissing)) return {...attempt, how: 'missing'};
	return {...attempt, how: code !== undefined && broken.has(code) ? 'broken' : 'failed'};
}

/** Runs rsync again, each time that the line breaks after copying has begun. */
async function copyWithRsync(command: CommandLine, options: CopyOptions) {
	const {signal, say, waits = usualWaits} = options;
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
			if (how !== 'missing') for (const line of complaints) say(line);
			return {breaks, how, problem};
		}
		tries++;
		breaks++;
		say(`The line is broken: it goes on where it was in ${wait} s.`);
		// oxlint-disable-next-line no-await-in-loop -- one try after the other
		await pause(wait * 1000, undefined, {signal}).catch(() => signal.throwIfAborted());
	}
}

/** A shell, or rsync itself, says that there is no rsync at the other end. */
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
	transfer: Transfer,
	{environment, signal, say}: CopyOptions,
): Promise<Copied> {
	const settings = [...alive, ...(transfer.settings ?? [])];
	const {program, args} = scpCommand(route, {...transfer, settings, ...contentsOf(transfer)});
	// By SFTP alone: of the older form, a shell over there reads the path.
	const command = {program, args: ['-s', '-p', ...args]};
	const ended = await runProgram(command, environment, {signal, onComplaint: say});
	signal.throwIfAborted();
	const failed = ended.code === 0 ? undefined : `scp ended with ${ended.code ?? 'a signal'}`;
	return {program: 'scp', breaks: 0, problem: ended.failure ?? failed};
}

/** A source with a slash at its end is what is in it, which scp names with a dot. */
function contentsOf({isUpload, local, remote}: Transfer): Pick<Transfer, 'local' | 'remote'> {
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
