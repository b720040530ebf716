/** IsolationSupport of a machine to limit containers to what they have rented, and to keep them apart. */
import {BOUNDABLE} from '../../contract/rules/isolation.ts';
import type {Engine} from './engine.ts';
import {canSetFirewall} from './firewall.ts';
import {readFile} from 'node:fs/promises';
import {at} from '../json.ts';

export type IsolationSupport = {readonly limits: Limits; readonly hasFirewall: boolean};

export const noIsolationSupport: IsolationSupport = {
	limits: {memory: false, swap: false, processors: false, processes: false},
	hasFirewall: false,
};

export async function findIsolationSupport(engine: Engine): Promise<IsolationSupport> {
	const [limits, hasFirewall] = await Promise.all([limitsOf(engine), canSetFirewall()]);
	return {limits, hasFirewall};
}

/**
 * Missing limits in words. The disk is never limited as a whole: engines' volumes have no limit,
 * and their use is measured.
 */
export function missingIsolation({limits}: IsolationSupport): readonly string[] {
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
 * Capabilities of root inside: enough to install packages and run services as other users. Raw
 * network access (NET_RAW) and making devices are not among them.
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

/** Size limit of a log, which lies on the provider's disk. */
export const LONGEST_LOG_BYTES = 16 * 1024 * 1024;

const MOST_FILES = 1_048_576;

/**
 * Limit of open files for a program inside: no more than the agent's own, or engines may refuse
 * it.
 */
export async function openFiles(): Promise<number> {
	const text = await readFile('/proc/self/limits', 'utf8').catch(() => '');
	const most = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(text)?.[1] ?? MOST_FILES);
	return Math.min(MOST_FILES, most);
}
