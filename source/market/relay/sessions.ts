/** Sessions of agents with a relay: HTTP/2 with the roles reversed, on connections that agents opened. */
import {connect, type ClientHttp2Session, type ClientHttp2Stream} from 'node:http2';
import type {Socket} from 'node:net';
import {
	printForwarded,
	printTarget,
	SESSION_WINDOW,
	STREAM_WINDOW,
	type RelayTarget,
} from '../../contract/rules/relay.ts';
import {keepAlive} from '../../contract/rules/relay-streams.ts';

/** An agent: its machines, and the id of its present run. */
type Agent = {readonly machines: readonly number[]; readonly start: string};

type Wanted = RelayTarget & {
	readonly machineId: number;
	/** Address of the renter. */
	readonly from: string;
};

export type Sessions = {
	/** Begins a session on a connection whose upgrade was answered, or ends it after `close`. */
	readonly add: (socket: Socket, agent: Agent) => void;
	/**
	 * Opens a stream to a port of an instance; undefined without a session of its machine's agent.
	 */
	readonly open: (wanted: Wanted) => ClientHttp2Stream | undefined;
	readonly count: () => number;
	readonly close: () => void;
};

/** The most sessions of a machine, enough for two runs of an agent. */
const MOST_OF_MACHINE = 8;

type Held = {readonly session: ClientHttp2Session; readonly start: string; streams: number};

export function createSessions(pingSeconds?: number): Sessions {
	const byMachine = new Map<number, Set<Held>>();
	const all = new Set<Held>();
	let isClosed = false;

	function forget(held: Held, {machines}: Agent): void {
		all.delete(held);
		for (const id of machines) {
			const here = byMachine.get(id);
			here?.delete(held);
			if (here?.size === 0) byMachine.delete(id);
		}
	}

	/** Ends sessions of earlier runs, and the oldest of too many. */
	function evictSessions(machineId: number, start: string): Set<Held> {
		const here = byMachine.get(machineId) ?? new Set();
		byMachine.set(machineId, here);
		for (const held of here) if (held.start !== start) held.session.destroy();
		const [oldest] = here;
		if (here.size >= MOST_OF_MACHINE) oldest?.session.destroy();
		return here;
	}

	return {
		add(socket, agent) {
			if (isClosed) return void socket.destroy();
			const session = begin(socket);
			keepAlive(session, pingSeconds);
			const held: Held = {session, start: agent.start, streams: 0};
			all.add(held);
			for (const id of agent.machines) evictSessions(id, agent.start).add(held);
			session.once('close', () => forget(held, agent));
		},
		open({machineId, from, ...target}) {
			const here = [...(byMachine.get(machineId) ?? [])];
			const [quietest] = here
				.filter(({session}) => !session.closed && !session.destroyed)
				.toSorted((one, other) => one.streams - other.streams);
			if (quietest === undefined) return undefined;
			const stream = quietest.session.request(
				{
					':method': 'CONNECT',
					':authority': printTarget(target),
					forwarded: printForwarded(from),
				},
				{endStream: false},
			);
			quietest.streams += 1;
			stream.once('close', () => (quietest.streams -= 1));
			return stream;
		},
		count: () => all.size,
		close() {
			isClosed = true;
			for (const {session} of all) session.destroy();
		},
	};
}

function begin(socket: Socket): ClientHttp2Session {
	const session = connect('http://agent', {
		createConnection: () => socket,
		settings: {enablePush: false, initialWindowSize: STREAM_WINDOW},
	});
	session.on('error', () => session.destroy());
	session.once('connect', () => session.setLocalWindowSize(SESSION_WINDOW));
	return session;
}
