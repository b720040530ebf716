/** Choice of the machine's ports for instances and copies, so that no port is used twice. */
import {once} from 'node:events';
import {createServer, isIPv6} from 'node:net';
import {networkInterfaces} from 'node:os';
import {codeOf, messageOf} from '../../contract/rules/thrown.ts';

/** Ports of a machine, both ends included. */
export type PortRange = {readonly first: number; readonly last: number};

/** Addresses at which the ports of instances are bound, and at which renters reach them. */
export type PortAddresses = {
	/** Address shown to renters. */
	readonly address: string;
	/**
	 * Address that ports are bound to.
	 * @default the address shown to renters
	 */
	readonly listen?: string | undefined;
	/**
	 * The only ports that are used.
	 * @default any free ones
	 */
	readonly portRange?: PortRange | undefined;
	/**
	 * False if renters can reach no port of this machine.
	 * @default true
	 */
	readonly isDirect?: boolean | undefined;
};

/** Reserves a free port, the wanted one if possible. @throws Error if none is left */
export type FreePort = (wanted?: number) => Promise<number>;

export type PortChoice = {
	readonly freePortOf: (holder: string) => FreePort;
	/** Records all ports of a holder; its other ones become free. */
	readonly hold: (holder: string, ports: readonly number[]) => void;
	readonly release: (holder: string) => void;
};

export function createPortChoice({
	listen,
	portRange: range,
}: {
	readonly listen: string;
	readonly portRange?: PortRange | undefined;
}): PortChoice {
	const holders = new Map<number, string>();

	async function take(holder: string, port: number, wanted = 0): Promise<number | undefined> {
		const other = holders.get(port);
		// A holder gets back a port that it has, but no port twice.
		if (other !== undefined && !(other === holder && port === wanted)) return undefined;
		// Reserve before trying, so that no other call tries it meanwhile.
		if (port !== 0) holders.set(port, holder);
		const free = await boundPort(listen, port);
		if (free === undefined) {
			if (other === undefined) holders.delete(port);
			return undefined;
		}
		if (port === 0 && holders.has(free)) return take(holder, 0);
		holders.set(free, holder);
		return free;
	}

	return {
		freePortOf:
			holder =>
			async (wanted = 0) => {
				for (const port of candidates(range, wanted)) {
					const taken = await take(holder, port, wanted);
					if (taken !== undefined) return taken;
				}
				throw new Error(
					range === undefined
						? `no port of ${listen} can be opened`
						: `all ports from ${range.first} to ${range.last} are in use`,
				);
			},
		hold(holder, ports) {
			this.release(holder);
			for (const port of ports) if (port !== 0) holders.set(port, holder);
		},
		release(holder) {
			for (const [port, other] of holders) if (other === holder) holders.delete(port);
		},
	};
}

/** Ports to try: the wanted one, then any; in a range, all in order from the wanted port on. */
function* candidates(range: PortRange | undefined, wanted: number): Generator<number, void> {
	if (range === undefined) {
		if (wanted !== 0) yield wanted;
		yield 0;
		return;
	}
	const count = range.last - range.first + 1;
	// The wanted port differs between instances and stays the same for each, even outside the
	// range.
	const start = wanted < range.first ? wanted : wanted - range.first;
	for (let step = 0; step < count; step += 1) yield range.first + ((start + step) % count);
}

/** The port, if it is free; any free port for 0. */
async function boundPort(listen: string, port: number): Promise<number | undefined> {
	const server = createServer().listen(port, listen);
	try {
		await once(server, 'listening');
	} catch (error) {
		if (port === 0) throw error;
		return undefined;
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : undefined;
}

/** @throws Error with the reason why no port can be opened */
export async function checkReach({
	address,
	listen = address,
	portRange,
}: PortAddresses): Promise<void> {
	const {freePortOf} = createPortChoice({listen, portRange});
	await freePortOf('check')().catch((cause: unknown) => {
		const isForeign = codeOf(cause) === 'EADDRNOTAVAIL';
		const why = isForeign ? 'this machine has no such address' : messageOf(cause);
		throw new Error(`No port for instances can be opened at ${listen}: ${why}.`, {cause});
	});
}

/** Address to bind for the one shown to renters: the same, or all addresses if a router owns it. */
export function listenFor(address: string): string {
	const own = Object.values(networkInterfaces()).flatMap(found => found ?? []);
	const isOwn = address.startsWith('127.') || own.some(one => one.address === address);
	if (isOwn) return address;
	return isIPv6(address) ? '::' : '0.0.0.0';
}

/** Address by which this machine itself reaches ports bound to an address. */
export function localAddress(listen: string): string {
	if (listen === '0.0.0.0') return '127.0.0.1';
	return listen === '::' ? '::1' : listen;
}
