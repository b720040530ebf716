/** The ports of an instance. Without a network of its own, they are the machine's ports. */
import {once} from 'node:events';
import {createServer} from 'node:net';
import {containerPort, isIdentityPort, MOST_PORTS} from '../../contract/rules/env.ts';
import type {Access, Work} from '../../contract/nouns/host-work.ts';

/** Ports inside, such as `8080/tcp`, with the machine's ports that lead there. */
export type Ports = ReadonlyArray<readonly [inside: string, outside: number]>;

/** Port of Jupyter inside. */
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

/** A port to publish: a port inside, or any port that is the same on both sides. */
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

/** Port of SSH inside, whose server is the agent's, on the machine. */
export const SSH_PORT = '22/tcp';

/** The ports with that of SSH. */
export function withSsh(ports: Ports, sshPort: number): ReadonlyMap<string, number> {
	return new Map([...ports, ...(sshPort === 0 ? [] : [[SSH_PORT, sshPort] as const])]);
}

/**
 * Addresses and mapped ports of an instance.
 *
 * @param isEnteredDirectly True to show the port of SSH.
 */
export function accessOf(address: string, sshPort: number, ports: Ports, isDirect = true): Access {
	const shown = [...withSsh(ports, sshPort)].filter(([inside]) => isDirect || inside !== SSH_PORT);
	return {
		ssh_host: address,
		ssh_port: sshPort,
		public_ipaddr: address,
		machine_dir_ssh_port: isDirect ? sshPort : null,
		ports: Object.fromEntries(
			shown.map(([inside, port]) => [inside, [{HostIp: address, HostPort: String(port)}]]),
		),
	};
}

/** @param wanted It is this one, where nobody has it */
async function freePort(wanted = 0): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch (error) {
		if (wanted === 0) throw error;
		return freePort();
	}
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
}

const LAST_PORT = 65_535;

/**
 * Chooses the machine's ports for a container: for SSH, for requested ports, and for ports that the
 * image exposes.
 */
export async function choosePorts(work: Work, ofImage: readonly string[]): Promise<Ports> {
	const asked = (work.env ?? []).map(([key]) => containerPort(key));
	const ssh = {port: 22, protocol: 'tcp'} as const;
	const wanted = [
		ssh,
		...asked.filter(port => port !== undefined),
		...(work.launch?.mode === 'jupyter' ? [{port: JUPYTER_PORT, protocol: 'tcp'} as const] : []),
		...ofImage.map(text => containerPort(`-p ${text}`)).filter(port => port !== undefined),
	];
	const ports = new Map<string, number>();
	for (const each of wanted) {
		if (ports.size >= MOST_PORTS) break;
		const outside = await freePort(each === ssh ? work.ssh_port : 0);
		const inside = isIdentityPort(each) ? outside : each.port;
		const name = `${inside}/${each.protocol}`;
		if (inside >= 1 && inside <= LAST_PORT && !ports.has(name)) ports.set(name, outside);
	}
	return [...ports];
}
