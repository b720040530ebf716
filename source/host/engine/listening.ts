/** Listening on the network that only a container has, for whoever has it lead out through SSH. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {wordsFor} from '../parts.ts';
import type {Listen} from '../sandbox/room.ts';

/** Listens inside of the container that a process belongs to. It fails where this user may not. */
export function listenBeside(pid: number): Listen {
	return async (port, take) => {
		const folder = await mkdtemp(join(tmpdir(), 'rentty-listen-'));
		const path = join(folder, 'socket');
		const server = createServer(take).listen(path);
		await once(server, 'listening');
		const words = [`--net=/proc/${pid}/ns/net`, '--', ...wordsFor('container-relay')];
		const child = spawn('nsenter', [...words, path, String(port)], {
			stdio: ['pipe', 'pipe', 'ignore'],
			env: {PATH: process.env['PATH']},
		});
		child.stdin.on('error', () => undefined);
		const close = () => {
			child.stdin.end();
			server.close();
			void rm(folder, {recursive: true, force: true});
		};
		const said = Promise.race([
			once(child.stdout, 'data').then(([data]) => Number(String(data))),
			once(child, 'close').then(() => Number.NaN),
		]);
		const listening = await said.catch(() => Number.NaN);
		if (Number.isInteger(listening)) return {port: listening, close};
		close();
		throw new Error('nothing can listen inside of the container');
	};
}
