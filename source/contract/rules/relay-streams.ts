/** HTTP/2 streams and sessions, for both relays and agents. */
import type {Http2Session, Http2Stream} from 'node:http2';
import type {Socket} from 'node:net';

/** Called with the bytes in one direction. */
type Count = (bytes: number) => void;

type Counts = {
	/** Bytes of the socket, and bytes for it. */
	readonly sent?: Count;
	readonly received?: Count;
};

/**
 * Joins a socket and a stream, so that each end and each failure reaches the other side. Both must
 * allow half-open connections.
 */
export function joinStreams(
	socket: Socket,
	stream: Http2Stream,
	{sent, received}: Counts = {},
): void {
	let [isSocketOver, isStreamOver] = [false, false];
	socket.on('error', () => socket.destroy());
	stream.on('error', () => stream.destroy());
	if (sent !== undefined) socket.on('data', (bytes: Buffer) => sent(bytes.length));
	if (received !== undefined) stream.on('data', (bytes: Buffer) => received(bytes.length));
	socket.on('end', () => (isSocketOver = true));
	stream.on('end', () => {
		// A reset stream also ends.
		if (stream.aborted || stream.rstCode !== 0) return void socket.resetAndDestroy();
		isStreamOver = true;
		socket.end();
	});
	socket.once('close', () => {
		// Without an error, the other side would read a reset as a regular end.
		if (!isSocketOver || !isStreamOver) stream.destroy(new Error('the connection was cut'));
	});
	stream.once('close', () => {
		if (!isSocketOver || !isStreamOver) socket.resetAndDestroy();
	});
	stream.pipe(socket, {end: false});
	socket.pipe(stream);
}

/** Seconds between pings, and until a session without an answer ends. */
const PING_SECONDS = 15;
const SILENCE_SECONDS = 30;

/** Ends a session whose peer has silently disappeared. */
export function keepAlive(session: Http2Session, pingSeconds = PING_SECONDS): void {
	let heardAt = performance.now();
	const longestMs = (pingSeconds / PING_SECONDS) * SILENCE_SECONDS * 1000;
	const timer = setInterval(() => {
		if (performance.now() - heardAt > longestMs) session.destroy();
		else if (!session.destroyed) session.ping(() => (heardAt = performance.now()));
	}, pingSeconds * 1000).unref();
	session.once('close', () => clearInterval(timer));
}
