/** The program that holds an instance's network, on the network of this machine. */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {readdirSync} from 'node:fs';
import {createServer, type Server, type Socket} from 'node:net';
import {argumentsFor} from '../../../source/host/base/programs.ts';
import {networkCalls, SOCKET} from '../../../source/host/sandbox/network-calls.ts';
import {openFolder} from '../folder.ts';

/** The program that holds a network, in the network of this machine, and a server that says nothing. */
export async function openNetworkRelay() {
	const folder = openFolder();
	const [file = '', ...words] = argumentsFor('network-relay');
	const relay = spawn(file, [...words, SOCKET, '127.0.0.1'], {cwd: folder.path});
	await once(relay.stdout, 'data');
	const taken: Socket[] = [];
	const silent = createServer({allowHalfOpen: true}, socket => taken.push(socket.resume()));
	await once(silent.listen(0, '127.0.0.1'), 'listening');
	const files = () => readdirSync(`/proc/${relay.pid}/fd`).length;
	return {
		folder: folder.path,
		calls: networkCalls(folder.path),
		port: portOf(silent),
		taken,
		files,
		async [Symbol.asyncDispose]() {
			relay.kill('SIGKILL');
			for (const socket of taken) socket.destroy();
			silent.close();
			await once(silent, 'close');
			folder[Symbol.dispose]();
		},
	};
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}
