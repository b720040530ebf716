/** Addresses of simulated instances: names and addresses reserved for examples. */
import {containerPort, isIdentityPort} from '../../contract/rules/env.ts';
import type {CopiedFiles} from '../base/runtime.ts';
import {runTreeCommand, type Tree} from '../inside/tree-commands.ts';
import {makeFiles} from './files.ts';
import type {WriteLogLine} from './onstart.ts';
import {
	sshPortOf,
	type Access,
	type VolumeWork,
	type Work,
} from '../../contract/nouns/host-work.ts';

/** Endpoints at made-up addresses, which cannot be entered. */
export function madeUpEntrances(
	factsOf: (machineId: number) => {readonly public_ipaddr?: string | null} | undefined,
): Entrances {
	const trees = new Map<number, Tree>();

	function treeFor({instance_id: id, mounts}: Work): Tree {
		const tree = trees.get(id) ?? makeFiles(mounts?.map(mount => mount.mount_path));
		trees.set(id, tree);
		return tree;
	}

	return {
		open: async work => simulateAccess(work, factsOf(work.machine_id)?.public_ipaddr ?? undefined),
		admit: () => undefined,
		execute: async (work, command) => runTreeCommand(treeFor(work), command),
		files: {
			address: '192.0.2.1',
			async inside() {
				throw new Error('its machine is made up and has no files');
			},
		},
		keepVolume: async () => undefined,
		removeVolume: async () => undefined,
		listVolumes: async () => [],
		shut: async () => undefined,
		remove: async id => void trees.delete(id),
		close: async () => undefined,
	};
}

/** Number of the first mapped port. Clients add one to the SSH port for Jupyter, so 1 stays free. */
const FIRST_MAPPED = 2;

export function simulateAccess(
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
	/**
	 * Opens the endpoints of an instance, created if missing, and returns its addresses.
	 *
	 * @param say Receives the output of `onstart`, if it is run.
	 */
	readonly open: (work: Work, say: WriteLogLine) => Promise<Access>;
	/** Sets the authorised SSH keys. */
	readonly admit: (work: Work) => void;
	/** Output of `ls`, `rm` or `du` on the files of an instance that has run. */
	readonly execute: (work: Work, command: string) => Promise<string>;
	/** Files of instances that have been opened, and of volumes. */
	readonly files: CopiedFiles;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	readonly listVolumes: () => Promise<readonly number[]>;
	/** Closes the endpoints of an instance, and keeps its files. */
	readonly shut: (instanceId: number) => Promise<void>;
	/** Removes the endpoints and their files, except, on request, keys and port. */
	readonly remove: (instanceId: number, keepsKey?: boolean) => Promise<void>;
	/** Closes all endpoints, and keeps their files. */
	readonly close: () => Promise<void>;
};
