/** Each kind of thing that renters make the agent hold has a bound for an instance, over all its connections. */
import {createSocket, type Socket as Datagrams} from 'node:dgram';
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
import {noProcesses} from '../../helpers/host/local-host.ts';
import {noOpenSsh} from '../../helpers/host/open-ssh.ts';
import {openInstance} from '../../helpers/host/ssh-server.ts';

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

/** Addresses of this machine, each of a network of its own. */
const [ONE, OTHER, THIRD] = ['127.0.0.1', '127.0.0.2', '127.0.0.3'] as const;

async function reach(port: number, localAddress: string = ONE): Promise<Socket> {
	const socket = connect({port, host: ONE, localAddress}).on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

test('connections to the ports of an instance are so many, and one network leaves half of each port and of all', async () => {
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
	const published = await publishPorts({address: ONE, ...ways}, wanted);
	const ports = published.ports.map(([, outside]) => outside);
	const sockets: Socket[] = [];
	/** Connects until one is sent away, and returns how many were let in. */
	async function fill(port: number, from: string): Promise<number> {
		for (let count = 0; ; count++) {
			const before = led;
			const socket = await reach(port, from);
			await expect.poll(() => led > before || socket.destroyed, {interval: 1}).toBe(true);
			if (led === before) return count;
			sockets.push(socket);
		}
	}
	const [first = 0, second = 0, third = 0] = ports;
	expect(await fill(first, ONE)).toBe(256);
	expect(await fill(first, OTHER)).toBe(256);
	expect(await fill(first, THIRD)).toBe(0);
	expect(await fill(second, ONE)).toBe(256);
	expect(await fill(third, ONE)).toBe(0);
	expect(await fill(third, OTHER)).toBe(256);
	expect(led).toBe(mostHeld.ports);
	expect(await fill(third, THIRD)).toBe(0);
	for (const socket of sockets) socket.destroy();
	const later = async () => reach(third, ONE).then(socket => sockets.push(socket));
	await expect.poll(async () => later().then(() => led)).toBeGreaterThan(mostHeld.ports);
	for (const socket of sockets) socket.destroy();
	published.close();
	server.close();
});

test('senders of datagrams are as many as may be, half of them from one network, and keep no connection out', async () => {
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
	const published = await publishPorts({address: ONE, ...ways}, [
		{inside: 53, protocol: 'udp', outside: 0},
		{inside: 80, protocol: 'tcp', outside: 0},
	]);
	const [[, datagrams] = ['', 0], [, connections] = ['', 0]] = published.ports;
	const senders: Datagrams[] = [];
	/** Sends from so many ports of an address, of which no more are let in. */
	async function send(from: string, count: number, most: number): Promise<void> {
		const before = opened.length;
		for (let index = 1; index <= count; index++) {
			const sender = createSocket('udp4').bind(0, from);
			await once(sender, 'listening');
			senders.push(sender);
			sender.send('word', datagrams, ONE);
			// The system keeps some hundred datagrams that were not read yet, and drops more.
			const isFull = () => opened.length >= before + Math.min(index, most);
			await expect.poll(isFull, {interval: 1}).toBe(true);
		}
		expect(opened).toHaveLength(before + most);
	}
	await send(ONE, mostHeld.ports / 2 + 20, mostHeld.ports / 2);
	await send(OTHER, 1, 1);
	await send(OTHER, mostHeld.ports / 2 - 1, mostHeld.ports / 2 - 1);
	await send(THIRD, 1, 0);
	expect(await text(await reach(connections))).toBe('reached');
	expect(opened).toHaveLength(mostHeld.ports);
	for (const sender of senders) sender.close();
	published.close();
	await expect.poll(() => opened.every(stream => stream.destroyed)).toBe(true);
	server.close();
});
