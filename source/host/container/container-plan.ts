/** What an engine is told to make of an instance's work. */
import type {Work} from '../../contract/host-work.ts';
import {devicesOf} from '../machine/devices.ts';
import type {GpuKind} from '../machine/devices.ts';
import {instanceEnv} from '../rooms/instance-env.ts';
import {HOME} from './container-room.ts';

/** Where people and images keep data: like the home, on a volume of the instance's own. */
export const WORKSPACE = '/workspace';

export type PlanSurroundings = {
	readonly isPodman: boolean;
	readonly gpus: GpuKind;
	/** The machine's address as it is told inside, and on which ports are opened. */
	readonly address: string;
	readonly serviceUrl: string | undefined;
	/** Ports of the inside, such as `22/tcp`, with those of the machine that lead there. */
	readonly ports: ReadonlyMap<string, number>;
	/** What the container is found by again. */
	readonly labels: Readonly<Record<string, string>>;
	/** Volumes of the engine, and where they are seen inside. */
	readonly volumes: ReadonlyArray<{readonly name: string; readonly path: string}>;
	readonly sharedMemoryBytes: number;
	/** Whether the engine can limit what is written to the container's own disk. */
	readonly limitsDisk: boolean;
};

/** The door stands on this machine: nothing inside has to listen for it. */
export const DOOR = '22/tcp';

/** The body of `POST /containers/create`. */
export function planContainer(work: Work, around: PlanSurroundings): Record<string, unknown> {
	const {ports, labels, address, serviceUrl} = around;
	const env = instanceEnv(work, address, {ports, dataFolder: WORKSPACE, serviceUrl});
	const mapped = [...ports].filter(([inside]) => inside !== DOOR);
	const hostName = work.env?.find(([key]) => key === '-h')?.[1] ?? `instance-${work.instance_id}`;
	return {
		Image: work.image,
		Hostname: /^[\w.-]{1,63}$/.test(hostName) ? hostName : `instance-${work.instance_id}`,
		Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
		Labels: labels,
		...programOf(work),
		ExposedPorts: Object.fromEntries(mapped.map(([inside]) => [inside, {}])),
		HostConfig: {
			Mounts: around.volumes.map(({name, path}) => ({
				Type: 'volume',
				Source: name,
				Target: path,
			})),
			PortBindings: Object.fromEntries(
				mapped.map(([inside, port]) => [inside, [{HostIp: address, HostPort: String(port)}]]),
			),
			ShmSize: around.sharedMemoryBytes,
			...(around.limitsDisk && {StorageOpt: {size: `${Math.ceil(work.disk ?? 0)}G`}}),
			...(!around.isPodman && {
				LogConfig: {Type: 'json-file', Config: {'max-size': '16m', 'max-file': '2'}},
			}),
			...gpusOf(work, around),
		},
	};
}

/**
 * Runs what the instance runs at its start and then nothing, so that it can be entered. It goes when
 * it is asked to: the first process of a container is not ended by signals that it does not expect.
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

function programOf(work: Work) {
	const {launch, args = [], onstart = '', user = ''} = work;
	if (launch === undefined || launch.mode === 'args') {
		return {...(args.length > 0 && {Cmd: args}), ...(user !== '' && {User: user})};
	}
	const jupyter = work.use_jupyter_lab === true ? 'lab' : 'notebook';
	const folder = work.jupyter_dir ?? '';
	const words = [onstart, launch.mode === 'jupyter' ? jupyter : '', folder === '' ? HOME : folder];
	return {
		Entrypoint: ['/bin/sh', '-c', KEEPING, 'rentty'],
		Cmd: words,
		WorkingDir: HOME,
		User: '0',
	};
}

function gpusOf({gpu_ids: ids = []}: Work, {gpus, isPodman}: PlanSurroundings) {
	if (ids.length === 0 || gpus === 'none') return {};
	if (gpus === 'amd') return {Devices: devicesOf(gpus, ids).map(deviceAt)};
	const request = isPodman
		? {Driver: 'cdi', DeviceIDs: ids.map(id => `nvidia.com/gpu=${id}`)}
		: {Driver: 'nvidia', DeviceIDs: ids.map(String), Capabilities: [['gpu']]};
	return {DeviceRequests: [request]};
}

function deviceAt(path: string) {
	return {PathOnHost: path, PathInContainer: path, CgroupPermissions: 'rwm'};
}
