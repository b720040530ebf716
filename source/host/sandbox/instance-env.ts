/** Environment of an instance: the renter's variables, and facts of the instance. */
import type {Work} from '../../contract/nouns/host-work.ts';

/** Name of a shell variable; other keys are flags of the container. */
const NAME = /^[A-Za-z_]\w*$/;

type Surroundings = {
	readonly ports?: ReadonlyMap<string, number>;
	readonly dataFolder?: string;
	readonly serviceUrl?: string | undefined;
	/** The instance's GPUs, by the makers' identifiers, for an inside that also shows others. */
	readonly visibleGpus?: readonly string[];
};

export function instanceEnv(
	work: Work,
	publicAddress: string,
	surroundings: Surroundings = {},
): Readonly<Record<string, string>> {
	const {instance_id: id, env = [], api_key: key, label, gpu_ids = []} = work;
	const own = env.filter(([name]) => NAME.test(name));
	return {
		...languageOf(work),
		...(surroundings.visibleGpus !== undefined && onlyGpus(surroundings.visibleGpus)),
		...Object.fromEntries(own),
		CONTAINER_ID: String(id),
		CONTAINER_LABEL: label ?? `C.${id}`,
		VAST_CONTAINERLABEL: `C.${id}`,
		GPU_COUNT: String(gpu_ids.length),
		PUBLIC_IPADDR: publicAddress,
		SSH_PUBLIC_KEY: (work.public_keys ?? []).join('\n'),
		...portsOf(surroundings),
		...pathsOf(surroundings),
		...(work.jupyter_token !== undefined && {JUPYTER_TOKEN: work.jupyter_token}),
		...(typeof key === 'string' && {CONTAINER_API_KEY: key}),
	};
}

function onlyGpus(names: readonly string[]) {
	const ids = names.join(',');
	return {CUDA_DEVICE_ORDER: 'PCI_BUS_ID', CUDA_VISIBLE_DEVICES: ids, HIP_VISIBLE_DEVICES: ids};
}

/**
 * Language settings from the template's checkboxes; the instance's own variables override them.
 */
function languageOf({lang_utf8: lang = false, python_utf8: python = false}: Work) {
	return {...(lang && {LANG: 'C.UTF-8'}), ...(python && {PYTHONIOENCODING: 'UTF-8'})};
}

function pathsOf({dataFolder, serviceUrl}: Surroundings) {
	return {
		...(dataFolder !== undefined && {DATA_DIRECTORY: dataFolder}),
		...(serviceUrl !== undefined && {CONTAINER_API_URL: serviceUrl}),
	};
}

/** `VAST_TCP_PORT_22` and the like, which programs written for rented machines read. */
function portsOf({ports = new Map<string, number>()}: Surroundings) {
	return Object.fromEntries(
		[...ports].map(([inside, outside]) => {
			const [port = '', protocol = 'tcp'] = inside.split('/');
			return [`VAST_${protocol.toUpperCase()}_PORT_${port}`, String(outside)];
		}),
	);
}
