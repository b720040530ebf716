/** Listening on the network that only a container has, for whoever has it lead out through SSH. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import type {Listen} from '../sandbox/room.ts';

/**
 * What runs on the container's network, and on all else of this machine: it hands what connects there
 * to a socket that the agent listens on. It ends with the agent.
 */
const RELAY = `
const {connect, createServer} = require('node:net');
const [path, port] = process.argv.slice(1);
const server = createServer(socket => {
	const onward = connect(path);
	const end = () => { socket.destroy(); onward.destroy(); };
	for (const side of [socket, onward]) side.on('error', end).on('close', end);
	socket.pipe(onward).pipe(socket);
});
server.on('error', () => process.exit(1));
server.listen(Number(port), '127.0.0.1', () => console.log(server.address().port));
process.stdin.resume().on('end', () => process.exit());`;

/** Listens inside of the container that a process belongs to. It fails where this user may not. */
export function listenBeside(pid: number): Listen {
	return async (port, take) => {
		const folder = await mkdtemp(join(tmpdir(), 'rentty-listen-'));
		const path = join(folder, 'socket');
		const server = createServer(take).listen(path);
		await once(server, 'listening');
		const words = [`--net=/proc/${pid}/ns/net`, '--', process.execPath, '-e', RELAY];
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
