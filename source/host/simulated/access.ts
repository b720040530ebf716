/** Addresses of simulated instances: names and addresses reserved for examples. */
import {containerPort, isIdentityPort} from '../../contract/rules/env.ts';
import type {CopiedFiles} from '../runtime.ts';
import {sshPortOf, type Access, type Work} from '../../contract/nouns/host-work.ts';

/** Nobody can enter these. */
export function madeUpEntrances(
	factsOf: (machineId: number) => {readonly public_ipaddr?: string | null} | undefined,
): Entrances {
	return {
		open: async work => accessOf(work, factsOf(work.machine_id)?.public_ipaddr ?? undefined),
		admit: () => undefined,
		files: {
			address: '192.0.2.1',
			async inside() {
				throw new Error('its machine is made up and has no files');
			},
		},
		keepVolume: async () => undefined,
		removeVolume: async () => undefined,
		shut: async () => undefined,
		remove: async () => undefined,
		close: async () => undefined,
	};
}

/** Clients add one to the port of SSH for Jupyter, so that one is kept free. */
const FIRST_MAPPED = 2;

/** A machine whose address is known has that one. */
export function accessOf(
	{instance_id: id, machine_id, launch, env = []}: Work,
	address = `203.0.113.${(machine_id % 254) + 1}`,
): Access {
	const first = sshPortOf(id);
	const asked = env.map(([key]) => containerPort(key)).filter(port => port !== undefined);
	const own = [
		// Clients enter a Jupyter instance by SSH on this port, however it was launched.
		...(launch?.sshDirect === true || launch?.mode === 'jupyter' ? [tcp(22)] : []),
		...(launch?.jupyterDirect === true ? [tcp(8080)] : []),
	];
	const mapped = [...own, ...asked].map((port, index) => {
		const outside = first + FIRST_MAPPED + index;
		const inside = isIdentityPort(port) ? outside : port.port;
		return [`${inside}/${port.protocol}`, outside] as const;
	});
	const ports = new Map(mapped);
	return {
		ssh_host: `ssh${(machine_id % 20) + 1}.example.net`,
		ssh_port: first,
		public_ipaddr: address,
		machine_dir_ssh_port: ports.get('22/tcp') ?? null,
		ports: Object.fromEntries([...ports].map(([name, outside]) => [name, bindingsOf(outside)])),
	};
}

function tcp(port: number) {
	return {port, protocol: 'tcp'} as const;
}

function bindingsOf(port: number) {
	return [{HostIp: '0.0.0.0', HostPort: String(port)}];
}

export type Entrances = {
	/** Makes what an instance needs to be entered, as far as it is not there, and says where that is. */
	readonly open: (work: Work) => Promise<Access>;
	/** Takes who may enter. */
	readonly admit: (work: Work) => void;
	/** Files of instances that have been opened, and of volumes. */
	readonly files: CopiedFiles;
	readonly keepVolume: (volumeId: number) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	/** Sends everybody out. What they left stays. */
	readonly shut: (instanceId: number) => Promise<void>;
	/** Leaves nothing of it, or what it is known by: its keys and its port. */
	readonly remove: (instanceId: number, keepsKey?: boolean) => Promise<void>;
	/** Shuts all, and keeps them for another time. */
	readonly close: () => Promise<void>;
};
