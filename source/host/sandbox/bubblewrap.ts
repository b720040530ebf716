/** Arguments of bubblewrap: the files seen in a sandbox, and its own namespaces. */
import {existsSync} from 'node:fs';
import process from 'node:process';
import {basename, join, posix, relative} from 'node:path';
import {isInFolder, type InsidePlan} from '../inside/inside.ts';

export const SANDBOX_HOME = '/root';

/** File descriptors by which bubblewrap joins namespaces. */
export const USERS = '8';
export const PROCESSES = '9';

/** The machine's programs, shown read-only. */
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

/** Files by which programs that use GPUs, or many processors, find the hardware. */
const MACHINE = [
	'/sys/block',
	'/sys/bus',
	'/sys/class',
	'/sys/dev',
	'/sys/devices',
	'/sys/module',
] as const;

/** Kernel files that control the machine: under a root host, root inside could write to them. */
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

/** Kernel files that reveal other users of the machine or its memory. */
const REVEALING = [
	'/proc/keys',
	'/proc/kpagecgroup',
	'/proc/kpagecount',
	'/proc/kpageflags',
	'/proc/slabinfo',
	'/proc/timer_list',
	'/proc/vmallocinfo',
] as const;

/** System files that programs need to run and to resolve names: nothing private. */
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

/** @param mounts Writable folders of this machine, by their paths inside. */
export function bubblewrapArguments(
	plan: InsidePlan,
	mounts: InsidePlan['mounts'],
): readonly string[] {
	const {hostName, devices = [], network, sharedMemoryBytes: shared} = plan;
	const settings = typeof network === 'object' ? network.settings : [];
	const own = new Set(settings.map(({path}) => path));
	const shown = [...PROGRAMS, ...SETTINGS, ...MACHINE].filter(path => !own.has(path));
	// Root inside must not be able to undo the isolation, least of all under a host that runs as
	// root.
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
		...mounts.flatMap(mount => ['--bind', mount.folder, mount.path]),
		'--chdir',
		SANDBOX_HOME,
	];
}

/** Arguments that hide files only root can read; a host without root need not and often cannot. */
function emptied(): readonly string[] {
	if (process.getuid?.() !== 0) return [];
	const there = REVEALING.filter(path => existsSync(path));
	return there.flatMap(path => ['--ro-bind', '/dev/null', path]);
}

/** New namespaces, except the network, which the parent process has. */
function namesOf({joins, network}: InsidePlan): readonly string[] {
	if (joins === undefined) return ['--unshare-all', ...(network === 'none' ? [] : ['--share-net'])];
	const joined = ['--userns', USERS, '--pidns', PROCESSES];
	return [...joined, '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
}

type Mount = InsidePlan['mounts'][number];

/** Link at the requested path of a volume that is mounted elsewhere. */
export type MountLink = {
	/** Folder of this machine with the link, and the link's path in it. */
	readonly folder: string;
	readonly path: string;
	readonly target: string;
};

type MountPoints = {
	readonly mounts: readonly Mount[];
	readonly links: readonly MountLink[];
};

/** Folder of mounts inside, on a file system of the sandbox's own. */
const APART = '/run/volumes';

/** Folders of the machine or of the kernel. */
const RESERVED = /^\/(?:$|(?:bin|dev|etc|lib\w*|opt\/rocm|proc|run|sbin|sys|usr)(?:\/|$))/;

/**
 * Paths of requested mounts. A mount point in a folder that is writable inside could be replaced by
 * a link, which bubblewrap would follow on the machine: such a volume is mounted elsewhere, with a
 * link at its requested path.
 *
 * @param written Writable folders of this machine, by their paths inside.
 */
export function planMountPoints(written: readonly Mount[], asked: readonly Mount[]): MountPoints {
	const mounts: Mount[] = [];
	const links: MountLink[] = [];
	for (const {folder, path: given} of asked) {
		const path = posix.resolve('/', given);
		const around = containing([...written, ...asked], path);
		if (around === undefined && !RESERVED.test(path)) {
			mounts.push({folder, path});
			continue;
		}
		const target = join(APART, basename(folder));
		mounts.push({folder, path: target});
		if (around === undefined) continue;
		links.push({folder: around.folder, path: relative(around.path, path), target});
	}
	return {mounts, links};
}

/** The deepest folder that contains a path. */
function containing(all: readonly Mount[], path: string): Mount | undefined {
	return all
		.filter(one => path !== one.path && isInFolder(one.path, path))
		.toSorted((one, other) => other.path.length - one.path.length)[0];
}
