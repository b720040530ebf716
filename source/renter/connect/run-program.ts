/** Runs a program of this machine, and hears its lines. */
import {spawn} from 'node:child_process';
import type {Readable} from 'node:stream';
import type {CommandLine} from '../../contract/nouns/ssh-command.ts';

type Hearing = {
	readonly signal?: AbortSignal;
	readonly onLine?: (line: string) => void;
	readonly onComplaint?: (line: string) => void;
};

type Ended = {readonly code: number | undefined; readonly failure: string | undefined};

/** Time for what was written to be read, once a program has ended. */
const LAST_WORDS_MS = 2000;

/** Runs a program that may ask the terminal for a password, and takes no other input. */
export async function runProgram(
	{program, args}: CommandLine,
	environment: Readonly<Record<string, string | undefined>>,
	{signal, onLine, onComplaint}: Hearing,
): Promise<Ended> {
	return new Promise(resolve => {
		const child = spawn(program, args, {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {...environment, LC_ALL: 'C'},
			...(signal !== undefined && {signal}),
		});
		hearLines(child.stdout, onLine);
		hearLines(child.stderr, onComplaint);
		child.once('error', error => {
			const isMissing = 'code' in error && error.code === 'ENOENT';
			const failure = isMissing ? `${program} is not installed` : error.message;
			// What was ended by the signal is still to write its last.
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
		// An ssh that it started may outlive it with its pipes: nobody waits for that.
		child.once('exit', code => {
			late = setTimeout(end, LAST_WORDS_MS, code);
		});
	});
}

/** A line that does not end is nothing that a program of this machine writes. */
const LONGEST_LINE = 65_536;

/** Parts what is written at line feeds, and at the carriage returns of progress. */
function hearLines(stream: Readable, take: ((line: string) => void) | undefined): void {
	let rest = '';
	const tell = (line: string): void => {
		if (line.trim() !== '') take?.(line);
	};
	stream.setEncoding('utf8').on('data', (text: string) => {
		const parts = (rest + text).split(/[\r\n]+/);
		rest = (parts.pop() ?? '').slice(-LONGEST_LINE);
		for (const part of parts) tell(part);
	});
	stream.on('end', () => tell(rest));
}
