/**
 * Protocol between agents and relays. An agent connects and upgrades its connection to HTTP/2 with
 * the roles reversed: the relay asks it with `CONNECT` for a port of an instance, one stream for
 * each connection of a renter.
 */

export const RELAY_PATH = '/api/v0/hosts/relay/';
export const RELAY_PROTOCOL = 'reverse';

/** Header with the id of an agent's run: a newer run ends the sessions of an older one. */
export const AGENT_START = 'rentty-agent-start';

/**
 * Sessions of an agent with a relay: lost packets of one do not block the streams of the others.
 */
export const RELAY_SESSIONS = 4;

/** Flow-control windows of a stream, which limits the buffer of a stalled one, and of a session. */
export const STREAM_WINDOW = 1024 * 1024;
export const SESSION_WINDOW = 4 * 1024 * 1024;

export type RelayTarget = {readonly instanceId: number; readonly port: number};

/** Writes the authority of a relay's request. */
export function printTarget({instanceId, port}: RelayTarget): string {
	return `${instanceId}:${port}`;
}

export function readTarget(authority: string): RelayTarget | undefined {
	const [, id = '', port = ''] = /^(\d{1,15}):(\d{1,5})$/.exec(authority) ?? [];
	return id === '' ? undefined : {instanceId: Number(id), port: Number(port)};
}

/** Writes the header `forwarded` with a renter's address. */
export function printForwarded(address: string): string {
	return address.includes(':') ? `for="[${address}]"` : `for=${address}`;
}

/** Address of a renter in the header `forwarded`; undefined for anything else. */
export function readForwarded(header: string): string | undefined {
	return /^for="?\[?([\da-f.:]{2,45})\]?"?$/i.exec(header)?.[1];
}

export const SSH_INSIDE = 22;
const JUPYTER_INSIDE = 8080;

export const PORTS_OF_RELAYED = 8;

type Mapped = {
	readonly hasSsh: boolean;
	/** Mapped ports, such as `8080/tcp`. */
	readonly ports?: Readonly<Record<string, unknown>> | undefined;
};

/**
 * Container ports that an instance's relay ports forward to, in order. SSH has two: clients add one
 * to that of a Jupyter instance. Jupyter follows, and the other mapped ports as far as they fit.
 */
export function relayedPorts({hasSsh, ports = {}}: Mapped): readonly number[] {
	const mapped = Object.keys(ports)
		.filter(name => name.endsWith('/tcp'))
		.map(name => Number.parseInt(name, 10))
		.filter(port => port !== SSH_INSIDE)
		.toSorted((one, other) => rank(one) - rank(other));
	const ssh = hasSsh ? SSH_INSIDE : 0;
	return [ssh, ssh, ...mapped].slice(0, PORTS_OF_RELAYED);
}

function rank(port: number): number {
	return port === JUPYTER_INSIDE ? 0 : port;
}
