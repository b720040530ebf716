/** Plan of a container for an instance's work, whatever the engine. */
import type {Work} from '../../contract/nouns/host-work.ts';
import {rentedShare, type Bounds, type Shared} from '../sandbox/rented-share.ts';
import {instanceEnv} from '../sandbox/instance-env.ts';
import {DOOR} from '../instance/ports.ts';
import {HOME} from './container-room.ts';
import type {Limits} from './isolation-support.ts';

/** Folder for data by convention: like the home, on a volume of the instance's own. */
export const WORKSPACE = '/workspace';

/** The GPUs that an instance gets, as engines are asked for them. */
export type GpuDevices =
	| {readonly kind: 'nvidia'; readonly names: readonly string[]}
	| {readonly kind: 'amd'; readonly devices: readonly string[]}
	| {readonly kind: 'none'};

export type PlanSurroundings = {
	readonly gpus: GpuDevices;
	/** The machine's address as it is told inside, and on which ports are opened. */
	readonly address: string;
	readonly serviceUrl: string | undefined;
	/** Ports of the inside, such as `22/tcp`, with those of the machine that lead there. */
	readonly ports: ReadonlyMap<string, number>;
	/** Labels by which the container is found again. */
	readonly labels: Readonly<Record<string, string>>;
	/** Volumes of the engine, and where they are seen inside. */
	readonly volumes: ReadonlyArray<{readonly name: string; readonly path: string}>;
	/** Resources that the machine's instances share, and those that the engine can limit. */
	readonly machine: Shared;
	readonly limits: Limits;
	/** The engine can limit what is written to the container's own disk. */
	readonly limitsDisk: boolean;
	/** The network that it has by itself, and whom it asks for addresses of names. */
	readonly network: string;
	readonly nameServers: readonly string[];
};

type Program = {
	readonly entrypoint?: readonly string[];
	readonly words?: readonly string[];
	readonly folder?: string;
	readonly user?: string;
};

export type ContainerPlan = Pick<
	PlanSurroundings,
	'gpus' | 'address' | 'labels' | 'volumes' | 'limits' | 'network' | 'nameServers'
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
	readonly bounds: Bounds;
	/** In GB; undefined where it is not limited. */
	readonly disk: number | undefined;
};

export function planContainer(work: Work, around: PlanSurroundings): ContainerPlan {
	const {ports, address, serviceUrl, machine, limitsDisk} = around;
	const asked = work.env?.find(([key]) => key === '-h')?.[1] ?? '';
	return {
		...around,
		image: work.image ?? '',
		hostName: /^[\w.-]{1,63}$/.test(asked) ? asked : `instance-${work.instance_id}`,
		env: {
			...instanceEnv(work, address, {ports, dataFolder: WORKSPACE, serviceUrl}),
			// Engines of NVIDIA's hand on what this says: a renter must not say it.
			NVIDIA_VISIBLE_DEVICES: around.gpus.kind === 'nvidia' ? around.gpus.names.join(',') : 'void',
		},
		program: programOf(work),
		ports: [...ports].flatMap(([name, outside]) => {
			const [inside, protocol = 'tcp'] = name.split('/');
			return name === DOOR ? [] : [{inside: Number(inside), protocol, outside}];
		}),
		bounds: rentedShare(machine, work),
		disk: limitsDisk ? Math.ceil(work.disk ?? 0) : undefined,
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

function programOf(work: Work): Program {
	const {launch, args = [], onstart = '', user = ''} = work;
	if (launch === undefined || launch.mode === 'args') {
		return {...(args.length > 0 && {words: args}), ...(user !== '' && {user})};
	}
	const jupyter = work.use_jupyter_lab === true ? 'lab' : 'notebook';
	const folder = work.jupyter_dir ?? '';
	const words = [onstart, launch.mode === 'jupyter' ? jupyter : '', folder === '' ? HOME : folder];
	return {entrypoint: ['/bin/sh', '-c', KEEPING, 'rentty'], words, folder: HOME, user: '0'};
}
