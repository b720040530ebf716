/** A room of bubblewrap's: a view of the file system, processes and a name of its own. */
import {randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, posix, relative} from 'node:path';
import {entranceOf} from '../bounds/control-groups.ts';
import {quoted} from '../local/workload.ts';
import {startFor} from './child.ts';
import type {Launch} from './child.ts';
import {SEARCHED} from './find-program.ts';
import {isWithin, mountPlaces} from './mount-places.ts';
import type {Room, RoomPlan} from './room.ts';
import {HOME, PROCESSES, PROGRAMS, SETTINGS, USERS, wallsOf} from './sandbox-walls.ts';

/** What sandboxes are made with, each by its absolute path. */
export type SandboxTools = {
	/** The shell inside. */
	readonly shell: string;
	readonly bwrap: string;
	readonly rm: string;
};

/** What a terminal is called outside: its name is for the inside. */
const OUTER_TERMINAL = 'dumb';

type Variables = Readonly<Record<string, string>>;

export function sandboxRoom(plan: RoomPlan, tools: SandboxTools): Room {
	const {folder, env, marks = {}, mounts} = plan;
	const own = [{folder, path: HOME}, ...(plan.writable ?? [])];
	const places = mountPlaces(own, mounts);
	const walls = wallsOf(plan, [...own, ...places.mounts]);
	const {shell} = tools;
	const network = typeof plan.network === 'object' ? plan.network : undefined;
	const around = {PATH: SEARCHED, LANG: 'C.UTF-8', ...env, ...marks, HOME, SHELL: shell};
	// What is asked for within another folder is found first.
	const seen = [...mounts, ...places.mounts, ...own].toSorted(
		(one, other) => other.path.length - one.path.length,
	);

	function launch(command?: string, variables: Variables = {}): Launch {
		const inside = [shell, ...(command === undefined ? ['-l'] : ['-c', command])];
		const file = writeWords(environmentWords({...around, ...variables, USER: 'root'}));
		const words = [
			...(network?.entrance ?? []),
			tools.bwrap,
			'--args',
			WORDS,
			...walls,
			'--',
			...inside,
		];
		return {
			file: '/bin/sh',
			args: ['-c', openingOf(plan), 'sh', file, tools.rm, ...words],
			// Nothing outside runs in a folder, or with words, of whoever rents.
			cwd: '/',
			env: {PATH: SEARCHED, LANG: 'C.UTF-8', ...marks},
		};
	}

	return {
		isolation: 'sandbox',
		home: HOME,
		folders: [...own, ...mounts].map(place => place.folder),
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
			const inside = posix.resolve(HOME, path);
			const place = seen.find(one => isWithin(one.path, inside));
			return place === undefined ? undefined : join(place.folder, relative(place.path, inside));
		},
	};
}

/** The number under which bubblewrap finds what it is told of variables. */
const WORDS = '7';

/** As bubblewrap reads them: the variables are seen inside alone, and in no list of processes. */
function environmentWords(variables: Variables): string {
	const set = Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]);
	return ['--clearenv', ...set].map(word => `${word}\0`).join('');
}

/** A file, because a terminal's program is given no open files. Whoever opens it removes it. */
function writeWords(words: string): string {
	const file = join(tmpdir(), `rentty-${randomUUID()}`);
	writeFileSync(file, words, {mode: 0o600, flag: 'wx'});
	return file;
}

/** Has a shell enter its control groups, open what bubblewrap reads and joins, and then become it. */
function openingOf({joins, groups = []}: RoomPlan): string {
	const entering = groups.map(group => `echo 0 >${quoted(entranceOf(group))} || exit; `).join('');
	const joined =
		joins === undefined
			? ''
			: ` ${USERS}</proc/${joins}/ns/user ${PROCESSES}</proc/${joins}/ns/pid`;
	// Nobody waits for the file to be removed: bubblewrap minds no children but its own.
	return `exec ${WORDS}<"$1"; "$2" -f "$1" & shift 2; ${entering}exec "$@"${joined}`;
}
