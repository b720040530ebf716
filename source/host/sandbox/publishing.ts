/** Ports of the machine that lead to ports of an instance's own network. */
import {once} from 'node:events';
import {createServer, type Server, type Socket} from 'node:net';
import type {RoomNetwork} from '../inside/inside.ts';
import type {Ports, WantedPort} from '../instance/ports.ts';

export type Published = {readonly ports: Ports; readonly close: () => void};

type Publishing = {
	/** Address to listen on. */
	readonly address: string;
	readonly connect: RoomNetwork['connect'];
};

/** No instance keeps others from being reached by having very many connections. */
const MOST_CONNECTIONS = 256;

/** Each has a port of the machine to itself, the wanted one where nobody else has it. */
export async function publishPorts(
	publishing: Publishing,
	wanted: readonly WantedPort[],
): Promise<Published> {
	const ports: Array<readonly [string, number]> = [];
	const servers: Server[] = [];
	for (const {inside, outside} of wanted) {
		const server = createServer({allowHalfOpen: true, pauseOnConnect: true});
		const port = await listenOn(server, publishing.address, outside);
		const target = inside === 'same' ? port : inside;
		server.maxConnections = MOST_CONNECTIONS;
		server.on('connection', socket => void lead(socket, publishing, target));
		servers.push(server);
		ports.push([`${target}/tcp`, port]);
	}
	return {
		ports,
		close() {
			for (const server of servers) server.close();
		},
	};
}

async function listenOn(server: Server, host: string, port: number): Promise<number> {
	try {
		await once(server.listen({host, port}), 'listening');
	} catch (error) {
		if (port === 0) throw error;
		return listenOn(server, host, 0);
	}
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

async function lead(socket: Socket, {connect}: Publishing, port: number): Promise<void> {
	socket.on('error', () => socket.destroy());
	const gone = new AbortController();
	socket.once('close', () => gone.abort());
	try {
		const inside = await connect('127.0.0.1', port, gone.signal);
		inside.on('error', () => socket.destroy());
		inside.on('close', () => socket.destroy());
		socket.on('close', () => inside.destroy());
		socket.pipe(inside);
		inside.pipe(socket);
	} catch {
		socket.destroy();
	}
}
