/** Serves a session with a relay, which opens a stream for each connection of a renter. */
import {once} from 'node:events';
import {performServerHandshake, type IncomingHttpHeaders, type ServerHttp2Stream} from 'node:http2';
import type {Socket} from 'node:net';
import {
	readForwarded,
	readTarget,
	SESSION_WINDOW,
	STREAM_WINDOW,
	type RelayTarget,
} from '../../contract/rules/relay.ts';
import {keepAlive} from '../../contract/rules/relay-streams.ts';

/**
 * Forwards a connection of a renter, with its address, into an instance; false if it has no such
 * port.
 */
export type Enter = (target: RelayTarget, stream: ServerHttp2Stream, from: string) => boolean;

const MOST_STREAMS = 4096;

/**
 * Streams that renters may reset at once, and per second: with lower limits, one renter could end
 * all sessions.
 */
const RESETS = {streamResetBurst: 20_000, streamResetRate: 2000};

export type RelayServing = {
	readonly enter: Enter;
	/** Seconds between pings; the usual ones by default. */
	readonly pingSeconds?: number | undefined;
};

/** Fulfils when the session is over. */
export async function serveRelay(
	socket: Socket,
	{enter, pingSeconds}: RelayServing,
	signal: AbortSignal,
): Promise<void> {
	const session = performServerHandshake(socket, {
		...RESETS,
		settings: {
			enablePush: false,
			initialWindowSize: STREAM_WINDOW,
			maxConcurrentStreams: MOST_STREAMS,
		},
	});
	const end = () => session.destroy();
	session.on('error', end);
	session.setLocalWindowSize(SESSION_WINDOW);
	keepAlive(session, pingSeconds);
	session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
		stream.on('error', () => stream.destroy());
		if (!take(stream, headers, enter)) stream.destroy(new Error('there is no such port'));
	});
	signal.addEventListener('abort', end, {once: true});
	if (signal.aborted) end();
	await once(session, 'close');
	signal.removeEventListener('abort', end);
	socket.destroy();
}

function take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, enter: Enter): boolean {
	const {':method': method, ':authority': authority = '', forwarded = ''} = headers;
	const target = method === 'CONNECT' ? readTarget(authority) : undefined;
	const from = readForwarded(forwarded);
	if (target === undefined || from === undefined) return false;
	// Before the first bytes: the relay does not wait for the reply, and resets a stream without
	// one.
	stream.respond({':status': 200});
	return enter(target, stream, from);
}
