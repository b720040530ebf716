/** A room of bubblewrap's: a view of the file system, processes and a name of its own. */
import {isAbsolute, join, posix, relative} from 'node:path';
import {enterable} from './enterable.ts';
import {SEARCHED} from './process-room.ts';
import type {Room, RoomPlan} from './room.ts';

const HOME = '/root';

/** The machine's own programs, which can be run and not changed. */
const PROGRAMS = [
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
const MACHINE = '/sys';

/** What programs need of the machine's settings to run and to find names. */
const SETTINGS = [
	'/etc/alternatives',
	'/etc/ld.so.cache',
	'/etc/ld.so.conf',
	'/etc/ld.so.conf.d',
	'/etc/localtime',
	'/etc/nsswitch.conf',
	'/etc/resolv.conf',
	'/etc/ssl',
] as const;

export function sandboxRoom(plan: RoomPlan, shell: string): Room {
	const {folder, env} = plan;
	const walls = [...namesOf(plan), ...wallsOf(plan)];
	const around = {PATH: SEARCHED, LANG: 'C.UTF-8', ...env, HOME, SHELL: shell, USER: 'root'};
	const seen = [{folder, path: HOME}, ...plan.mounts];
	return enterable({
		isolation: 'sandbox',
		home: HOME,
		folders: seen.map(place => place.folder),
		launch(command) {
			const inside = [shell, ...(command === undefined ? ['-l'] : ['-c', command])];
			const all = ['bwrap', ...walls, '--', ...inside];
			const [file = '', ...args] = plan.joins === undefined ? all : joining(plan.joins, all);
			return {file, args, cwd: folder, env: around};
		},
		outside(path) {
			const inside = posix.resolve(HOME, path);
			for (const place of seen) {
				const rest = relative(place.path, inside);
				if (!rest.startsWith('..') && !isAbsolute(rest)) return join(place.folder, rest);
			}
			return undefined;
		},
	});
}

/** What it has by itself. Its ports are the machine's ports, and so is its way out. */
function namesOf({joins}: RoomPlan): readonly string[] {
	if (joins === undefined) return ['--unshare-all', '--share-net'];
	const joined = ['--userns', USERS, '--pidns', PROCESSES];
	return [...joined, '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'];
}

/** The numbers under which bubblewrap finds what it joins. */
const USERS = '8';
const PROCESSES = '9';

/** Has a shell open what is joined: a terminal's program is given no open files. */
function joining(pid: number, all: readonly string[]): readonly string[] {
	const open = `exec "$@" ${USERS}</proc/${pid}/ns/user ${PROCESSES}</proc/${pid}/ns/pid`;
	return ['/bin/sh', '-c', open, 'sh', ...all];
}

function wallsOf({folder, hostName, mounts, devices = []}: RoomPlan): readonly string[] {
	return [
		'--die-with-parent',
		// Whoever is root here may not take the walls down: a host that is root itself gives more away.
		'--cap-drop',
		'ALL',
		'--uid',
		'0',
		'--gid',
		'0',
		'--hostname',
		hostName,
		...PROGRAMS.flatMap(path => ['--ro-bind-try', path, path]),
		...SETTINGS.flatMap(path => ['--ro-bind-try', path, path]),
		'--ro-bind-try',
		MACHINE,
		MACHINE,
		'--proc',
		'/proc',
		'--dev',
		'/dev',
		...devices.flatMap(path => ['--dev-bind-try', path, path]),
		'--tmpfs',
		'/tmp',
		'--tmpfs',
		'/run',
		'--bind',
		folder,
		HOME,
		...mounts.flatMap(mount => ['--bind', mount.folder, mount.path]),
		'--chdir',
		HOME,
	];
}
