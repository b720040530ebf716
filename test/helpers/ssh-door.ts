/** An instance with a door for SSH, in each kind of room that this machine can have. */
import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {chooseRoom, processRoom} from '../../source/host/sandbox/choose-room.ts';
import type {RoomPlan} from '../../source/host/inside/inside.ts';
import {openDoor, makeHostKey} from '../../source/host/ssh/door.ts';
import {noteRest} from './at-rest.ts';
import {openSshUser} from './open-ssh.ts';

const makeBest = await chooseRoom();
export const isSandboxed =
	makeBest({folder: '/', hostName: '', env: {}, mounts: []}).isolation !== 'none';
export const rooms = [
	['a process', (plan: RoomPlan) => processRoom(plan, '/bin/sh')] as const,
	...(isSandboxed ? [['a sandbox', makeBest] as const] : []),
];

/** An instance with a door that one key opens. What its connections began has ended when it is disposed of. */
export async function openInstance(makeRoom: (plan: RoomPlan) => ReturnType<typeof processRoom>) {
	const rest = noteRest();
	const user = openSshUser();
	const home = join(user.folder, 'home');
	mkdirSync(home);
	const key = user.makeKey('mine');
	const env = {CONTAINER_ID: '7', GREETING: 'hello "world"'};
	const room = makeRoom({folder: realpathSync(home), hostName: 'seven', env, mounts: []});
	const hostKey = makeHostKey();
	const publicKeys = [key.publicKey];
	const options = {hostKey, room, address: '127.0.0.1', port: 0, publicKeys, instanceId: 7};
	const door = await openDoor(options);
	return {
		user,
		home,
		key: key.file,
		door,
		ssh: async (command: string, input?: Uint8Array) =>
			user.ssh(door.port, key.file, [command], input),
		async [Symbol.asyncDispose]() {
			await door.close();
			user[Symbol.dispose]();
			await rest.end();
		},
	};
}

/** The kind that is most apart. */
export const best = rooms.at(-1)?.[1] ?? processRoom.bind(undefined);
