/**
 * Bounds what clients of one door have sent and nobody inside has read: beyond it, connections that
 * send more are not read from until half of it is taken.
 */
import type {Socket} from 'node:net';
import type {Readable} from 'node:stream';

export type InputLimits = {
	/** Counts what a channel holds that was sent through a socket. */
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
