/** Measures what idle agents and idle connections cost a relay in memory. Run with `--expose-gc`. */
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {performServerHandshake, type ServerHttp2Stream} from 'node:http2';
import {connect, createServer, type Socket} from 'node:net';
import process from 'node:process';
import {setTimeout as sleep} from 'node:timers/promises';
import {openRelay} from '../../source/market/relay/relay.ts';

const HERE = '127.0.0.1';
const AGENTS = 1000;
const SESSIONS = 4;
const STREAMS = 1000;
const FIRST_PORT = 31_000;
const PORTS = 10;

const portOf = (server: ReturnType<typeof createServer>) => {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
};

async function openSocket(port: number): Promise<Socket> {
	const socket = connect({host: HERE, port, allowHalfOpen: true});
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

/** Agents and renters, in a process of their own: whatever they take is not the relay's. */
async function runOthers(port: number): Promise<void> {
	for (let count = 0; count < AGENTS * SESSIONS; count++) {
		const session = performServerHandshake(await openSocket(port));
		session.on('error', () => undefined);
		session.on('stream', (stream: ServerHttp2Stream) => {
			stream.on('error', () => undefined);
			stream.respond({':status': 200});
			stream.write('SSH-2.0-idle\r\n');
		});
	}
	process.send?.('agents');
	await once(process, 'message');
	for (let count = 0; count < STREAMS; count++) {
		await once(await openSocket(FIRST_PORT + (count % PORTS)), 'data');
	}
	process.send?.('streams');
}

/** Megabytes that this process holds at rest. */
async function heldMegabytes(): Promise<number> {
	await sleep(1000);
	for (let count = 0; count < 3; count++) globalThis.gc?.();
	return process.memoryUsage.rss() / 1e6;
}

async function measure(): Promise<void> {
	const ports = Array.from({length: PORTS}, (_, index) => FIRST_PORT + index);
	const limits = {instance: STREAMS, account: STREAMS, network: STREAMS, all: STREAMS, second: 1e6};
	const relay = await openRelay({
		address: HERE,
		ports: async () => ports,
		find: async port => ({instanceId: port, port: 22, machineId: port - FIRST_PORT, accountId: 1}),
		log: console.error,
		limits,
	});
	let agents = 0;
	const server = createServer({allowHalfOpen: true}, socket => {
		const machine = Math.floor(agents++ / SESSIONS);
		relay.sessions.add(socket, {machines: [machine], start: `start ${machine}`});
	}).listen(0, HERE);
	await once(server, 'listening');
	const others = fork(import.meta.filename, ['others', String(portOf(server))]);
	const empty = await heldMegabytes();
	await once(others, 'message');
	const withAgents = await heldMegabytes();
	others.send('go on');
	await once(others, 'message');
	const withStreams = await heldMegabytes();
	const {connections} = relay.figures();
	console.log('\nA relay at rest');
	console.log(`${AGENTS} agents of ${SESSIONS} sessions: ${(withAgents - empty).toFixed(0)} MB`);
	console.log(`${connections} idle connections: ${(withStreams - withAgents).toFixed(0)} MB`);
	others.kill();
	await relay.close();
	server.close();
}

const [role, port] = process.argv.slice(2);
await (role === 'others' ? runOthers(Number(port)) : measure());
