/** An instance with an SSH server, with each kind of inside that this machine can have. */
import {mkdirSync, realpathSync} from 'node:fs';
import {join} from 'node:path';
import {chooseInside, processInside} from '../../../source/host/sandbox/choose-inside.ts';
import type {Inside, InsidePlan} from '../../../source/host/inside/inside.ts';
import type {mostHeld} from '../../../source/host/ssh/connection-limits.ts';
import {openSshServer, makeHostKey} from '../../../source/host/ssh/server.ts';
import {noteRest} from './at-rest.ts';
import {openSshUser} from './open-ssh.ts';

const makeBest = await chooseInside();
export const isSandboxed =
	makeBest({folder: '/', hostName: '', env: {}, mounts: []}).isolation !== 'none';
export const insides = [
	['a process', (plan: InsidePlan) => processInside(plan, '/bin/sh')] as const,
	...(isSandboxed ? [['a sandbox', makeBest] as const] : []),
];

/** An instance with an SSH server that one key opens. What its connections began has ended when it is disposed of. */
export async function openInstance(
	makeInside: (plan: InsidePlan) => Inside,
	most?: typeof mostHeld,
) {
	const rest = noteRest();
	const user = openSshUser();
	const home = join(user.folder, 'home');
	mkdirSync(home);
	const key = user.makeKey('mine');
	const env = {CONTAINER_ID: '7', GREETING: 'hello "world"'};
	const inside = makeInside({folder: realpathSync(home), hostName: 'seven', env, mounts: []});
	const hostKey = makeHostKey();
	const publicKeys = [key.publicKey];
	const options = {hostKey, inside, address: '127.0.0.1', port: 0, publicKeys, instanceId: 7};
	const bounds = most === undefined ? {} : {most};
	const sshServer = await openSshServer({...options, ...bounds});
	return {
		user,
		home,
		key: key.file,
		sshServer,
		ssh: async (command: string, input?: Uint8Array) =>
			user.ssh(sshServer.port, key.file, [command], input),
		async [Symbol.asyncDispose]() {
			await sshServer.close();
			user[Symbol.dispose]();
			await rest.end();
		},
	};
}

/** The kind that is most apart. */
export const best = insides.at(-1)?.[1] ?? processInside.bind(undefined);
