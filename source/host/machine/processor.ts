/** The processor of this machine, and its system, as Linux tells of them. */
import {readFile} from 'node:fs/promises';
import {arch, cpus, totalmem} from 'node:os';
import type {MachineFacts} from '../../contract/machine-facts.ts';

export type ProcessorFacts = Pick<
	MachineFacts,
	| 'cpu_name'
	| 'cpu_arch'
	| 'cpu_cores'
	| 'cpu_ghz'
	| 'cpu_ram'
	| 'has_avx'
	| 'mobo_name'
	| 'os_version'
>;

const BYTES_PER_MB = 1024 * 1024;

export async function detectProcessor(): Promise<ProcessorFacts> {
	const all = cpus();
	const [information, release, board] = await Promise.all([
		read('/proc/cpuinfo'),
		read('/etc/os-release'),
		read('/sys/class/dmi/id/board_name'),
	]);
	const megahertz = Math.max(0, ...all.map(cpu => cpu.speed));
	return {
		cpu_name: word(all[0]?.model),
		cpu_arch: archOf(arch()),
		cpu_cores: all.length,
		cpu_ghz: megahertz === 0 ? null : Math.round(megahertz / 10) / 100,
		cpu_ram: Math.round(totalmem() / BYTES_PER_MB),
		has_avx: hasAvx(information),
		mobo_name: word(board),
		os_version: versionOf(release),
	};
}

/** As offers have it. */
function archOf(name: string): string {
	return name === 'x64' ? 'amd64' : name;
}

/** True if all of `/proc/cpuinfo` says so; null where it says nothing of it. */
export function hasAvx(information: string): boolean | null {
	const flags = /^flags\s*:(.*)$/m.exec(information)?.[1];
	return flags === undefined ? null : flags.split(/\s+/).includes('avx');
}

/** `24.04`, of `/etc/os-release`. */
export function versionOf(release: string): string | null {
	return word(/^VERSION_ID="?([^"\n]*)"?$/m.exec(release)?.[1]);
}

async function read(file: string): Promise<string> {
	return readFile(file, 'utf8').catch(() => '');
}

/** As long as the contract takes it, without what does not print. */
function word(text: string | undefined): string | null {
	const plain = (text ?? '').replaceAll(/\p{C}/gu, ' ').trim().slice(0, 128);
	return plain === '' || plain === 'unknown' ? null : plain;
}
