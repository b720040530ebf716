/** The ports of this machine through which a container is reached. */
import {containerPort, isIdentityPort, MOST_PORTS} from '../../contract/env-ports.ts';
import type {Access, Work} from '../../contract/host-work.ts';
import {freePort, JUPYTER_PORT} from '../instance/ports.ts';
import {DOOR} from './container-plan.ts';

type Ports = Readonly<Record<string, number>>;

/** Chooses a port of the machine for each of the inside: its door, what is asked for, what the image says. */
export async function choosePorts(work: Work, ofImage: readonly string[]): Promise<Ports> {
	const asked = (work.env ?? []).map(([key]) => containerPort(key));
	const wanted = [
		{port: DOOR_PORT, protocol: 'tcp'} as const,
		...asked.filter(port => port !== undefined),
		...(work.launch?.mode === 'jupyter' ? [{port: JUPYTER_PORT, protocol: 'tcp'} as const] : []),
		...ofImage.map(text => containerPort(`-p ${text}`)).filter(port => port !== undefined),
	];
	const ports: Record<string, number> = {};
	for (const each of wanted) {
		if (Object.keys(ports).length >= MOST_PORTS) break;
		const outside = await freePort();
		const inside = isIdentityPort(each) ? outside : each.port;
		if (inside >= 1 && inside <= LAST_PORT) ports[`${inside}/${each.protocol}`] ??= outside;
	}
	return ports;
}

const DOOR_PORT = 22;
const LAST_PORT = 65_535;

export function accessOf(
	{launch}: Work,
	{address, door, ports}: {readonly address: string; readonly door: number; readonly ports: Ports},
): Access {
	const isDirect = launch?.sshDirect === true || launch?.mode === 'jupyter';
	const shown = Object.entries({...ports, [DOOR]: door}).filter(
		([inside]) => isDirect || inside !== DOOR,
	);
	return {
		ssh_host: address,
		ssh_port: door,
		public_ipaddr: address,
		machine_dir_ssh_port: isDirect ? door : null,
		ports: Object.fromEntries(
			shown.map(([inside, port]) => [inside, [{HostIp: address, HostPort: String(port)}]]),
		),
	};
}
