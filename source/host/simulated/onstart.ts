/**
 * Runs `onstart` of an instance on this machine: only in a sandbox, because the script is
 * untrusted.
 */
import type {Work} from '../../contract/nouns/host-work.ts';
import {startChild, type Child, type LocalInside} from '../inside/inside.ts';
import {keptScript} from '../sandbox/workload.ts';

/** Takes a line for the log of the instance. */
export type WriteLogLine = (line: string) => void;

/** The most characters of a start in the log. */
const MOST_CHARACTERS = 256 * 1024;

/** Limit of processes, by the kernel's count for the user inside. */
const MOST_PROCESSES = 4096;

/** Starts the script, if there is one, and returns a function that ends all its processes. */
export function runOnstart(
	{launch, onstart = ''}: Work,
	inside: LocalInside,
	say: WriteLogLine,
): () => Promise<void> {
	const isEntered = launch?.mode === 'ssh' || launch?.mode === 'jupyter';
	if (onstart === '' || !isEntered) return async () => undefined;
	if (inside.isolation !== 'sandbox') {
		say('onstart is not run: this machine has no sandbox');
		return async () => undefined;
	}
	say('Running onstart');
	// The option's letter differs between Bash and dash.
	const limit = ['u', 'p'].map(letter => `ulimit -${letter} ${MOST_PROCESSES} 2>/dev/null`);
	const child = startChild(
		inside.launch(`${limit.join(' || ')}; exec 2>&1; ${keptScript(onstart)}`),
	);
	child.end();
	child.complaint?.resume();
	logLines(child, say);
	return async () => {
		child.kill('SIGKILL');
		await child.ended;
	};
}

/**
 * Passes on the lines of a program's output, up to the limit; the rest is drained, because a
 * program blocks on a full pipe.
 */
function logLines({output, ended}: Child, say: WriteLogLine): void {
	let characters = 0;
	let unfinished = '';
	output.setEncoding('utf8').on('data', (part: string) => {
		if (characters > MOST_CHARACTERS) return;
		characters += part.length;
		const lines = (unfinished + part).split('\n');
		unfinished = lines.pop() ?? '';
		for (const line of lines) say(line);
		if (characters > MOST_CHARACTERS) say('The rest of what onstart writes is left out.');
	});
	const logRest = () =>
		void (unfinished !== '' && characters <= MOST_CHARACTERS && say(unfinished));
	void ended.then(logRest);
}
