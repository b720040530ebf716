/**
 * A relay: renters reach instances at its ports, whether or not their machines are reachable. It
 * forwards SSH's ciphertext, and only the instance's key answers at the end.
 */
import {once} from 'node:events';
import {createServer, type Server, type Socket} from 'node:net';
import type {RelayTarget} from '../../contract/rules/relay.ts';
import {joinStreams} from '../../contract/rules/relay-streams.ts';
import {createConcurrencyLimits} from '../http/limits.ts';
import {networkOf} from '../../contract/rules/network.ts';
import {plainAddress} from '../http/caller-address.ts';
import type {Log} from '../base/log.ts';
import {createSessions, type Sessions} from './sessions.ts';

type RelayLimits = {
	/**
	 * Concurrent connections: of an instance, of which one network has half at most, of an
	 * account's instances, of a renter's network, of all.
	 */
	readonly instance: number;
	readonly account: number;
	readonly network: number;
	readonly all: number;
	/** New connections to a port within a second, of which one network has half at most. */
	readonly second: number;
};

const usualLimits: RelayLimits = {
	instance: 256,
	account: 1024,
	network: 256,
	all: 20_000,
	second: 100,
};

export type RelayedPort = RelayTarget & {readonly machineId: number; readonly accountId: number};

export type RelayOptions = {
	readonly address: string;
	/** Ports that instances have at present. */
	readonly ports: () => Promise<readonly number[]>;
	readonly find: (port: number) => Promise<RelayedPort | undefined>;
	readonly log: Log;
	/** @default usualLimits */
	readonly limits?: Partial<RelayLimits> | undefined;
	readonly pingSeconds?: number | undefined;
};

/** Counts since the start, and at present. */
export type RelayFigures = {
	readonly agents: number;
	readonly connections: number;
	readonly refused: number;
	/** Bytes from renters, and to them. */
	readonly sent: number;
	readonly received: number;
};

export type Relay = {
	readonly sessions: Pick<Sessions, 'add'>;
	/** Listens at newly assigned ports, ahead of the next poll. */
	readonly open: (ports: readonly number[]) => Promise<void>;
	/** Listens at the ports that instances have, and closes all others. */
	readonly refresh: () => Promise<void>;
	readonly figures: () => RelayFigures;
	readonly close: () => Promise<void>;
};

const REFRESH_MS = 1000;

export async function openRelay(options: RelayOptions): Promise<Relay> {
	const {address, find, log} = options;
	const sessions = createSessions(options.pingSeconds);
	const crowds = createCrowds({...usualLimits, ...options.limits});
	const counts = {refused: 0, sent: 0, received: 0};
	const sockets = new Set<Socket>();

	/** Forwards a connection to its instance; false if that is not allowed or fails. */
	async function lead(socket: Socket, port: number): Promise<boolean> {
		const from = plainAddress(socket.remoteAddress ?? '') ?? '';
		const network = networkOf(from);
		if (!crowds.isNew(port, network) || !crowds.enter(socket, 'all', '')) return false;
		if (!crowds.enter(socket, 'network', network)) return false;
		const found = await find(port);
		if (found === undefined || socket.destroyed) return false;
		const {instanceId, accountId} = found;
		if (!crowds.enter(socket, 'part', `${instanceId} ${network}`)) return false;
		if (!crowds.enter(socket, 'instance', String(instanceId))) return false;
		if (!crowds.enter(socket, 'account', String(accountId))) return false;
		const stream = sessions.open({...found, from});
		if (stream === undefined) return false;
		joinStreams(socket, stream, {
			sent: bytes => void (counts.sent += bytes),
			received: bytes => void (counts.received += bytes),
		});
		return true;
	}

	function accept(socket: Socket, port: number): void {
		sockets.add(socket);
		socket.on('error', () => socket.destroy());
		socket.once('close', () => sockets.delete(socket));
		void receive(socket, port);
	}

	async function receive(socket: Socket, port: number): Promise<void> {
		try {
			if (await lead(socket, port)) return;
		} catch (error) {
			log(`relay, port ${port}: ${String(error)}`);
		}
		counts.refused += 1;
		socket.resetAndDestroy();
	}

	const listeners = createListeners({address, log, accept});
	const refresh = async () => listeners.follow(options.ports);
	const timer = setInterval(() => {
		refresh().catch((error: unknown) => log(`relay: ${String(error)}`));
	}, REFRESH_MS).unref();
	await refresh();
	return {
		sessions,
		open: async ports => listeners.open(ports),
		refresh,
		figures: () => ({agents: sessions.count(), connections: sockets.size, ...counts}),
		async close() {
			clearInterval(timer);
			sessions.close();
			for (const socket of sockets) socket.destroy();
			listeners.close();
		},
	};
}

/** Counts connections, so that no instance, account or network exceeds its limit. */
function createCrowds(limits: RelayLimits) {
	const crowds = {
		instance: createConcurrencyLimits(limits.instance),
		/** Of an instance, for one network. */
		part: createConcurrencyLimits(Math.ceil(limits.instance / 2)),
		account: createConcurrencyLimits(limits.account),
		network: createConcurrencyLimits(limits.network),
		all: createConcurrencyLimits(limits.all),
	};
	const second = createConcurrencyLimits(limits.second);
	const partOfSecond = createConcurrencyLimits(Math.ceil(limits.second / 2));
	return {
		/** Counts a connection while it lasts; false if there are too many. */
		enter(socket: Socket, crowd: keyof typeof crowds, who: string): boolean {
			const leave = crowds[crowd].enter(who);
			if (leave !== undefined) socket.once('close', leave);
			return leave !== undefined;
		},
		/** Counts a new connection to a port for a second. */
		isNew(port: number, network: string): boolean {
			const leavePart = partOfSecond.enter(`${port} ${network}`);
			if (leavePart === undefined) return false;
			const leave = second.enter(String(port));
			setTimeout(() => {
				leavePart();
				leave?.();
			}, 1000).unref();
			return leave !== undefined;
		},
	};
}

type Listening = Pick<RelayOptions, 'address' | 'log'> & {
	readonly accept: (socket: Socket, port: number) => void;
};

function createListeners({address, log, accept}: Listening) {
	const open = new Map<number, Server>();
	const troubled = new Set<number>();
	let isClosed = false;

	async function listen(port: number): Promise<void> {
		const server = createServer({allowHalfOpen: true, noDelay: true, keepAlive: true});
		server.on('connection', socket => accept(socket, port));
		open.set(port, server);
		try {
			await once(server.listen(port, address), 'listening');
			troubled.delete(port);
			server.on('error', error => log(`relay, port ${port}: ${error.message}`));
		} catch (error) {
			open.delete(port);
			if (!troubled.has(port)) log(`relay, port ${port} of ${address}: ${String(error)}`);
			troubled.add(port);
		}
	}

	async function openAll(ports: readonly number[]): Promise<void> {
		if (isClosed) return;
		await Promise.all(ports.filter(port => !open.has(port)).map(listen));
	}

	return {
		open: openAll,
		/**
		 * Listens at these ports, and closes the others. Open connections of closed ports continue.
		 */
		async follow(read: () => Promise<readonly number[]>): Promise<void> {
			// Ports opened while the list is being read stay open.
			const before = [...open];
			const wanted = new Set(await read());
			for (const [port, server] of before) {
				if (wanted.has(port)) continue;
				open.delete(port);
				server.close();
			}
			await openAll([...wanted]);
		},
		/** Closes all ports for good, whichever list is being read. */
		close() {
			isClosed = true;
			for (const server of open.values()) server.close();
			open.clear();
		},
	};
}
