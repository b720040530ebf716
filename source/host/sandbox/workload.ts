/**
 * Workload of an instance: its program, or its script and then an idle shell, so that SSH keeps
 * working. The shell above outlives the agent, and records the exit code.
 */
import {spawn} from 'node:child_process';
import {readFile, rm, writeFile} from 'node:fs/promises';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Work} from '../../contract/nouns/host-work.ts';
import {beginOrRelease, type LocalInside} from '../inside/inside.ts';
import {JUPYTER_PORT} from '../instance/ports.ts';
import {
	isProcessRunning,
	listProcesses,
	processName,
	type Process,
	type ProcessName,
} from '../machine/processes.ts';
import type {HostInstance} from '../instance/instance.ts';
import type {Site} from '../instance/site.ts';
import {join} from 'node:path';

const KEEPING =
	'log=$1 code=$2; shift 2; "$@" </dev/null >>"$log" 2>&1; echo $? >"$code.new" && mv "$code.new" "$code"';

/**
 * Command line for a shell inside; undefined if none is known.
 *
 * @param sharesPorts True if the instance shares the machine's ports.
 */
export function commandOf(work: Work, sharesPorts: boolean): string | undefined {
	const {launch, args = [], onstart = ''} = work;
	if (launch?.mode === 'ssh' || launch?.mode === 'jupyter') {
		const jupyter = launch.mode === 'jupyter' ? jupyterOf(work, sharesPorts) : '';
		return jupyter + keptScript(onstart);
	}
	return args.length === 0 ? undefined : `exec ${args.map(quoted).join(' ')}`;
}

/** Runs a script, if there is one, and keeps its background processes running. */
export function keptScript(onstart: string): string {
	const script = onstart === '' ? '' : `sh -c ${quoted(onstart)}; echo "onstart ended with $?"; `;
	return `${script}exec tail -f /dev/null`;
}

/** Starts Jupyter, if this machine has it, on its chosen port. */
function jupyterOf(
	{use_jupyter_lab: isLab = false, jupyter_dir: folder = ''}: Work,
	sharesPorts: boolean,
): string {
	const directory = folder === '' ? '"$HOME"' : quoted(folder);
	const place = sharesPorts
		? `--ip="$PUBLIC_IPADDR" --port="$VAST_TCP_PORT_${JUPYTER_PORT}"`
		: `--ip=127.0.0.1 --port=${JUPYTER_PORT}`;
	const where = `${place} --notebook-dir=${directory}`;
	const start = `jupyter ${isLab ? 'lab' : 'notebook'} --no-browser --allow-root ${where} &`;
	const complaint = `echo 'There is no Jupyter on this machine: it can be entered by SSH.' >&2;`;
	return `if command -v jupyter >/dev/null 2>&1; then ${start} else ${complaint} fi; `;
}

/** Quotes a word for a shell. */
export function quoted(word: string): string {
	return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

type Started = {readonly root: ProcessName; readonly exited: Promise<void>};

export async function startWorkload(
	inside: LocalInside,
	command: string,
	site: Site,
): Promise<Started> {
	await rm(codeFile(site), {force: true});
	const launch = inside.launch(command);
	const {file, args, cwd, env, release} = launch;
	const words = ['-c', KEEPING, 'keeper', site.log, codeFile(site), file, ...args];
	// A session of its own, so that the process outlives the agent.
	const options = {cwd, env, detached: true, stdio: 'ignore'} as const;
	const child = beginOrRelease(launch, () => spawn('/bin/sh', words, options));
	const {promise: exited, resolve} = Promise.withResolvers<void>();
	child.on('exit', () => resolve());
	const failed = new Promise<never>((_, reject) => child.on('error', reject));
	const spawned = new Promise<void>(begin => child.on('spawn', () => begin()));
	if (release !== undefined) Promise.race([exited, failed]).then(release, release);
	await Promise.race([spawned, failed]);
	child.unref();
	return {root: await processName(child.pid), exited};
}

function codeFile({own}: Site): string {
	return join(own, 'code');
}

/** Exit code of an ended program, NaN if unknown; undefined if no end was recorded. */
export async function readCode(site: Site): Promise<number | undefined> {
	try {
		return Number.parseInt(await readFile(codeFile(site), 'utf8'), 10);
	} catch {
		return undefined;
	}
}

/** Offset that shells add to the number of the signal that ended a program. */
const SIGNALS_FROM = 128;

export function describeProgramEnd(code: number | undefined): string {
	if (code === undefined || Number.isNaN(code)) return 'It was ended from outside.';
	if (code > SIGNALS_FROM && code < SIGNALS_FROM + 65) {
		return `Its program was ended by signal ${code - SIGNALS_FROM} (exit code ${code}).`;
	}
	return `Its program ended with exit code ${code}.`;
}

const POLL_MS = 10;
const MOST_POLLS = 500;

/**
 * The first process of a sandbox below a root, once it runs: below the shell that keeps it are an
 * outer and an inner bubblewrap, which starts the program.
 */
export async function findFirstInside(root: ProcessName): Promise<number | undefined> {
	for (let polls = 0; polls < MOST_POLLS; polls++) {
		const all = await listProcesses();
		if (!all.some(one => one.pid === root.pid)) return undefined;
		const outer = childOf(all, root.pid);
		const first = outer === undefined ? undefined : childOf(all, outer.pid);
		if (first !== undefined && childOf(all, first.pid) !== undefined) return first.pid;
		await sleep(POLL_MS);
	}
	return undefined;
}

function childOf(all: readonly Process[], pid: number): Process | undefined {
	return all.find(one => one.parent === pid);
}

const END_POLL_MS = 500;

/** Waits for the program's end, and returns it in words. An earlier agent's program is polled. */
export async function waitForProgramEnd(
	{record: {root}, site}: HostInstance,
	exited: Promise<void> | undefined,
	signal: AbortSignal,
): Promise<string> {
	const {promise: over, resolve, reject} = Promise.withResolvers<void>();
	const abort = () => reject(new Error('nobody waits for its end any more'));
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	void exited?.then(resolve);
	const timer =
		exited === undefined && root !== undefined
			? setInterval(
					() => void isProcessRunning(root).then(runs => runs || resolve()),
					END_POLL_MS,
				).unref()
			: undefined;
	try {
		await over;
	} finally {
		clearInterval(timer);
		signal.removeEventListener('abort', abort);
	}
	const code = await readCode(site);
	if (code === undefined) {
		// The recording shell was killed too; the next agent must report the same end.
		await writeFile(codeFile(site), 'unknown\n', {mode: 0o600}).catch(() => undefined);
	}
	return describeProgramEnd(code);
}
