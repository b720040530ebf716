/** The ports of an instance. Without a network of its own, they are the machine's ports. */
import {containerPort, isIdentityPort, MOST_PORTS} from '../../contract/rules/env.ts';
import type {Access, Work} from '../../contract/nouns/host-work.ts';
import type {FreePort, PortAddresses} from '../machine/port-choice.ts';

/** Container ports, such as `8080/tcp`, with the machine's ports that forward to them. */
export type Ports = ReadonlyArray<readonly [inside: string, outside: number]>;

export const JUPYTER_PORT = 8080;

/** Requested ports of an instance on the machine's network. Identity ports are chosen here. */
export async function askedPorts(
	{env = [], launch}: Work,
	freePort: FreePort,
	earlier: Ports = [],
): Promise<Ports> {
	const before = new Map(earlier);
	const ports: Array<readonly [string, number]> = [];
	// Jupyter gets a free port, because instances share the machine's ports.
	if (launch?.mode === 'jupyter') {
		const name = `${JUPYTER_PORT}/tcp`;
		ports.push([name, await freePort(before.get(name))]);
	}
	for (const [key] of env) {
		const asked = containerPort(key);
		if (asked === undefined) continue;
		const port = isIdentityPort(asked) ? await freePort() : asked.port;
		ports.push([`${port}/${asked.protocol}`, port]);
	}
	return ports;
}

/** A port to publish: a container port, or any port that is the same on both sides. */
export type WantedPort = {
	readonly inside: number | 'same';
	readonly protocol: 'tcp' | 'udp';
	readonly outside: number;
};

/**
 * Requested ports of an instance with its own network, at the machine's ports that they had before.
 */
export async function wantedPorts(
	{env = [], launch}: Work,
	freePort: FreePort,
	earlier: Ports,
): Promise<readonly WantedPort[]> {
	const before = new Map(earlier);
	const asked = env.map(([key]) => containerPort(key)).filter(port => port !== undefined);
	const jupyter = {port: JUPYTER_PORT, protocol: 'tcp'} as const;
	const all = [...(launch?.mode === 'jupyter' ? [jupyter] : []), ...asked];
	const wanted: WantedPort[] = [];
	for (const asking of all) {
		const {port, protocol} = asking;
		const outside = await freePort(before.get(`${port}/${protocol}`));
		wanted.push({inside: isIdentityPort(asking) ? 'same' : port, protocol, outside});
	}
	return wanted;
}

/** Port of SSH inside, whose server is the agent's, on the machine. */
export const SSH_PORT = '22/tcp';

export function withSsh(ports: Ports, sshPort: number): ReadonlyMap<string, number> {
	return new Map([...ports, ...(sshPort === 0 ? [] : [[SSH_PORT, sshPort] as const])]);
}

/**
 * Addresses and mapped ports of an instance. A machine that cannot be reached reports no public
 * address: a relay forwards to it.
 *
 * @param isEnteredDirectly True to show the port of SSH.
 */
export function makeAccess(
	{address, isDirect = true}: PortAddresses,
	sshPort: number,
	ports: Ports,
	isEnteredDirectly = true,
): Access {
	const isShown = isDirect && isEnteredDirectly;
	const all = [...withSsh(ports, sshPort)];
	const shown = all.filter(([inside]) => isShown || inside !== SSH_PORT);
	return {
		ssh_host: address,
		ssh_port: sshPort,
		public_ipaddr: isDirect ? address : null,
		machine_dir_ssh_port: isShown ? sshPort : null,
		ports: Object.fromEntries(
			shown.map(([inside, port]) => [inside, [{HostIp: address, HostPort: String(port)}]]),
		),
	};
}

const LAST_PORT = 65_535;

/**
 * Chooses the machine's ports for a container: for SSH, for requested ports, and for ports that the
 * image exposes.
 */
export async function choosePorts(
	work: Work,
	ofImage: readonly string[],
	freePort: FreePort,
): Promise<Ports> {
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
		const outside = await freePort(each === ssh ? work.ssh_port : undefined);
		const inside = isIdentityPort(each) ? outside : each.port;
		const name = `${inside}/${each.protocol}`;
		if (inside >= 1 && inside <= LAST_PORT && !ports.has(name)) ports.set(name, outside);
	}
	return [...ports];
}
