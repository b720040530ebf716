/** Room kinds: the one that this machine can have. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {promisify} from 'node:util';
import {findProgram, SEARCHED} from './find-program.ts';
import type {Room, RoomPlan} from './room.ts';
import {sandboxRoom} from './sandbox-room.ts';
import {isAbsolute, join, relative} from 'node:path';
import {startFor} from './child.ts';

export type MakeRoom = (plan: RoomPlan) => Room;

const run = promisify(execFile);

const TRIAL_MS = 5000;

/** The kinds of rooms; `auto` is the one that is most apart of those that can be had. */
export type RoomKind = 'auto' | 'sandbox' | 'process';

/**
 * Sandboxes where they work: the program may be there and the kernel forbid what it does.
 *
 * @throws Error where nothing but a sandbox will do and there is none.
 */
export async function chooseRoom(kind: RoomKind = 'auto'): Promise<MakeRoom> {
	const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
	if (kind === 'process') return plan => processRoom(plan, shell);
	const bwrap = findProgram('bwrap') ?? 'bwrap';
	const trial = ['--unshare-all', '--share-net', '--ro-bind', '/', '/', '--proc', '/proc', 'true'];
	try {
		await run(bwrap, trial, {timeout: TRIAL_MS});
		const tools = {shell, bwrap};
		return plan => sandboxRoom(plan, tools);
	} catch (error) {
		if (kind === 'sandbox') {
			throw new Error(
				'bubblewrap makes no sandbox here: bwrap is missing, or the kernel forbids it',
				{
					cause: error,
				},
			);
		}
		return plan => processRoom(plan, shell);
	}
}

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
