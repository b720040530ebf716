/** Which kind of room this machine can have. */
import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {promisify} from 'node:util';
import {findProgram} from './find-program.ts';
import {processRoom} from './process-room.ts';
import type {Room, RoomPlan} from './room.ts';
import {sandboxRoom} from './sandbox-room.ts';

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
