/** The ports of an instance: it shares those of the machine, so that each leads to itself. */
import {once} from 'node:events';
import {createServer} from 'node:net';
import {containerPort, isIdentityPort} from '../../contract/env-ports.ts';
import type {Access, Work} from '../../contract/host-work.ts';

/** Ports of the inside, such as `8080/tcp`, with those of the machine. */
export type Ports = ReadonlyArray<readonly [inside: string, outside: number]>;

/** Where Jupyter is known to be, whatever port of the machine leads there. */
export const JUPYTER_PORT = 8080;

/** The ports that are asked for. Those that are to be the same on both sides are chosen here. */
export async function askedPorts({env = [], launch}: Work): Promise<Ports> {
	const ports: Array<readonly [string, number]> = [];
	// It listens where nothing else does: instances share the ports of the machine.
	if (launch?.mode === 'jupyter') ports.push([`${JUPYTER_PORT}/tcp`, await freePort()]);
	for (const [key] of env) {
		const asked = containerPort(key);
		if (asked === undefined) continue;
		const port = isIdentityPort(asked) ? await freePort() : asked.port;
		ports.push([`${port}/${asked.protocol}`, port]);
	}
	return ports;
}

/** A port that is to be reached from outside: one of the inside, or any that is the same outside. */
export type WantedPort = {readonly inside: number | 'same'; readonly outside: number};

/** The ports that are asked for of a network of its own, at those of the machine that they had before. */
export function wantedPorts({env = [], launch}: Work, earlier: Ports): readonly WantedPort[] {
	const before = new Map(earlier);
	const asked = env.map(([key]) => containerPort(key)).filter(port => port !== undefined);
	const jupyter = {port: JUPYTER_PORT, protocol: 'tcp'} as const;
	const all = [...(launch?.mode === 'jupyter' ? [jupyter] : []), ...asked];
	return all
		.filter(({protocol}) => protocol === 'tcp')
		.map(asking => ({
			inside: isIdentityPort(asking) ? 'same' : asking.port,
			outside: before.get(`${asking.port}/tcp`) ?? 0,
		}));
}

/** All ports, that of the door first. */
export function withDoor(ports: Ports, door: number | undefined): ReadonlyMap<string, number> {
	const own: Ports = door === undefined ? [] : [['22/tcp', door]];
	return new Map([...ports, ...own]);
}

/** Where an instance is entered, and which of its ports are reached. */
export function accessThrough(address: string, door: number, ports: Ports): Access {
	return {
		ssh_host: address,
		ssh_port: door,
		public_ipaddr: address,
		machine_dir_ssh_port: door,
		ports: Object.fromEntries(
			[...withDoor(ports, door)].map(([inside, port]) => [
				inside,
				[{HostIp: address, HostPort: String(port)}],
			]),
		),
	};
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
}
