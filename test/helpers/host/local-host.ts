import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import type {Report, Work} from '../../../source/contract/nouns/host-work.ts';
import {
	findInstanceLimits,
	openControlGroups,
} from '../../../source/host/sandbox/control-groups.ts';
import {canMakeDisks} from '../../../source/host/sandbox/folders.ts';
import type {Shared} from '../../../source/host/sandbox/resource-limits.ts';
import {endLeftovers} from '../../../source/host/sandbox/ending.ts';
import {openSandboxes, type SandboxOptions} from '../../../source/host/sandbox/sandboxes.ts';
import {removeTree} from '../../../source/host/machine/trees.ts';
import {noGpus, type MachineGpus} from '../../../source/host/machine/machine-gpus.ts';
import {chooseInside, type MakeInside} from '../../../source/host/sandbox/choose-inside.ts';
import type {BootState, Runtime} from '../../../source/host/base/runtime.ts';
import {noteRest} from './at-rest.ts';
import {skipFor} from '../missing.ts';
import {waitFor} from '../wait-for.ts';

/** Why nothing can be run on this machine; undefined where Linux tells of processes. */
export const noProcesses = skipFor(existsSync('/proc/self/stat') ? undefined : '/proc is not here');

/** Why there is no testing with sandboxes. */
export const noSandbox = skipFor(
	spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0
		? undefined
		: 'bubblewrap is not installed, or the kernel forbids it',
);

/** Why memory and processes cannot be limited here. */
export const noGroups = skipFor(
	(await openControlGroups()).limits.length === 3
		? undefined
		: 'no control groups can be made here',
);

/** Why no disks can be mounted here. */
export const noDisks = skipFor(
	(await canMakeDisks(tmpdir())) ? undefined : 'no disks can be mounted here',
);

/** The kinds of insides that this machine can have, and the others with why they are left out. */
export const insideKinds = [
	{kind: 'process' as const, left: noProcesses},
	{kind: 'sandbox' as const, left: noProcesses ?? noSandbox},
];

type World = {
	readonly folder?: string;
	readonly kind?: 'process' | 'sandbox';
	/** The machine that instances have their share of; without it, nothing limits them. */
	readonly shared?: Shared;
} & Partial<Omit<SandboxOptions, 'folder' | 'makeInside'>>;

/** GPUs that no tool names: instances may rent them, and nobody looks for them. */
const namelessGpus: MachineGpus = {...noGpus, kind: 'amd'};

/** A runtime in a folder of its own, with what it has told. */
export async function openLocalWorld({folder, kind = 'process', shared, ...options}: World = {}) {
	// What another world on the same folder has begun goes on after this one.
	const rest = folder === undefined ? noteRest() : undefined;
	const place = folder ?? mkdtempSync(join(tmpdir(), 'rentty-local-'));
	const makeInside: MakeInside = await chooseInside(kind);
	const reports: Report[] = [];
	const opened = openSandboxes({
		folder: place,
		address: '127.0.0.1',
		graceMs: 2000,
		gpus: namelessGpus,
		...(shared !== undefined && {
			limits: {...(await findInstanceLimits(place, shared.gpus)), machine: shared},
		}),
		...options,
		makeInside,
	})(report => reports.push(report));
	/** Waits until something is told of each of some starts. */
	const told = async (started: readonly Work[], since: number) => {
		const isTold = ({instance_id: id, boot}: Work) =>
			reports.slice(since).some(one => isOf(one, id, boot));
		while (!started.every(isTold)) await setImmediate();
	};
	const runtime: Runtime = {
		...opened,
		async start(work) {
			const since = reports.length;
			await opened.start(work);
			await told([work], since);
		},
		async adopt(all) {
			const since = reports.length;
			const held = await opened.adopt(all);
			await told(
				all.filter(work => isGoneOnWith(held.get(work.instance_id), work)),
				since,
			);
			return held;
		},
	};
	return {
		folder: place,
		runtime,
		reports,
		own: (id: number) => join(place, 'instances', String(id)),
		/** The last that was told of an instance with a status. */
		last: (id = 7) => reports.findLast(one => one.instance_id === id && one.status !== undefined),
		/** Waits until a file that the instance writes is there, and reads it. */
		async reads(file: string): Promise<string> {
			const path = join(place, 'instances', '7', 'home', file);
			await waitFor(() => {
				if (!existsSync(path) || readFileSync(path, 'utf8') === '') throw new Error(`no ${file}`);
			});
			return readFileSync(path, 'utf8').trim();
		},
		async [Symbol.asyncDispose]() {
			await runtime.close();
			// Another runtime may have started what runs: only its files know.
			if (folder === undefined) await endLeftovers(place);
			if (folder === undefined) await removeTree(place);
			await rest?.end();
		},
	};
}

/** Whether a report says what has become of a start. */
function isOf({instance_id, boot: told, status}: Report, id: number, boot: number): boolean {
	return instance_id === id && told === boot && status !== undefined;
}

/** Whether something is told of what was found again: that it runs, or has ended. */
function isGoneOnWith(has: BootState | undefined, {wanted, boot, container}: Work): boolean {
	if (has?.isStarted !== true || wanted !== 'running') return false;
	return has.boot === boot && has.container === container;
}

/** Whether anything runs that has this in its command line. */
export function runs(text: string): boolean {
	return commandLines().some(line => line.includes(text));
}

/** How many processes sleep for so many seconds. */
export function sleepers(seconds: string): number {
	return commandLines().filter(line => line.trim() === `sleep ${seconds}`).length;
}

function commandLines(): readonly string[] {
	return readdirSync('/proc')
		.filter(name => /^\d+$/.test(name))
		.map(pid => {
			try {
				return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
			} catch {
				return '';
			}
		});
}
