/** Finds the key of a profile, and never shows it. */
import {readingTrouble} from '../../contract/rules/thrown.ts';
import {execFile} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {parseApiKey} from './target.ts';
import {UsageError} from '../text/usage-error.ts';
import {isExposed} from './profile-file.ts';
import type {KeySource} from './profile.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Longest wait for the command: a person may have to unlock a key store. */
const COMMAND_MS = 60_000;

/** Finds a key. @throws UsageError with the reason of a failure, never with the text found. */
export async function findKey(source: KeySource, environment: Environment): Promise<string> {
	switch (source.kind) {
		case 'file':
			return fromFile(source.file);
		case 'command':
			return fromCommand(source.command, environment);
		case 'variable': {
			const value = environment[source.variable];
			if (value === undefined || value === '') {
				throw new UsageError(`${source.variable} is not set in the environment.`);
			}
			return parseApiKey(source.variable, value);
		}
	}
}

async function fromFile(file: string): Promise<string> {
	if (isExposed(file) === true) {
		throw new UsageError(`Others can read ${file}, which holds a key: chmod 600 ${file}`);
	}
	try {
		return parseApiKey(file, await readFile(file, 'utf8'));
	} catch (error) {
		if (error instanceof UsageError) throw error;
		throw new UsageError(`${file} cannot be read (${readingTrouble(error)}).`, {cause: error});
	}
}

async function fromCommand(
	[program = '', ...args]: readonly string[],
	environment: Environment,
): Promise<string> {
	const options = {timeout: COMMAND_MS, maxBuffer: 64 * 1024, env: environment};
	const printed = await new Promise<string>((resolve, reject) => {
		const child = execFile(program, args, options, (error, stdout) => {
			if (error === null) resolve(stdout);
			// The error's message would repeat the program's output, which may be a secret.
			else reject(new UsageError(`${program}, which finds the key, ${describe(error)}.`));
		});
		// The program gets no input: the terminal is ours.
		child.stdin?.end();
	});
	return parseApiKey(`What ${program} prints`, printed);
}

type Failure = {readonly code?: unknown; readonly killed?: boolean | undefined};

function describe({code, killed}: Failure): string {
	if (killed === true) return `did not end within ${COMMAND_MS / 1000} s`;
	if (code === 'ENOENT') return 'is not there';
	return typeof code === 'number' ? `ended with ${code}` : 'could not be run';
}
