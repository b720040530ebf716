import type {Work} from '../../contract/nouns/host-work.ts';
import {resourceLimits, type ResourceBounds, type Shared} from '../sandbox/resource-limits.ts';
import {instanceEnv} from '../sandbox/instance-env.ts';
import {SSH_PORT} from '../instance/ports.ts';
import {CONTAINER_HOME} from './container-inside.ts';
import {PIPES_PATH} from './exec-pipes.ts';
import {type LimitSupport, CAPABILITIES, LONGEST_LOG_BYTES} from './isolation-support.ts';

/** Folder for data by convention: like the home, on the instance's own volume. */
export const WORKSPACE = '/workspace';

export type GpuDevices =
	| {readonly kind: 'nvidia'; readonly names: readonly string[]}
	| {readonly kind: 'amd'; readonly devices: readonly string[]}
	| {readonly kind: 'none'};

export type PlanSurroundings = {
	readonly gpus: GpuDevices;
	/** The machine's address, as shown to renters inside. */
	readonly address: string;
	/**
	 * Address that ports are bound to.
	 * @default the machine's address
	 */
	readonly listen?: string;
	readonly serviceUrl: string | undefined;
	/** Container ports, such as `22/tcp`, with the machine's ports that forward to them. */
	readonly ports: ReadonlyMap<string, number>;
	readonly labels: Readonly<Record<string, string>>;
	readonly volumes: ReadonlyArray<{readonly name: string; readonly path: string}>;
	/** The folder of this machine for the pipes of commands; none if the engine does not see it. */
	readonly pipes: readonly string[];
	readonly machine: Shared;
	readonly limits: LimitSupport;
	readonly limitsDisk: boolean;
	readonly network: string;
	readonly nameServers: readonly string[];
};

type Program = {
	readonly entrypoint?: readonly string[];
	readonly words?: readonly string[];
	readonly folder?: string;
	readonly user?: string;
};

type ContainerPlan = Pick<
	PlanSurroundings,
	'gpus' | 'labels' | 'volumes' | 'pipes' | 'limits' | 'network' | 'nameServers'
> & {
	readonly image: string;
	readonly hostName: string;
	readonly env: Readonly<Record<string, string>>;
	readonly program: Program;
	readonly ports: ReadonlyArray<{
		readonly inside: number;
		readonly protocol: string;
		readonly outside: number;
	}>;
	readonly bounds: ResourceBounds;
	/** Disk in GB; undefined for no limit. */
	readonly disk: number | undefined;
	readonly listen: string;
};

export function planContainer(work: Work, around: PlanSurroundings): ContainerPlan {
	const {ports, address, listen = address, serviceUrl, machine, limitsDisk} = around;
	const asked = work.env?.find(([key]) => key === '-h')?.[1] ?? '';
	return {
		...around,
		listen,
		image: work.image ?? '',
		hostName: /^[\w.-]{1,63}$/.test(asked) ? asked : `instance-${work.instance_id}`,
		env: {
			...instanceEnv(work, address, {ports, dataFolder: WORKSPACE, serviceUrl}),
			// NVIDIA's runtime exposes the GPUs in this variable, so a renter must not set it.
			NVIDIA_VISIBLE_DEVICES: around.gpus.kind === 'nvidia' ? around.gpus.names.join(',') : 'void',
		},
		program: programOf(work),
		ports: [...ports].flatMap(([name, outside]) => {
			const [inside, protocol = 'tcp'] = name.split('/');
			return name === SSH_PORT ? [] : [{inside: Number(inside), protocol, outside}];
		}),
		bounds: resourceLimits(machine, work),
		disk: limitsDisk ? Math.ceil(work.disk ?? 0) : undefined,
	};
}

/**
 * Runs the instance's onstart script and then waits, so that SSH keeps working. Traps TERM, because
 * the kernel ignores unhandled signals to a container's first process.
 */
const KEEPING = `
trap 'exit 0' TERM INT
if [ -x /bin/bash ]; then shell=/bin/bash; else shell=/bin/sh; fi
if [ -n "$1" ]; then
	printf '%s\\n' "$1" > /root/onstart.sh
	{ $shell /root/onstart.sh; echo "onstart ended with $?"; } &
fi
if [ -n "$2" ]; then
	if command -v jupyter >/dev/null 2>&1; then
		jupyter "$2" --ip=0.0.0.0 --port=8080 --no-browser --allow-root --notebook-dir="$3" &
	else
		echo 'There is no Jupyter in this image: it can be entered by SSH.' >&2
	fi
fi
while :; do sleep 3600 & wait $!; done`;

function programOf(work: Work): Program {
	const {launch, args = [], onstart = '', user = ''} = work;
	if (launch === undefined || launch.mode === 'args') {
		return {...(args.length > 0 && {words: args}), ...(user !== '' && {user})};
	}
	const jupyter = work.use_jupyter_lab === true ? 'lab' : 'notebook';
	const folder = work.jupyter_dir ?? '';
	const words = [
		onstart,
		launch.mode === 'jupyter' ? jupyter : '',
		folder === '' ? CONTAINER_HOME : folder,
	];
	return {
		entrypoint: ['/bin/sh', '-c', KEEPING, 'rentty'],
		words,
		folder: CONTAINER_HOME,
		user: '0',
	};
}

/** Capabilities of root inside, and the size limit of its log. */
export const CONTAINER_RIGHTS = {
	CapDrop: ['ALL'],
	CapAdd: CAPABILITIES,
	SecurityOpt: ['no-new-privileges'],
	LogConfig: {
		Type: 'json-file',
		Config: {'max-size': String(LONGEST_LOG_BYTES), 'max-file': '2'},
	},
} as const;

/** The body of `POST /containers/create`. */
export function dockerBody(plan: ContainerPlan): Record<string, unknown> {
	const {ports, program, bounds, limits, disk, listen} = plan;
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
			Mounts: [
				...plan.volumes.map(({name, path}) => ({Type: 'volume', Source: name, Target: path})),
				...plan.pipes.map(source => ({
					Type: 'bind',
					Source: source,
					Target: PIPES_PATH,
					ReadOnly: true,
				})),
			],
			PortBindings: Object.fromEntries(
				named.map(([inside, port]) => [inside, [{HostIp: listen, HostPort: String(port)}]]),
			),
			...(limits.memory && {Memory: bounds.memoryBytes}),
			...(limits.memory && limits.swap && {MemorySwap: bounds.memoryBytes}),
			...(limits.processors && {NanoCpus: Math.floor(bounds.processors * 1e9)}),
			...(limits.processes && {PidsLimit: bounds.processes}),
			ShmSize: bounds.sharedMemoryBytes,
			...(disk !== undefined && {StorageOpt: {size: `${disk}G`}}),
			Ulimits: [{Name: 'core', Soft: 0, Hard: 0}],
			...CONTAINER_RIGHTS,
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

const PERIOD_MICROSECONDS = 100_000;

/** Podman's own limit of processes. */
const MOST_PROCESSES = 16_384;

/**
 * The body of Podman's own call: its Docker-compatible one ignores GPUs.
 *
 * @param mostFiles Limit of open files of a program inside.
 */
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
		mounts: plan.pipes.map(source => ({
			type: 'bind',
			source,
			destination: PIPES_PATH,
			options: ['ro', 'nosuid', 'nodev', 'noexec'],
		})),
		portmappings: plan.ports.map(({inside, protocol, outside}) => ({
			container_port: inside,
			host_port: outside,
			host_ip: plan.listen,
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

/** Names of the GPUs in the machine's CDI specifications. */
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
