/** Relays with agents and renters, in one process. */
import {once} from 'node:events';
import {performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream} from 'node:http2';
import {connect, createServer, type Socket} from 'node:net';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect} from 'vitest';
import {openClient} from '../../../source/client/client.ts';
import {openOwnHost, type OwnHost} from '../../../source/commands/host/own-host.ts';
import {endLeftovers} from '../../../source/host/sandbox/ending.ts';
import {dialRelay} from '../../../source/host/relay/dial.ts';
import {listen, stopServer, serverUrlOf} from '../../../source/market/http/listen.ts';
import {openFarRelay} from '../../../source/market/relay/far-relay.ts';
import {openRelay, type Relay, type RelayOptions} from '../../../source/market/relay/relay.ts';
import {openSshUser} from '../host/open-ssh.ts';
import {openMarket} from './postgres.ts';
import {openBeside} from './relay-beside.ts';

export const HERE = '127.0.0.1';

/** The first of some ports in a row that nothing listens at, below those that systems give away. */
export async function freePorts(count: number): Promise<number> {
	for (let first = 20_000 + (process.pid % 100) * 100; first < 32_000; first += count) {
		const free = Array.from({length: count}, async (_, index) => {
			const server = createServer().listen(first + index, HERE);
			const isFree = await once(server, 'listening').then(
				() => true,
				() => false,
			);
			server.close();
			return isFree;
		});
		if ((await Promise.all(free)).every(Boolean)) return first;
	}
	throw new Error('no ports are free');
}

/** A pair of connected sockets. */
export async function socketPair(): Promise<readonly [Socket, Socket]> {
	const server = createServer({allowHalfOpen: true}).listen(0, HERE);
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
	const near = connect({host: HERE, port, allowHalfOpen: true});
	const far = await new Promise<Socket>(resolve => server.once('connection', resolve));
	server.close();
	return [near, far];
}

type Answer = (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void;

type Relaying = Pick<Relay, 'figures' | 'close'> & {
	/** Offers it a connection of an agent of machine 3, and answers the agent's end. */
	readonly offer: (start: string) => Promise<Socket>;
};

type Settings = Pick<RelayOptions, 'limits' | 'pingSeconds'>;

/** A relay in the market's process. */
async function openOwn(port: number, settings: Settings): Promise<Relaying> {
	const relay = await openRelay({
		address: HERE,
		ports: async () => [port],
		find: async () => ({instanceId: 7, port: 22, machineId: 3, accountId: 1}),
		log: () => undefined,
		...settings,
	});
	const nears: Socket[] = [];
	return {
		figures: relay.figures,
		async offer(start) {
			const [near, far] = await socketPair();
			nears.push(near);
			relay.sessions.add(near, {machines: [3], start});
			return far;
		},
		async close() {
			for (const socket of nears) socket.destroy();
			await relay.close();
		},
	};
}

const log = () => undefined;
const noCall = () => new Response(null, {status: 404});

/** A relay in a process of its own, which agents dial, and whose market knows every ticket. */
async function openFar(port: number, settings: Settings): Promise<Relaying> {
	const far = await openFarRelay({address: HERE, log, machinesFor: async () => [3], ...settings});
	await far.lead([{port, instance_id: 7, machine_id: 3, account_id: 1, inside: [22]}]);
	const around = {clock: {now: () => 0}, log, upgrade: far.upgrade};
	const server = await listen(noCall, {address: HERE}, around);
	const pass = `1.9.3.${'0'.repeat(64)}`;
	return {
		figures: far.counts,
		offer: async start =>
			dialRelay(
				{url: serverUrlOf(server), pass, machines: [3], start},
				new AbortController().signal,
			),
		async close() {
			await far.close();
			await stopServer(server, 0);
		},
	};
}

export const kindsOfRelay = {'the market’s own relay': openOwn, 'a relay beside it': openFar};

/** A relay with one port, which leads to port 22 of instance 7 on machine 3, and agents as a test wants. */
export async function openTestRelay(
	settings: Settings = {},
	kind: keyof typeof kindsOfRelay = 'the market’s own relay',
) {
	const port = await freePorts(8);
	const relay = await kindsOfRelay[kind](port, settings);
	const ends: Socket[] = [];

	/** An agent of machine 3 that answers each stream in some way. */
	async function addAgent(answer: Answer, start = 'first-start'): Promise<ServerHttp2Session> {
		const far = await relay.offer(start);
		ends.push(far);
		const session = performServerHandshake(far);
		session.on('error', () => session.destroy());
		session.on('stream', (stream: ServerHttp2Stream, headers) => {
			stream.on('error', () => stream.destroy());
			answer(stream, headers);
		});
		await once(session, 'remoteSettings');
		return session;
	}

	/** The end of an agent's connection, of which nothing is read. */
	async function addRawAgent(start = 'first-start'): Promise<Socket> {
		const far = await relay.offer(start);
		ends.push(far);
		far.on('error', () => undefined);
		return far;
	}

	/** A renter's connection, from one of the addresses of this machine. */
	function enter(localAddress = HERE): Socket {
		const socket = connect({host: HERE, port, localAddress, allowHalfOpen: true});
		socket.on('error', () => undefined);
		ends.push(socket);
		return socket;
	}

	return {
		relay,
		port,
		addAgent,
		addRawAgent,
		enter,
		async [Symbol.asyncDispose]() {
			for (const socket of ends) socket.destroy();
			await relay.close();
		},
	};
}

/** The next bytes of a socket, as text. */
export async function nextOf(socket: Socket): Promise<string> {
	return new Promise(resolve => {
		socket.once('data', (bytes: Buffer) => resolve(bytes.toString('latin1')));
	});
}

/** All that a socket brings until its end; undefined where it was cut. */
export async function wholeOf(socket: Socket): Promise<string | undefined> {
	let text = '';
	let isCut = false;
	socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1')));
	socket.once('error', () => (isCut = true));
	socket.once('end', () => socket.end());
	await once(socket, 'close').catch(() => undefined);
	return isCut ? undefined : text;
}

type RelayedOptions = {
	readonly tls?: {readonly cert: string; readonly key: string};
	/** The relay is beside the market. */
	readonly isBeside?: boolean;
};

async function openRelayedMarket({tls, isBeside = false}: RelayedOptions) {
	const first = await freePorts(41);
	const range = {host: HERE, first, last: first + 39};
	const market = await openMarket({
		file: ':memory:',
		rateScale: 0,
		relay: isBeside ? undefined : range,
		webhooks: {targets: 'any'},
		tls,
	});
	// A certificate is for a name.
	const url = market.url.replace(/^https:\/\/127\.0\.0\.1/, 'https://localhost');
	return {market, url, first, beside: isBeside ? await openBeside(market, range) : undefined};
}

/** A market with a relay, a machine that nobody reaches otherwise, and a renter with a key. */
export async function openRelayedMachine(options: RelayedOptions = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-relay-'));
	const {market, url, first, beside} = await openRelayedMarket(options);
	const providerKey = await market.createKey('provider', 'host');
	const openHost = async (): Promise<OwnHost> =>
		openOwnHost({
			url,
			key: providerKey,
			folder: join(folder, 'host'),
			reach: {address: HERE, isDirect: false},
			name: 'laptop',
			prices: {perGpuHour: 0, storage: 0},
			runtime: 'process',
			endsOnClose: false,
		});
	let host = await openHost();
	const client = openClient({url, key: await market.createKey('renter'), paceScale: 0});
	const user = openSshUser();
	const key = user.makeKey('laptop');
	await client.sshKeys.create(key.publicKey);
	const shown = async (id: number) => client.instances.show(id);

	return {
		market,
		client,
		user,
		key: key.file,
		first,
		shown,
		own: (id: number) => join(folder, 'host', 'instances', String(id)),
		async rent(order: Readonly<Record<string, unknown>> = {}): Promise<number> {
			const {offers} = await client.offers.search({limit: 10});
			const {new_contract: id} = await client.instances.create(offers[0]?.id ?? 0, {
				image: 'ubuntu:24.04',
				launch: {mode: 'ssh', sshDirect: false, jupyterDirect: false},
				...order,
			});
			return id;
		},
		becomes: async (id: number, status: string) => becomes(async () => shown(id), status),
		/** Ends the relay beside the market, and starts it again. */
		restartRelay: async () => beside?.restart(),
		/** Ends the agent, and starts it again. */
		restartHost: async () => void (host = await host.close().then(openHost)),
		async [Symbol.asyncDispose]() {
			await host.close();
			await endLeftovers(join(folder, 'host'));
			await client.close();
			await beside?.close();
			await market.close();
			user[Symbol.dispose]();
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

type Shown = {readonly actual_status?: unknown; readonly ssh_port?: unknown};

/** Waits for a status, and for the relay to lead there. */
async function becomes(shown: () => Promise<Shown | undefined>, status: string): Promise<void> {
	await expect.poll(async () => (await shown())?.actual_status).toBe(status);
	if (status !== 'running') return;
	const port = Number((await shown())?.ssh_port);
	await expect.poll(async () => greets(port)).toBe(true);
}

/** True if an SSH server answers at a port of this machine. */
async function greets(port: number): Promise<boolean> {
	return new Promise(resolve => {
		const socket = connect(port, '127.0.0.1');
		socket.setTimeout(2000, () => socket.destroy());
		socket.once('data', bytes => {
			resolve(bytes.toString().startsWith('SSH-'));
			socket.destroy();
		});
		socket.on('error', () => {}).once('close', () => resolve(false));
	});
}
