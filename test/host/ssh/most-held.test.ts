/** Each kind of thing that renters make the agent hold has a bound for an instance, over all its connections. */
import {createSocket} from 'node:dgram';
import {once} from 'node:events';
import {readFileSync, writeFileSync} from 'node:fs';
import {connect, createServer, type Server, type Socket} from 'node:net';
import {join} from 'node:path';
import {PassThrough} from 'node:stream';
import {text} from 'node:stream/consumers';
import {promisify} from 'node:util';
import ssh2 from 'ssh2';
import {describe, expect, test} from 'vitest';
import {publishPorts} from '../../../source/host/sandbox/network-calls.ts';
import {processInside} from '../../../source/host/sandbox/choose-inside.ts';
import {type Holdings, mostHeld} from '../../../source/host/ssh/connection-limits.ts';
import {noProcesses} from '../../helpers/local-host.ts';
import {noOpenSsh} from '../../helpers/open-ssh.ts';
import {openInstance} from '../../helpers/ssh-server.ts';

type Instance = Awaited<ReturnType<typeof openInstance>>;

/** Somebody at a door, with as many connections as they need, and a server that they may be led to. */
async function openRenter({sshServer, key, home}: Instance) {
	writeFileSync(join(home, 'file'), 'text');
	const clients: ssh2.Client[] = [];
	const target = createServer(socket => void socket.on('error', () => undefined)).listen(0);
	await once(target, 'listening');

	async function enter(): Promise<ssh2.Client> {
		// An address of its own for each, since those of one are bounded, too.
		const localAddress = `127.0.1.${1 + (clients.length % 200)}`;
		const sock = connect({port: sshServer.port, host: '127.0.0.1', localAddress, noDelay: true});
		const client = new ssh2.Client().on('error', () => undefined);
		sock.on('error', () => undefined);
		client.connect({sock, username: 'root', privateKey: readFileSync(key)});
		await Promise.race([once(client, 'ready'), once(client, 'close')]);
		if (sock.destroyed) throw new Error('sent away');
		clients.push(client);
		return client;
	}

	/** The connection for something, of which each has so many. */
	async function way(number: number, each: number): Promise<ssh2.Client> {
		return clients[Math.floor(number / each)] ?? enter();
	}
	return {
		port: portOf(target),
		enter,
		way,
		leave() {
			for (const client of clients.splice(0)) client.destroy();
		},
		[Symbol.dispose]: () => void target.close(),
	};
}

function portOf(server: Server): number {
	const address = server.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}

type Renter = Awaited<ReturnType<typeof openRenter>>;

const transfers = new WeakMap<ssh2.Client, Promise<ssh2.SFTPWrapper>>();

async function transferOf(client: ssh2.Client): Promise<ssh2.SFTPWrapper> {
	const known = transfers.get(client) ?? promisify(client.sftp.bind(client))();
	transfers.set(client, known);
	return known;
}

/** Ways to hold one more of each kind, which fail where there are too many. */
const holders: Readonly<
	Record<Exclude<keyof Holdings, 'bytes'>, (renter: Renter, number: number) => Promise<unknown>>
> = {
	connections: async ({enter}) => enter(),
	sessions: async ({way}, number) => {
		const client = await way(number, 100);
		return promisify<string, ssh2.ClientChannel>(client.exec.bind(client))('exec sleep 1000');
	},
	transfers: async ({way}, number) => {
		const client = await way(number, 100);
		return promisify(client.sftp.bind(client))();
	},
	files: async ({way}, number) => {
		const sftp = await transferOf(await way(number, 200));
		return promisify(sftp.open.bind(sftp, 'file'))('r');
	},
	forwards: async ({way, port}, number) => {
		const client = await way(number, 100);
		return promisify(client.forwardOut.bind(client))('127.0.0.1', 0, '127.0.0.1', port);
	},
	listeners: async ({way}, number) => {
		const client = await way(number, 10);
		return promisify(client.forwardIn.bind(client))('127.0.0.1', 0);
	},
};

/** Words of the client's library for all that a server refuses. */
const refusal = /fail|open|unable|lost|sent away|exit code/i;

describe.skipIf((noOpenSsh ?? noProcesses) !== undefined)('at a door', () => {
	test.each(Object.entries(holders))(
		'one more of the %s than an instance may have is refused',
		async (kind, hold) => {
			const most = new Map(Object.entries(mostHeld)).get(kind) ?? 0;
			await using instance = await openInstance(plan => processInside(plan, '/bin/sh'));
			using renter = await openRenter(instance);
			for (let number = 0; number < most; number++) await hold(renter, number);
			await expect(hold(renter, most)).rejects.toThrow(refusal);
			renter.leave();
			await expect.poll(async () => hold(renter, 0).then(() => 'held', String)).toBe('held');
			renter.leave();
		},
	);

	test('a session that is being started holds its place, although its connection is cut', async () => {
		const {promise: started, resolve: start} = Promise.withResolvers<void>();
		let starts = 0;
		await using instance = await openInstance(
			plan => {
				const inside = processInside(plan, '/bin/sh');
				return {
					...inside,
					async start(...given) {
						starts += 1;
						await started;
						return inside.start(...given);
					},
				};
			},
			{...mostHeld, sessions: 1},
		);
		using renter = await openRenter(instance);
		holders.sessions(renter, 0).catch(() => undefined);
		await expect.poll(() => starts).toBe(1);
		renter.leave();
		await expect(holders.sessions(renter, 0)).rejects.toThrow(refusal);
		start();
		await expect
			.poll(async () => holders.sessions(renter, 0).then(() => 'held', String))
			.toBe('held');
		renter.leave();
	});
});

async function reach(port: number): Promise<Socket> {
	const socket = connect(port, '127.0.0.1').on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

test('one more connection to the ports of an instance than it may have is refused', async () => {
	const server = createServer(socket => void socket.on('error', () => undefined)).listen(0);
	await once(server, 'listening');
	let led = 0;
	const inside = async () => reach(portOf(server)).finally(() => (led += 1));
	const wanted = Array.from({length: 6}, () => ({
		inside: 80,
		protocol: 'tcp' as const,
		outside: 0,
	}));
	const ways = {connect: inside, openDatagrams: inside};
	const published = await publishPorts({address: '127.0.0.1', ...ways}, wanted);
	const sockets: Socket[] = [];
	for (let number = 0; number < mostHeld.ports; number++) {
		sockets.push(await reach(published.ports[Math.floor(number / 200)]?.[1] ?? 0));
	}
	await expect.poll(() => led).toBe(mostHeld.ports);
	const port = published.ports[5]?.[1] ?? 0;
	await once(await reach(port), 'close');
	expect(led).toBe(mostHeld.ports);
	for (const socket of sockets) socket.destroy();
	const later = async () => reach(port).then(socket => sockets.push(socket));
	await expect.poll(async () => later().then(() => led)).toBeGreaterThan(mostHeld.ports);
	for (const socket of sockets) socket.destroy();
	published.close();
	server.close();
});

test('senders of datagrams are as many as may be, and keep no connection out', async () => {
	const server = createServer(socket => void socket.end('reached')).listen(0);
	await once(server, 'listening');
	const opened: PassThrough[] = [];
	const ways = {
		connect: async () => reach(portOf(server)),
		async openDatagrams() {
			const stream = new PassThrough();
			opened.push(stream);
			return stream;
		},
	};
	const published = await publishPorts({address: '127.0.0.1', ...ways}, [
		{inside: 53, protocol: 'udp', outside: 0},
		{inside: 80, protocol: 'tcp', outside: 0},
	]);
	const [[, datagrams] = ['', 0], [, connections] = ['', 0]] = published.ports;
	const senders = Array.from({length: mostHeld.ports + 20}, () => createSocket('udp4'));
	// The system keeps some hundred datagrams that were not read yet, and drops more.
	for (const [index, sender] of senders.entries()) {
		sender.send('word', datagrams, '127.0.0.1');
		const isFull = () => opened.length >= Math.min(index + 1, mostHeld.ports);
		await expect.poll(isFull, {interval: 1}).toBe(true);
	}
	expect(await text(await reach(connections))).toBe('reached');
	expect(opened).toHaveLength(mostHeld.ports);
	for (const sender of senders) sender.close();
	published.close();
	await expect.poll(() => opened.every(stream => stream.destroyed)).toBe(true);
	server.close();
});
