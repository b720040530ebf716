/** A room without walls: a folder to begin in. Whoever enters it is on this machine. */
import {isAbsolute, join, relative} from 'node:path';
import {startFor} from './child.ts';
import {SEARCHED} from './find-program.ts';
import type {Room, RoomPlan} from './room.ts';

/** @param shell The program that reads command lines. */
export function processRoom({folder, env, marks, mounts}: RoomPlan, shell: string): Room {
	const around = {PATH: SEARCHED, LANG: 'C.UTF-8', ...env, ...marks, HOME: folder, SHELL: shell};
	const launch: Room['launch'] = command => ({
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
			const place = isAbsolute(path) ? join(path) : join(folder, path);
			const inside = relative(folder, place);
			return inside.startsWith('..') || isAbsolute(inside) ? undefined : place;
		},
	};
}
