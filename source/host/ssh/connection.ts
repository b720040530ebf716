import type {EventEmitter} from 'node:events';
import type {Socket} from 'node:net';
import type {Connection} from 'ssh2';
import {
	createSemaphore,
	type Holdings,
	type InputLimits,
	type Semaphore,
} from './connection-limits.ts';

export type SshConnection = {
	readonly client: Connection;
	readonly socket: Socket;
	readonly inputLimits: InputLimits;
	readonly guard: Guard;
	readonly holdings: Holdings;
	readonly isOver: () => boolean;
	readonly signal: AbortSignal;
	/** Runs an action when the connection is over, or at once. Returns a function that cancels. */
	readonly onEnd: (action: () => void) => () => void;
	/** Ends the connection, and closes its socket without waiting for the other side. */
	readonly end: () => void;
	/**
	 * Takes one of the connection's slots for channels, and one of a kind of its instance. Returns
	 * their release; undefined if none is left.
	 */
	readonly takeChannel: (kind: 'sessions' | 'forwards') => (() => void) | undefined;
	/** True if more bytes are buffered than the other side accepts. */
	readonly isBehind: () => boolean;
	/** Runs an action when the waiting bytes were sent. */
	readonly onceCaughtUp: (action: () => void) => void;
};

/** The most sessions and forwards of a connection, opening ones included. */
const MOST_CHANNELS = 128;

/** Buffered bytes at which the inside is paused. */
const MOST_WAITING = 512 * 1024;

export function createSshConnection({
	client,
	socket,
	inputLimits,
	guard,
	holdings,
}: Pick<SshConnection, 'client' | 'socket' | 'inputLimits' | 'guard' | 'holdings'>): SshConnection {
	const endings = new Set<() => void>();
	const held = new Set<() => void>();
	const channels = createSemaphore(MOST_CHANNELS);
	const over = new AbortController();
	const {signal} = over;
	const isOver = () => signal.aborted;
	let isRekeying = false;
	const end = () => void socket.destroy();

	function goOn(): void {
		if (isRekeying) return;
		const all = [...held];
		held.clear();
		for (const action of all) guard.action(action)();
	}

	socket.on('drain', goOn);
	socket.once('close', () => {
		over.abort();
		for (const action of endings) guard.action(action)();
		endings.clear();
		held.clear();
	});
	client.on('rekey', () => {
		isRekeying = false;
		goOn();
	});
	return {
		client,
		socket,
		inputLimits,
		guard,
		holdings,
		isOver,
		signal,
		onEnd(action) {
			if (isOver()) guard.action(action)();
			else endings.add(action);
			return () => void endings.delete(action);
		},
		end,
		takeChannel: kind => (isOver() ? undefined : takeBoth(channels, holdings[kind])),
		isBehind() {
			isRekeying = isChangingKeys(client);
			return isRekeying || socket.writableLength > MOST_WAITING;
		},
		onceCaughtUp: action => void held.add(action),
	};
}

/** Takes a slot of each of two semaphores; undefined if either has none left. */
function takeBoth(one: Semaphore, other: Semaphore): (() => void) | undefined {
	const giveOne = one.take();
	const giveOther = giveOne && other.take();
	if (giveOther === undefined) giveOne?.();
	return (
		giveOther &&
		(() => {
			giveOne?.();
			giveOther();
		})
	);
}

/** True during a key exchange: until it ends, the library buffers everything that it sends. */
function isChangingKeys(client: Connection): boolean {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library emits no event when it begins
	const {_protocol: protocol} = client as Connection & Keyed;
	const {_kexinit: proposal} = protocol;
	return proposal !== undefined;
}

type Keyed = {readonly _protocol: {readonly _kexinit: unknown}};

type Action<Given extends readonly unknown[]> = (...given: Given) => unknown;

/** Confines errors of a connection to that connection. */
export type Guard = {
	/** Wraps a function: an error, also of its promise, ends the connection. */
	readonly action: <Given extends readonly unknown[]>(
		action: Action<Given>,
	) => (...given: Given) => void;
	/** Wraps an emitter's listeners: their errors end the connection. */
	readonly listeners: (emitter: EventEmitter) => void;
};

export function createErrorGuard(fail: (error: unknown) => void): Guard {
	return {
		action:
			action =>
			(...given) => {
				try {
					const result = action(...given);
					if (result instanceof Promise) result.catch(fail);
				} catch (error) {
					fail(error);
				}
			},
		listeners(emitter) {
			const emit: EventEmitter['emit'] = emitter.emit.bind(emitter);
			emitter.emit = (name: string | symbol, ...given: unknown[]) => {
				try {
					return emit(name, ...given);
				} catch (error) {
					fail(error);
					return true;
				}
			};
		},
	};
}
