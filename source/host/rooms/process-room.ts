/** A room without walls: a folder to begin in. Whoever enters it is on this machine. */
import {isAbsolute, join, relative} from 'node:path';
import {enterable} from './enterable.ts';
import type {Room, RoomPlan} from './room.ts';

/** Where programs are looked for, whatever whoever started the host has set. */
export const SEARCHED = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** @param shell The program that reads command lines. */
export function processRoom({folder, env, mounts}: RoomPlan, shell: string): Room {
	const around = {PATH: SEARCHED, LANG: 'C.UTF-8', ...env, HOME: folder, SHELL: shell};
	return enterable({
		isolation: 'none',
		home: folder,
		folders: [folder, ...mounts.map(mount => mount.folder)],
		launch: command => ({
			file: shell,
			args: command === undefined ? ['-l'] : ['-c', command],
			cwd: folder,
			env: around,
		}),
		outside(path) {
			const place = isAbsolute(path) ? join(path) : join(folder, path);
			const inside = relative(folder, place);
			return inside.startsWith('..') || isAbsolute(inside) ? undefined : place;
		},
	});
}
