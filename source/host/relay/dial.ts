/** Opens a connection to a relay: a request that is upgraded to a protocol of streams. */
import {request as requestPlain, type IncomingMessage} from 'node:http';
import {request as requestTls} from 'node:https';
import {Socket, type LookupFunction} from 'node:net';
import type {Duplex} from 'node:stream';
import {AGENT_START, RELAY_PATH, RELAY_PROTOCOL} from '../../contract/rules/relay.ts';

type Dialling = {
	/** URL of the relay: the market's, if it is the market's own relay. */
	readonly url: string;
	/** The key or the ticket that authenticates the agent. */
	readonly pass: string;
	readonly machines: readonly number[];
	/** Id of the agent's run: a newer run ends the connections of an older one. */
	readonly start: string;
	/** @default the resolver of this machine */
	readonly lookup?: LookupFunction | undefined;
};

export class RelayRefused extends Error {
	override readonly name = 'RelayRefused';
	readonly status: number;

	constructor(status: number) {
		super(`The relay takes no connection of this agent (${status})`);
		this.status = status;
	}
}

/** Time until the relay has answered. */
const PATIENCE_MS = 15_000;

/** @throws RelayRefused, or the error of the connection */
export async function dialRelay(
	{url, pass, machines, start, lookup}: Dialling,
	signal: AbortSignal,
): Promise<Socket> {
	const base = url.endsWith('/') ? url.slice(0, -1) : url;
	const target = new URL(base + RELAY_PATH);
	target.searchParams.set('machines', machines.join(','));
	const request = target.protocol === 'https:' ? requestTls : requestPlain;
	const asked = request(target, {
		agent: false,
		...(lookup !== undefined && {lookup}),
		signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
		headers: {
			authorization: `Bearer ${pass}`,
			connection: 'Upgrade',
			upgrade: RELAY_PROTOCOL,
			[AGENT_START]: start,
		},
	});
	const {promise, resolve, reject} = Promise.withResolvers<Socket>();
	asked.on('error', reject);
	asked.on('response', (response: IncomingMessage) => {
		response.destroy();
		reject(new RelayRefused(response.statusCode ?? 0));
	});
	asked.on('upgrade', (_response: IncomingMessage, socket: Duplex, head: Buffer) => {
		if (!(socket instanceof Socket)) return reject(new TypeError('it is no socket'));
		if (head.length > 0) socket.unshift(head);
		socket.setNoDelay(true);
		resolve(socket);
	});
	asked.end();
	return promise;
}
