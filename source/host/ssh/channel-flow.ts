/**
 * Flow control that the SSH library's channels lack: writes wait for the other side, with both streams
 * in one order; a client that exceeds its window is disconnected; and the end is always reported.
 */
import type {Connection, ServerChannel, Session} from 'ssh2';
import type {SshConnection} from './connection.ts';

/** Internals of the library's channels. */
type Inner = {
	readonly incoming: {readonly id: number; readonly window: number; readonly state: string};
	readonly outgoing: {
		readonly id: number;
		window: number;
		readonly packetSize: number;
		readonly state: string;
	};
	readonly _client: {
		readonly _protocol: {
			readonly channelData: (channel: number, bytes: Buffer) => void;
			readonly channelExtData: (channel: number, bytes: Buffer, kind: number) => void;
		};
	};
};

type Waiting = {readonly bytes: Buffer; readonly isComplaint: boolean; readonly done: () => void};

/** Number of the error stream in the protocol. */
const COMPLAINTS = 1;

/** Smallest accepted packet size: tiny packets cost much more than they carry. */
const SMALLEST_PACKET = 256;
const LARGEST_PACKET = 64 * 1024;

/** @param onGone Called once, when the channel or its connection is over. */
export function controlFlow(
	channel: ServerChannel,
	connection: SshConnection,
	onGone: () => void,
): void {
	const inner = innerOf(channel);
	if (inner.outgoing.packetSize < SMALLEST_PACKET) connection.end();
	connection.guard.listeners(channel);
	connection.guard.listeners(channel.stderr);
	channel.on('error', () => channel.close());
	channel.stderr.on('error', () => channel.close());
	writeInOrder(channel, connection);

	let isGone = false;
	const leave = connection.guard.action(() => {
		if (isGone) return;
		isGone = true;
		stay();
		connection.inputLimits.forget(channel);
		for (const stream of [channel, channel.stderr]) waiting.forget(stream);
		onGone();
	});
	const stay = connection.onEnd(leave);
	const {bytes: waiting} = connection.holdings;
	for (const stream of [channel, channel.stderr]) waiting.watch(stream);
	channel.on('close', leave);
	const push = channel.push.bind(channel);
	channel.push = (bytes: Buffer | null) => {
		if (inner.incoming.window < 0) connection.end();
		const takesMore = push(bytes);
		if (bytes !== null) connection.inputLimits.watch(channel, connection.socket);
		// The library reports the end only when all input was read, which may never happen.
		else if (inner.incoming.state === 'closed') setImmediate(leave);
		return takesMore;
	};
}

/** Replaces the library's writing, which repeats bytes when both streams wait. */
function writeInOrder(channel: ServerChannel, connection: SshConnection): void {
	const inner = innerOf(channel);
	const {outgoing, _client: client} = inner;
	const {_protocol: protocol} = client;
	const waiting: Waiting[] = [];
	let isSending = false;

	/** Sends as much of the first waiting write as the window allows; false if none. */
	function sendSome({bytes, isComplaint, done}: Waiting): boolean {
		if (connection.isBehind()) {
			connection.onceCaughtUp(send);
			return false;
		}
		const length = Math.min(bytes.length, outgoing.window, outgoing.packetSize, LARGEST_PACKET);
		if (length === 0) {
			// The library calls `_chunkcb` when the window grows.
			Object.assign(inner, {_chunkcb: send, _waitWindow: true});
			return false;
		}
		outgoing.window -= length;
		const part = bytes.subarray(0, length);
		if (isComplaint) protocol.channelExtData(outgoing.id, part, COMPLAINTS);
		else protocol.channelData(outgoing.id, part);
		if (length < bytes.length) waiting[0] = {bytes: bytes.subarray(length), isComplaint, done};
		else waiting.shift()?.done();
		return true;
	}

	const send = connection.guard.action(() => {
		if (isSending) return;
		isSending = true;
		for (let [first] = waiting; first !== undefined; [first] = waiting) {
			if (outgoing.state !== 'open' || connection.isOver()) break;
			if (!sendSome(first)) break;
		}
		isSending = false;
	});

	const writing =
		(isComplaint: boolean) =>
		(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void => {
			if (bytes.length === 0) return done();
			waiting.push({bytes, isComplaint, done});
			return send();
		};
	Object.assign(channel, {_write: writing(false)});
	Object.assign(channel.stderr, {_write: writing(true)});
}

/** Frees the library's memory of a session that is closed before a program was started in it. */
export function forgetSession(session: Session, {client}: SshConnection): void {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library keeps it until the connection ends
	const {_chanInfo: own} = session as Session & {readonly _chanInfo: Inner};
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
	const {_chanMgr: channels, _protocol: protocol} = client as Connection & Keeping;
	channels.remove(own.incoming.id);
	protocol.channelClose(own.outgoing.id);
}

type Keeping = {
	readonly _chanMgr: {readonly remove: (channel: number) => void};
	readonly _protocol: {readonly channelClose: (channel: number) => void};
};

function innerOf(channel: ServerChannel): Inner {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library has no other way to wait for the other side
	return channel as ServerChannel & Inner;
}
