/** What there is on a machine to keep containers within what they have rented, and apart. */
import {BOUNDABLE} from '../../contract/isolation.ts';
import type {Engine} from './engine.ts';
import {canRaiseWalls} from './walls.ts';
import {readFile} from 'node:fs/promises';
import {at} from '../json.ts';

export type Means = {readonly limits: Limits; readonly hasWalls: boolean};

export const noMeans: Means = {
	limits: {memory: false, swap: false, processors: false, processes: false},
	hasWalls: false,
};

export async function findMeans(engine: Engine): Promise<Means> {
	const [limits, hasWalls] = await Promise.all([limitsOf(engine), canRaiseWalls()]);
	return {limits, hasWalls};
}

/**
 * What is not bounded, in words. The disk never is as a whole: volumes of engines have no limit, and
 * what they take is measured.
 */
export function lackingMeans({limits}: Means): readonly string[] {
	const bounded = Object.entries(limits).flatMap(([name, can]) => (can ? [name] : []));
	return BOUNDABLE.filter(name => !bounded.includes(name));
}

export type Limits = {
	readonly memory: boolean;
	readonly swap: boolean;
	readonly processors: boolean;
	readonly processes: boolean;
};

/** As the engine says of itself and of the kernel. */
export async function limitsOf(engine: Engine): Promise<Limits> {
	const about = await engine.ask({method: 'GET', path: '/info'});
	const can = (...names: readonly string[]) => names.some(name => at(about, name) === true);
	return {
		memory: can('MemoryLimit'),
		swap: can('SwapLimit'),
		processors: can('CpuCfsQuota', 'CPUCfsQuota'),
		processes: can('PidsLimit'),
	};
}

/**
 * What root inside may still do: install packages, run services as other users, and no more. What
 * would let it write to the network as it likes (NET_RAW), or make devices, is not among them.
 */
export const CAPABILITIES = [
	'AUDIT_WRITE',
	'CHOWN',
	'DAC_OVERRIDE',
	'FOWNER',
	'FSETID',
	'KILL',
	'NET_BIND_SERVICE',
	'SETFCAP',
	'SETGID',
	'SETUID',
	'SYS_CHROOT',
] as const;

/** What is written to a log is kept on the provider's disk. */
export const LONGEST_LOG_BYTES = 16 * 1024 * 1024;

const MOST_FILES = 1_048_576;

/** How many files a program inside may have open: no more than the agent, or engines may not grant it. */
export async function openFiles(): Promise<number> {
	const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
	const most = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(text)?.[1] ?? MOST_FILES);
	return Math.min(MOST_FILES, most);
}
