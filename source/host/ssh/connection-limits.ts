/** Limits of what clients at an entrance make the agent hold. */
import type {Socket} from 'node:net';
import type {Readable} from 'node:stream';
import {networkOf} from '../../contract/rules/network.ts';

/**
 * The most of each kind that clients of one instance make the agent hold, over all their connections,
 * gone ones too.
 */
export const mostHeld = {
	/** From their first byte on. */
	connections: 128,
	/** Shells, commands and transfers, those included that are being started. */
	sessions: 256,
	/** Transfers of files, until the last request that was begun is done. */
	transfers: 128,
	/** Files and folders that clients have opened. */
	files: 1024,
	/** Connections into the instance, those included that are being opened. */
	forwards: 512,
	/** Ports that clients have listened on inside, each a process where that is a container. */
	listeners: 32,
	/** Connections of anybody to the ports that an instance has on its machine. */
	ports: 1024,
	/** Bytes that nobody has taken yet, beside the `OWN_BYTES` of each channel. */
	bytes: 32 * 1024 * 1024,
};

/** Enough for the one connection by which a copy reads, and for those before it that broke. */
export const mostOfCopy: typeof mostHeld = {
	connections: 4,
	sessions: 4,
	transfers: 4,
	files: 512,
	forwards: 0,
	listeners: 0,
	ports: 0,
	bytes: 8 * 1024 * 1024,
};

/** Doors of copies that one agent has open: orders are a market's, which may be wrong. */
export const MOST_COPY_DOORS = 128;

/** Doors of one instance or volume, so that one renter leaves some to others. */
export const MOST_DOORS_OF_SOURCE = 16;

/** Copies that one agent makes at once. */
export const MOST_COPIES = 128;

export type Holdings = Readonly<
	Record<Exclude<keyof typeof mostHeld, 'ports' | 'bytes'>, Places>
> & {
	readonly bytes: Bytes;
};

export function createHoldings(most = mostHeld): Holdings {
	return {
		connections: createPlaces(most.connections),
		sessions: createPlaces(most.sessions),
		transfers: createPlaces(most.transfers),
		files: createPlaces(most.files),
		forwards: createPlaces(most.forwards),
		listeners: createPlaces(most.listeners),
		bytes: createBytes(most.bytes),
	};
}

/** A number of places for what somebody holds. */
export type Places = {
	/** Takes a place. Answers how it is given back, which counts once; undefined where none is left. */
	readonly take: () => (() => void) | undefined;
};

export function createPlaces(most: number): Places {
	let taken = 0;
	return {
		take() {
			if (taken >= most) return undefined;
			taken += 1;
			let isHeld = true;
			return () => {
				if (isHeld) taken -= 1;
				isHeld = false;
			};
		},
	};
}

/** A number of places for each of many, of whom nothing is kept that hold none. */
export function createPlacesByName(most: number) {
	const held = new Map<string, {readonly places: Places; count: number}>();
	return {
		take(name: string): (() => void) | undefined {
			const one = held.get(name) ?? {places: createPlaces(most), count: 0};
			const giveBack = one.places.take();
			if (giveBack === undefined) return undefined;
			held.set(name, one);
			one.count += 1;
			let isHeld = true;
			return () => {
				giveBack();
				if (isHeld) one.count -= 1;
				isHeld = false;
				if (one.count === 0) held.delete(name);
			};
		},
	};
}

/** Anything in which bytes wait, as streams say it of themselves. */
type Store = {readonly writableLength: number};

/** Bytes that wait in all stores of an instance. */
export type Bytes = {
	readonly watch: (store: Store) => void;
	readonly forget: (store: Store) => void;
	/** True if no store may have more than its own bytes. */
	readonly isFull: () => boolean;
};

/** Bytes that a store may have also where others fill all: the longest packet of a client. */
export const OWN_BYTES = 256 * 1024;

function createBytes(most: number): Bytes {
	const stores = new Set<Store>();
	return {
		watch: store => void stores.add(store),
		forget: store => void stores.delete(store),
		isFull() {
			let bytes = 0;
			for (const {writableLength} of stores) bytes += writableLength;
			return bytes > most;
		},
	};
}

export type InputLimits = {
	/** Counts the unread input of a channel, for its socket. */
	readonly watch: (channel: Readable, socket: Socket) => void;
	readonly forget: (channel: Readable) => void;
};

const MOST_UNREAD = 16 * 1024 * 1024;

const LOOK_MS = 20;

export function limitInput(): InputLimits {
	const channels = new Set<Readable>();
	const paused = new Set<Socket>();

	function unread(): number {
		let bytes = 0;
		for (const channel of channels) bytes += channel.readableLength;
		return bytes;
	}

	function look(): void {
		if (unread() > MOST_UNREAD / 2) return wait();
		for (const socket of paused) socket.resume();
		paused.clear();
	}

	function wait(): void {
		setTimeout(look, LOOK_MS).unref();
	}

	return {
		watch(channel, socket) {
			channels.add(channel);
			if (unread() <= MOST_UNREAD) return;
			if (paused.size === 0) wait();
			paused.add(socket);
			socket.pause();
		},
		forget: channel => void channels.delete(channel),
	};
}

export type ConnectionLimits = {
	/** Admits or refuses a new connection. */
	readonly admit: (socket: Socket) => boolean;
	/** Notes a login. */
	readonly knows: (socket: Socket) => void;
	readonly sendAway: () => void;
};

const MOST_OF_ADDRESS = 64;

/** Limit of connections without a login. */
const MOST_STRANGERS = 32;

/** Limits of a login: its time, and the bytes until then. */
const GREETING_MS = 30_000;
const MOST_GREETING = 256 * 1024;

export function limitConnections(places: Places): ConnectionLimits {
	/** Connections, with how each gives its place back. */
	const all = new Map<Socket, () => void>();
	/** Connections without a login, the oldest first. */
	const strangers = new Set<Socket>();

	function takePlace(address: string | undefined): (() => void) | undefined {
		const same = [...all.keys()].filter(one => one.remoteAddress === address);
		return same.length < MOST_OF_ADDRESS ? places.take() : undefined;
	}

	function forget(socket: Socket): void {
		all.get(socket)?.();
		all.delete(socket);
		strangers.delete(socket);
	}

	/** Its place is free at once: a destroyed socket closes only after all that were accepted with it. */
	function sendOff(socket: Socket): void {
		forget(socket);
		socket.destroy();
	}

	return {
		admit(socket) {
			if (strangers.size >= MOST_STRANGERS) {
				const leaves = whoLeaves(strangers, socket);
				if (leaves !== undefined) sendOff(leaves);
			}
			const giveBack = takePlace(socket.remoteAddress);
			if (giveBack === undefined) {
				socket.destroy();
				return false;
			}
			const late = setTimeout(() => {
				if (strangers.has(socket)) sendOff(socket);
			}, GREETING_MS);
			all.set(socket, () => {
				clearTimeout(late);
				giveBack();
			});
			strangers.add(socket);
			socket.on('data', () => {
				if (strangers.has(socket) && socket.bytesRead > MOST_GREETING) sendOff(socket);
			});
			socket.once('close', () => forget(socket));
			return true;
		},
		knows: socket => void strangers.delete(socket),
		sendAway() {
			for (const socket of all.keys()) socket.destroy();
		},
	};
}

/**
 * The one without a login that makes room for a new one: the oldest of the network that holds the most, the new
 * one counted, so that nobody takes the places of others.
 *
 * @param strangers the oldest first
 */
function whoLeaves(strangers: ReadonlySet<Socket>, fresh: Socket): Socket | undefined {
	const held = new Map<string, {count: number; oldest: Socket | undefined}>();
	for (const socket of [...strangers, fresh]) {
		const network = networkOf(socket.remoteAddress);
		const {count = 0, oldest} = held.get(network) ?? {};
		held.set(network, {
			count: count + 1,
			oldest: oldest ?? (socket === fresh ? undefined : socket),
		});
	}
	// The first of those that hold as many is the one whose oldest waits longest.
	const [most] = [...held.values()].toSorted((one, other) => other.count - one.count);
	return most?.oldest;
}
