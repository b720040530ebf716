/** Limits of what clients at an entrance make the agent hold. */
import type {Socket} from 'node:net';
import type {Readable} from 'node:stream';

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

const MOST = 128;
const MOST_OF_ADDRESS = 64;

/** Limit of connections without a login. */
const MOST_STRANGERS = 32;

/** Limits of a login: its time, and the bytes until then. */
const GREETING_MS = 30_000;
const MOST_GREETING = 256 * 1024;

export function limitConnections(): ConnectionLimits {
	const all = new Set<Socket>();
	/** Connections without a login, the oldest first. */
	const strangers = new Set<Socket>();

	function isFullFor(address: string | undefined): boolean {
		const same = [...all].filter(one => one.remoteAddress === address);
		return all.size >= MOST || same.length >= MOST_OF_ADDRESS;
	}

	return {
		admit(socket) {
			const [first] = strangers;
			// The oldest connection without a login makes room for a new one.
			if (strangers.size >= MOST_STRANGERS) first?.destroy();
			if (isFullFor(socket.remoteAddress)) {
				socket.destroy();
				return false;
			}
			all.add(socket);
			strangers.add(socket);
			const late = setTimeout(() => {
				if (strangers.has(socket)) socket.destroy();
			}, GREETING_MS);
			socket.on('data', () => {
				if (strangers.has(socket) && socket.bytesRead > MOST_GREETING) socket.destroy();
			});
			socket.once('close', () => {
				clearTimeout(late);
				all.delete(socket);
				strangers.delete(socket);
			});
			return true;
		},
		knows: socket => void strangers.delete(socket),
		sendAway() {
			for (const socket of all) socket.destroy();
		},
	};
}
