/**
 * Runs a command in several instances at once over SSH, and collects the exit code and lines of
 * each.
 */
import {spawn} from 'node:child_process';
import {StringDecoder} from 'node:string_decoder';
import type {Instance} from '../../contract/nouns/instance-record.ts';
import {
	shellText,
	sshCommand,
	type ProgramCommand,
	type KnownHosts,
	type SshRoute,
} from '../../contract/nouns/ssh-command.ts';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';
import {reportedState} from '../../client/nouns/instance-list.ts';
import {createStore} from '../state/store.ts';

export type ExecTarget = {
	readonly id: number;
	/** A sentence if the instance cannot be entered. */
	readonly command: ProgramCommand | {readonly problem: string};
};

export type ExecLine = {readonly text: string; readonly isError: boolean};

export type ExecRow = {
	readonly id: number;
	/** `failed`: SSH could not log in, was stopped, or timed out; `problem` says why. */
	readonly state: 'waiting' | 'running' | 'ended' | 'failed';
	readonly exitCode: number | undefined;
	readonly problem: string | undefined;
	/** The last lines, at most `MOST_LINES` and some; it grows in place. */
	readonly lines: readonly ExecLine[];
	/** Count of all lines. */
	readonly count: number;
};

type ExecOptions = {
	readonly atOnce: number;
	/** Time limit of each command; undefined for none. */
	readonly limitMs?: number | undefined;
	readonly signal: AbortSignal;
	/** Called with each line as soon as it is whole. */
	readonly onLine?: (id: number, line: ExecLine) => void;
};

export const USUAL_AT_ONCE = 16;

const MOST_LINES = 10_000;

/** Lines beyond the limit before the first ones are dropped, all at once. */
const SPARE_LINES = 1000;

/** A line without an end is cut here. */
const LONGEST_LINE = 65_536;

/** Time to read the rest of the output after ssh has ended. */
const LAST_OUTPUT_MS = 2000;

/** The exit code by which ssh says that it failed itself. */
const SSH_FAILED = 255;

/** A single word is a line for the instance's shell; several words reach the program unchanged. */
export function remoteCommand(words: readonly string[]): string {
	const [program = '', ...args] = words;
	return args.length === 0 ? program : shellText({program, args});
}

/** SSH options without prompts: a login that needs one fails. */
const quietly = ['BatchMode=yes', 'ConnectTimeout=10', 'LogLevel=ERROR'].flatMap(option => [
	'-o',
	option,
]);

type EntryMeans = {
	readonly known: (id: number, kind: SshRoute['kind']) => KnownHosts;
	/** Files of private keys that OpenSSH does not try by itself. */
	readonly identities: readonly string[];
};

/** The SSH command that enters an instance without prompts, or the reason why there is none. */
export function execTarget(
	instance: Pick<Instance, 'id' | 'actual_status' | 'intended_status'>,
	route: SshRoute | undefined,
	{known, identities}: EntryMeans,
): ExecTarget {
	const {id} = instance;
	const state = reportedState(instance);
	if (state !== 'running') return {id, command: {problem: `it is ${state ?? 'not there yet'}`}};
	if (route === undefined) return {id, command: {problem: 'the service names no way in'}};
	const {program, args} = sshCommand(route, {known: known(id, route.kind), identities});
	return {id, command: {program, args: ['-T', ...quietly, ...args]}};
}

/** @param command line for the shell of each instance */
export function execInAll(targets: readonly ExecTarget[], command: string, options: ExecOptions) {
	const rows = createStore<readonly ExecRow[]>(targets.map(({id}) => waiting(id)));
	const change = (at: number, with_: Partial<ExecRow>): void =>
		rows.set(rows.get().map((row, index) => (index === at ? {...row, ...with_} : row)));
	const queue = targets.entries();

	async function work(): Promise<void> {
		for (const [at, target] of queue) {
			if (options.signal.aborted) {
				change(at, {state: 'failed', problem: 'not started'});
				continue;
			}
			const ended = execInOne(target, command, options, row => change(at, row));
			// oxlint-disable-next-line no-await-in-loop -- a worker runs one after the other
			change(at, await ended.catch(error => failed(startTrouble(error))));
		}
	}

	const workers = Array.from({length: Math.min(options.atOnce, targets.length)}, work);
	/** Fulfils when all have ended; it never rejects. */
	const done = Promise.all(workers).then(() => rows.get());
	return {rows, done};
}

function waiting(id: number): ExecRow {
	const nothing = {exitCode: undefined, problem: undefined, lines: [], count: 0};
	return {id, state: 'waiting', ...nothing};
}

type Ending = Pick<ExecRow, 'state' | 'exitCode' | 'problem'>;

async function execInOne(
	{id, command: entering}: ExecTarget,
	command: string,
	{limitMs, signal, onLine}: ExecOptions,
	change: (row: Partial<ExecRow>) => void,
): Promise<Ending> {
	if ('problem' in entering) return failed(entering.problem);
	change({state: 'running'});
	const lines: ExecLine[] = [];
	let count = 0;
	const take = (isError: boolean) => (texts: readonly string[]) => {
		for (const text of texts) {
			const line = {text, isError};
			lines.push(line);
			onLine?.(id, line);
		}
		if (lines.length > MOST_LINES + SPARE_LINES) lines.splice(0, lines.length - MOST_LINES);
		count += texts.length;
		change({lines, count});
	};
	const limit = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
	const stopping = AbortSignal.any(limit === undefined ? [signal] : [signal, limit]);
	return new Promise(resolve => {
		const {program, args} = entering;
		const child = spawn(program, [...args, command], {
			stdio: ['ignore', 'pipe', 'pipe'],
			signal: stopping,
		});
		const out = lineReader(take(false));
		const errors = lineReader(take(true));
		child.stdout.on('data', (bytes: Buffer) => out.take(bytes));
		child.stderr.on('data', (bytes: Buffer) => errors.take(bytes));
		let problem: string | undefined;
		child.on('error', error => {
			if (limit?.aborted === true) problem = `stopped after ${(limitMs ?? 0) / 1000} s`;
			else if (signal.aborted) problem = 'stopped';
			else problem = startTrouble(error);
		});
		let late: NodeJS.Timeout | undefined;
		// What ssh has started, such as the master of later connections, may outlive it and keep
		// its pipes open.
		child.once('exit', () => {
			late = setTimeout(() => {
				child.stdout.destroy();
				child.stderr.destroy();
			}, LAST_OUTPUT_MS);
		});
		child.on('close', code => {
			clearTimeout(late);
			out.end();
			errors.end();
			const lastError = lines.findLast(({isError}) => isError)?.text;
			if (problem !== undefined) resolve(failed(problem));
			else if (code === null) resolve(failed('ssh was killed'));
			else if (code === SSH_FAILED)
				resolve(failed(lastError ?? 'ssh, or the command there, ended with 255'));
			else resolve({state: 'ended', exitCode: code, problem: undefined});
		});
	});
}

/** Reason why ssh was not started; Node throws some of them. */
function startTrouble(error: unknown): string {
	const code = codeOf(error);
	if (code === 'E2BIG') return 'the command is longer than this machine gives to a program';
	return code === 'ENOENT' ? 'ssh is not installed' : messageOf(error);
}

function failed(problem: string): Ending {
	return {state: 'failed', exitCode: undefined, problem};
}

function lastWritten(line: string): string {
	return line.slice(line.replace(/\r$/, '').lastIndexOf('\r') + 1).replace(/\r$/, '');
}

/** Splits bytes into lines; of overwritten text, such as progress, the last version counts. */
function lineReader(onLines: (lines: readonly string[]) => void) {
	const decoder = new StringDecoder('utf8');
	let rest = '';
	return {
		take(bytes: Buffer): void {
			const parts = (rest + decoder.write(bytes)).split('\n');
			rest = parts.pop() ?? '';
			if (rest.length > LONGEST_LINE) {
				parts.push(rest);
				rest = '';
			}
			onLines(parts.map(lastWritten));
		},
		end(): void {
			if (rest !== '') onLines([lastWritten(rest)]);
		},
	};
}
