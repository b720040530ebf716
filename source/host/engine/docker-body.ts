/** A container as Docker is told of it: the body of `POST /containers/create`. */
import type {ContainerPlan, GpuDevices} from './container-plan.ts';
import {CAPABILITIES, LONGEST_LOG_BYTES} from './isolation-support.ts';

/** Rights of root inside, and limits of what it leaves on the provider's disk. */
export const RIGHTS = {
	CapDrop: ['ALL'],
	CapAdd: CAPABILITIES,
	SecurityOpt: ['no-new-privileges'],
	LogConfig: {
		Type: 'json-file',
		Config: {'max-size': String(LONGEST_LOG_BYTES), 'max-file': '2'},
	},
} as const;

export function dockerBody(plan: ContainerPlan): Record<string, unknown> {
	const {ports, program, bounds, limits, disk, address} = plan;
	const named = ports.map(
		({inside, protocol, outside}) => [`${inside}/${protocol}`, outside] as const,
	);
	return {
		Image: plan.image,
		Hostname: plan.hostName,
		Env: Object.entries(plan.env).map(([name, value]) => `${name}=${value}`),
		Labels: plan.labels,
		...(program.entrypoint !== undefined && {Entrypoint: program.entrypoint}),
		...(program.words !== undefined && {Cmd: program.words}),
		...(program.folder !== undefined && {WorkingDir: program.folder}),
		...(program.user !== undefined && {User: program.user}),
		ExposedPorts: Object.fromEntries(named.map(([inside]) => [inside, {}])),
		HostConfig: {
			Mounts: plan.volumes.map(({name, path}) => ({Type: 'volume', Source: name, Target: path})),
			PortBindings: Object.fromEntries(
				named.map(([inside, port]) => [inside, [{HostIp: address, HostPort: String(port)}]]),
			),
			...(limits.memory && {Memory: bounds.memoryBytes}),
			...(limits.memory && limits.swap && {MemorySwap: bounds.memoryBytes}),
			...(limits.processors && {NanoCpus: Math.floor(bounds.processors * 1e9)}),
			...(limits.processes && {PidsLimit: bounds.processes}),
			ShmSize: bounds.sharedMemoryBytes,
			...(disk !== undefined && {StorageOpt: {size: `${disk}G`}}),
			Ulimits: [{Name: 'core', Soft: 0, Hard: 0}],
			...RIGHTS,
			NetworkMode: plan.network,
			Dns: plan.nameServers,
			...gpusOf(plan.gpus),
		},
	};
}

function gpusOf(gpus: GpuDevices) {
	switch (gpus.kind) {
		case 'none':
			return {};
		case 'amd':
			return {Devices: gpus.devices.map(deviceAt)};
		case 'nvidia':
			return {
				DeviceRequests: [{Driver: 'nvidia', DeviceIDs: gpus.names, Capabilities: [['gpu']]}],
			};
	}
}

function deviceAt(path: string) {
	return {PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm'};
}
