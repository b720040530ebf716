import type {Socket} from 'node:net';
import type {Readable} from 'node:stream';
import {networkOf} from '../../contract/rules/network.ts';

/**
 * Limits of each resource for the clients of one instance, over all their connections, including
 * closed ones.
 */
export const mostHeld = {
	/** From their first byte on. */
	connections: 128,
	/** Shells, commands and transfers, including those being started. */
	sessions: 256,
	/** File transfers, until the last request in progress is done. */
	transfers: 128,
	/** Files and folders that clients have opened. */
	files: 1024,
	/** Connections into the instance, including those being opened. */
	forwards: 512,
	/** Ports on which clients listen inside; in a container, each is a process. */
	listeners: 32,
	/** Connections from anywhere to the ports that an instance has on its machine: half by one network. */
	ports: 1024,
	/** Bytes that were not read yet, beside the `OWN_BYTES` of each channel. */
	bytes: 32 * 1024 * 1024,
};

/**
 * Limits that suffice for the one connection by which a copy reads, and for broken ones before it.
 */
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

/** SSH listeners for copies on one agent: the market orders them, and could order too many. */
export const MOST_COPY_LISTENERS = 128;

/** SSH listeners of one instance or volume, so that one renter leaves some to others. */
export const MOST_LISTENERS_OF_SOURCE = 16;

export const MOST_COPIES = 128;

export type Holdings = Readonly<
	Record<Exclude<keyof typeof mostHeld, 'ports' | 'bytes'>, Semaphore>
> & {
	readonly bytes: Bytes;
};

export function createHoldings(most = mostHeld): Holdings {
	return {
		connections: createSemaphore(most.connections),
		sessions: createSemaphore(most.sessions),
		transfers: createSemaphore(most.transfers),
		files: createSemaphore(most.files),
		forwards: createSemaphore(most.forwards),
		listeners: createSemaphore(most.listeners),
		bytes: createBytes(most.bytes),
	};
}

/** Counting semaphore of a limited resource. */
export type Semaphore = {
	/** Takes a slot. Returns its release, which counts once; undefined if none is left. */
	readonly take: () => (() => void) | undefined;
};

export function createSemaphore(most: number): Semaphore {
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

/** Counting semaphores by name; a name without taken slots uses no memory. */
export function createSemaphoresByName(most: number) {
	const held = new Map<string, {readonly slots: Semaphore; count: number}>();
	return {
		take(name: string): (() => void) | undefined {
			const one = held.get(name) ?? {slots: createSemaphore(most), count: 0};
			const giveBack = one.slots.take();
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

/** Counting semaphore of which one network has half at most. */
export type NetworkSlots = {
	readonly take: (address: string | undefined) => (() => void) | undefined;
};

export function createNetworkSlots(most: number): NetworkSlots {
	const all = createSemaphore(most);
	const parts = createSemaphoresByName(Math.ceil(most / 2));
	return {
		take(address) {
			const leavePart = parts.take(networkOf(address));
			if (leavePart === undefined) return undefined;
			const leave = all.take();
			if (leave === undefined) {
				leavePart();
				return undefined;
			}
			return () => {
				leavePart();
				leave();
			};
		},
	};
}

/** A stream, by its number of buffered bytes. */
type Store = {readonly writableLength: number};

/** Bytes buffered in all streams of an instance. */
export type Bytes = {
	readonly watch: (store: Store) => void;
	readonly forget: (store: Store) => void;
	/** True if no stream may buffer more than its own bytes. */
	readonly isFull: () => boolean;
};

/** Bytes that a stream may buffer even if others use up the limit: a client's longest packet. */
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

const CHECK_EVERY_MS = 20;

export function limitInput(): InputLimits {
	const channels = new Set<Readable>();
	const paused = new Set<Socket>();

	function unread(): number {
		let bytes = 0;
		for (const channel of channels) bytes += channel.readableLength;
		return bytes;
	}

	function checkFullness(): void {
		if (unread() > MOST_UNREAD / 2) return wait();
		for (const socket of paused) socket.resume();
		paused.clear();
	}

	function wait(): void {
		setTimeout(checkFullness, CHECK_EVERY_MS).unref();
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

type ConnectionLimits = {
	readonly admit: (socket: Socket) => boolean;
	/** Records a login. */
	readonly knows: (socket: Socket) => void;
	readonly sendAway: () => void;
};

const MOST_OF_ADDRESS = 64;

const MOST_STRANGERS = 32;

/** Limits of a login: its time, and the bytes until then. */
const GREETING_MS = 30_000;
const MOST_GREETING = 256 * 1024;

export function limitConnections(slots: Semaphore): ConnectionLimits {
	/** Connections, with the release of each. */
	const all = new Map<Socket, () => void>();
	/** Connections without a login, the oldest first. */
	const strangers = new Set<Socket>();

	function takeSlot(address: string | undefined): (() => void) | undefined {
		const same = [...all.keys()].filter(one => one.remoteAddress === address);
		return same.length < MOST_OF_ADDRESS ? slots.take() : undefined;
	}

	function forget(socket: Socket): void {
		all.get(socket)?.();
		all.delete(socket);
		strangers.delete(socket);
	}

	/**
	 * Releases its slot at once: a destroyed socket closes only after all that were accepted with
	 * it.
	 */
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
			const giveBack = takeSlot(socket.remoteAddress);
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
 * The connection without a login to evict for a new one: the oldest of the network that holds the
 * most, the new one counted, so that no network can use up the slots of others.
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
	// Of networks that hold equally many, the one whose oldest connection waits longest comes
	// first.
	const [most] = [...held.values()].toSorted((one, other) => other.count - one.count);
	return most?.oldest;
}
