/**
 * A container as Podman is told of it, in its own words: of what it is told in Docker's, it overlooks
 * GPUs.
 */
import type {ContainerPlan, GpuDevices} from './container-plan.ts';
import {CAPABILITIES, LONGEST_LOG_BYTES} from './isolation-support.ts';

const PERIOD_MICROSECONDS = 100_000;

/** Podman lets nobody have more, whatever else is said. */
const MOST_PROCESSES = 16_384;

/** @param mostFiles How many files a program inside may have open. */
export function podmanBody(
	name: string,
	plan: ContainerPlan,
	mostFiles: number,
): Record<string, unknown> {
	const {program, disk, network} = plan;
	return {
		name,
		image: plan.image,
		hostname: plan.hostName,
		env: plan.env,
		labels: plan.labels,
		...(program.entrypoint !== undefined && {entrypoint: program.entrypoint}),
		...(program.words !== undefined && {command: program.words}),
		...(program.folder !== undefined && {work_dir: program.folder}),
		...(program.user !== undefined && {user: program.user}),
		volumes: plan.volumes.map(volume => ({Name: volume.name, Dest: volume.path})),
		portmappings: plan.ports.map(({inside, protocol, outside}) => ({
			container_port: inside,
			host_port: outside,
			host_ip: plan.address,
			protocol,
		})),
		netns: {nsmode: 'bridge'},
		networks: {[network]: {}},
		dns_server: plan.nameServers,
		shm_size: plan.bounds.sharedMemoryBytes,
		resource_limits: resourcesOf(plan),
		...(disk !== undefined && {storage_opts: {size: `${disk}G`}}),
		r_limits: [
			{type: 'core', soft: 0, hard: 0},
			{type: 'nofile', soft: mostFiles, hard: mostFiles},
			{type: 'nproc', soft: MOST_PROCESSES, hard: MOST_PROCESSES},
		],
		cap_drop: ['ALL'],
		cap_add: CAPABILITIES,
		no_new_privileges: true,
		log_configuration: {driver: 'k8s-file', size: LONGEST_LOG_BYTES},
		devices: devicesOf(plan.gpus).map(path => ({path})),
	};
}

function resourcesOf({bounds, limits}: ContainerPlan) {
	const {memoryBytes: limit, processors} = bounds;
	const quota = Math.floor(processors * PERIOD_MICROSECONDS);
	return {
		...(limits.memory && {memory: {limit, ...(limits.swap && {swap: limit})}}),
		...(limits.processors && {cpu: {quota, period: PERIOD_MICROSECONDS}}),
		...(limits.processes && {pids: {limit: bounds.processes}}),
	};
}

/** As the specifications of devices that are on the machine name them. */
function devicesOf(gpus: GpuDevices): readonly string[] {
	switch (gpus.kind) {
		case 'none':
			return [];
		case 'amd':
			return gpus.devices;
		case 'nvidia':
			return gpus.names.map(name => `nvidia.com/gpu=${name}`);
	}
}
