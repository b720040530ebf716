/** What bubblewrap is told of a sandbox: what is seen in it, and what it has by itself. */
import {existsSync} from 'node:fs';
import process from 'node:process';
import type {RoomPlan} from './room.ts';

export const HOME = '/root';

/** The numbers under which bubblewrap finds what it joins. */
export const USERS = '8';
export const PROCESSES = '9';

/** The machine's own programs, which can be run and not changed. */
export const PROGRAMS = [
	'/usr',
	'/bin',
	'/sbin',
	'/lib',
	'/lib32',
	'/lib64',
	'/libx32',
	'/opt/rocm',
] as const;

/** Where programs that use GPUs, or many processors, find out what there is. */
const MACHINE = [
	'/sys/block',
	'/sys/bus',
	'/sys/class',
	'/sys/dev',
	'/sys/devices',
	'/sys/module',
] as const;

/** What of the kernel's files steers the machine: a host that is root would let root inside write it. */
const STEERING = [
	'/proc/acpi',
	'/proc/bus',
	'/proc/fs',
	'/proc/irq',
	'/proc/mtrr',
	'/proc/scsi',
	'/proc/sys',
	'/proc/sysrq-trigger',
] as const;

/** What of them tells of others on the machine, or of its memory. */
const TELLING = [
	'/proc/keys',
	'/proc/kpagecgroup',
	'/proc/kpagecount',
	'/proc/kpageflags',
	'/proc/slabinfo',
	'/proc/timer_list',
	'/proc/vmallocinfo',
] as const;

/** What programs need of the machine's settings to run and to find names: nothing that is private. */
export const SETTINGS = [
	'/etc/alternatives',
	'/etc/ca-certificates',
	'/etc/ld.so.cache',
	'/etc/ld.so.conf',
	'/etc/ld.so.conf.d',
	'/etc/localtime',
	'/etc/nsswitch.conf',
	'/etc/pki/ca-trust/extracted',
	'/etc/pki/tls/certs',
	'/etc/resolv.conf',
	'/etc/ssl/cert.pem',
	'/etc/ssl/certs',
	'/etc/ssl/openssl.cnf',
] as const;

/** @param places What is written to inside: folders of this machine, by their paths inside. */
export function wallsOf(plan: RoomPlan, places: RoomPlan['mounts']): readonly string[] {
	const {hostName, devices = [], network, sharedMemoryBytes: shared} = plan;
	const settings = typeof network === 'object' ? network.settings : [];
	const own = new Set(settings.map(({path}) => path));
	const shown = [...PROGRAMS, ...SETTINGS, ...MACHINE].filter(path => !own.has(path));
	// Whoever is root here may not take the walls down: a host that is root itself gives more away.
	const powers = ['--cap-drop', 'ALL', '--uid', '0', '--gid', '0'];
	const made = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/run'];
	const memory = shared === undefined ? [] : ['--size', String(shared), '--tmpfs', '/dev/shm'];
	return [
		...namesOf(plan),
		'--die-with-parent',
		...powers,
		'--hostname',
		hostName,
		...shown.flatMap(path => ['--ro-bind-try', path, path]),
		...settings.flatMap(({folder, path}) => ['--ro-bind', folder, path]),
		...made,
		...STEERING.flatMap(path => ['--ro-bind-try', path, path]),
		...emptied(),
		...memory,
		...devices.flatMap(path => ['--dev-bind-try', path, path]),
		...places.flatMap(place => ['--bind', place.folder, place.path]),
		'--chdir',
		HOME,
	];
}

/** Only the superuser reads these: whoever else runs a host need not empty them, and often may not. */
function emptied(): readonly string[] {
	if (process.getuid?.() !== 0) return [];
	const there = TELLING.filter(path => existsSync(path));
	return there.flatMap(path => ['--ro-bind', '/dev/null', path]);
}

/** What it has by itself. What it is started in has the network that it is to have. */
function namesOf({joins, network}: RoomPlan): readonly string[] {
	if (joins === undefined) return ['--unshare-all', ...(network === 'none' ? [] : ['--share-net'])];
	const joined = ['--userns', USERS, '--pidns', PROCESSES];
	return [...joined, '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
}
