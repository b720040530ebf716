/** Insides on this machine: a sandbox if one works, or a process without isolation. */
import {execFile} from 'node:child_process';
import {existsSync, closeSync, openSync, unlinkSync, writeFileSync} from 'node:fs';
import {promisify} from 'node:util';
import {findProgram, SEARCHED} from '../base/programs.ts';
import {
	isInFolder,
	type LocalInside,
	type InsidePlan,
	startFor,
	type ProcessLaunch,
} from '../inside/inside.ts';
import {isAbsolute, join, relative, posix} from 'node:path';
import {randomUUID} from 'node:crypto';
import {tmpdir} from 'node:os';
import process from 'node:process';
import {enteringLine} from './control-groups.ts';
import {
	planMountPoints,
	SANDBOX_HOME,
	PROCESSES,
	PROGRAMS,
	SETTINGS,
	USERS,
	bubblewrapArguments,
} from './bubblewrap.ts';

/** Tools that make sandboxes, each by its absolute path. */
type SandboxTools = {
	readonly shell: string;
	readonly bwrap: string;
};

/** Terminal kind for bubblewrap itself; the program inside gets the client's. */
const OUTER_TERMINAL = 'dumb';

type Variables = Readonly<Record<string, string>>;

export function sandboxInside(plan: InsidePlan, tools: SandboxTools): LocalInside {
	const {folder, env, labels = {}, mounts} = plan;
	const own = [{folder, path: SANDBOX_HOME}, ...(plan.writable ?? [])];
	const planned = planMountPoints(own, mounts);
	const isolating = bubblewrapArguments(plan, [...own, ...planned.mounts]);
	const {shell} = tools;
	const network = typeof plan.network === 'object' ? plan.network : undefined;
	const around = {
		PATH: SEARCHED,
		LANG: 'C.UTF-8',
		...env,
		...labels,
		HOME: SANDBOX_HOME,
		SHELL: shell,
	};
	// Longest paths first, so that a mount inside another one is found.
	const visible = [...mounts, ...planned.mounts, ...own].toSorted(
		(one, other) => other.path.length - one.path.length,
	);

	function launch(command?: string, variables: Variables = {}): ProcessLaunch {
		const inside = [shell, ...(command === undefined ? ['-l'] : ['-c', command])];
		const file = openArguments(environmentArguments({...around, ...variables, USER: 'root'}));
		const words = [
			...(network?.entrance ?? []),
			tools.bwrap,
			'--args',
			ARGUMENTS_FD,
			...isolating,
			'--',
			...inside,
		];
		return {
			file: '/bin/sh',
			args: ['-c', openingOf(plan), 'sh', `/proc/${process.pid}/fd/${file}`, ...words],
			// The launcher on the machine gets neither a folder nor an environment of the renter.
			cwd: '/',
			env: {PATH: SEARCHED, LANG: 'C.UTF-8', ...labels},
			release: () => closeSync(file),
			// A sandbox whose launcher is killed at once would miss its death and stay. Processes
			// that a session leaves in the instance's own sandbox, by nohup or as a daemon, end
			// with the instance.
			endsWhole: plan.joins === undefined,
		};
	}

	return {
		isolation: 'sandbox',
		home: SANDBOX_HOME,
		folders: [...own, ...mounts].map(mount => mount.folder),
		readOnly: [...PROGRAMS, ...SETTINGS],
		launch,
		...(network !== undefined && {connect: network.connect, listen: network.listen}),
		async start(command, {variables, terminal}) {
			if (terminal === undefined) {
				return startFor({variables: {}, terminal}, launch(command, variables));
			}
			const outer = {...terminal, name: OUTER_TERMINAL};
			const inner = launch(command, {...variables, TERM: terminal.name});
			return startFor({variables: {}, terminal: outer}, inner);
		},
		outside(path) {
			const inside = posix.resolve(SANDBOX_HOME, path);
			const mount = visible.find(one => isInFolder(one.path, inside));
			return mount === undefined ? undefined : join(mount.folder, relative(mount.path, inside));
		},
	};
}

/** File descriptor from which bubblewrap reads the environment. */
const ARGUMENTS_FD = '7';

/**
 * Environment as arguments in a file, so that no process list shows it. A NUL in a value would begin
 * another argument, which could show any folder of the machine.
 */
function environmentArguments(variables: Variables): string {
	const set = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
	return ['--clearenv', ...set].map(word => `${word.replaceAll('\0', '')}\0`).join('');
}

/**
 * Writes arguments to an unlinked file, which leaves nothing behind; opened through this process.
 */
function openArguments(text: string): number {
	const path = join(tmpdir(), `rentty-${randomUUID()}`);
	const file = openSync(path, 'wx+', 0o600);
	try {
		unlinkSync(path);
		// Whole, or not at all: a disk may be full.
		writeFileSync(file, text);
		return file;
	} catch (error) {
		closeSync(file);
		throw error;
	}
}

/**
 * Shell line that enters control groups, opens bubblewrap's files and namespaces, and executes
 * bubblewrap.
 */
function openingOf({joins, groups = []}: InsidePlan): string {
	const joined =
		joins === undefined
			? ''
			: ` ${USERS}</proc/${joins}/ns/user ${PROCESSES}</proc/${joins}/ns/pid`;
	return `exec ${ARGUMENTS_FD}<"$1"; shift; ${enteringLine(groups)}exec "$@"${joined}`;
}

export type MakeInside = (plan: InsidePlan) => LocalInside;

export function isSandbox(makeInside: MakeInside): boolean {
	return makeInside({folder: '/', hostName: '', env: {}, mounts: []}).isolation === 'sandbox';
}

const run = promisify(execFile);

const TRIAL_MS = 5000;

/** Kind of inside; `auto` is a sandbox if one works. */
export type InsideKind = 'auto' | 'sandbox' | 'process';

/**
 * Chooses the inside. A trial is needed, because the kernel may forbid an installed bubblewrap.
 *
 * @throws Error if a sandbox is required and does not work.
 */
export async function chooseInside(kind: InsideKind = 'auto'): Promise<MakeInside> {
	const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
	if (kind === 'process') return plan => processInside(plan, shell);
	const bwrap = findProgram('bwrap') ?? 'bwrap';
	const trial = ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];
	try {
		await run(bwrap, trial, {timeout: TRIAL_MS});
		const tools = {shell, bwrap};
		return plan => sandboxInside(plan, tools);
	} catch (error) {
		if (kind === 'sandbox') {
			throw new Error(
				'bubblewrap makes no sandbox here: bwrap is missing, or the kernel forbids it',
				{
					cause: error,
				},
			);
		}
		return plan => processInside(plan, shell);
	}
}

/** @param shell The program that reads command lines. */
export function processInside(
	{folder, env, labels, mounts}: InsidePlan,
	shell: string,
): LocalInside {
	const around = {PATH: SEARCHED, LANG: 'C.UTF-8', ...env, ...labels, HOME: folder, SHELL: shell};
	const launch: LocalInside['launch'] = command => ({
		file: shell,
		args: command === undefined ? ['-l'] : ['-c', command],
		cwd: folder,
		env: around,
	});
	return {
		isolation: 'none',
		home: folder,
		folders: [folder, ...mounts.map(mount => mount.folder)],
		launch,
		start: async (command, beginning) => startFor(beginning, launch(command)),
		outside(path) {
			const resolved = isAbsolute(path) ? join(path) : join(folder, path);
			return isInFolder(folder, resolved) ? resolved : undefined;
		},
	};
}
