/** Brings a container up: pulls its image, makes it, sets its firewall and starts it. */
import type {Work} from '../../contract/nouns/host-work.ts';
import {isSystemPath} from '../../contract/nouns/volume-search.ts';
import {CannotStart} from '../base/retry.ts';
import {type Starting, keep} from '../instance/instance.ts';
import {
	createContainer,
	createOwn,
	findContainer,
	initContainer,
	keepVolume,
	removeContainer,
	startContainer,
	stopContainer,
	type FoundContainer,
	ensureNetwork,
} from './container-calls.ts';
import {
	planContainer,
	type GpuDevices,
	type PlanSurroundings,
	dockerBody,
	podmanBody,
} from './container-plan.ts';
import {choosePorts} from '../instance/ports.ts';
import {EngineError} from './engine.ts';
import {makePipesFolder} from './exec-pipes.ts';
import {checkGpus} from './container-gpus.ts';
import {obtainImage} from './images.ts';
import {openFiles, publicNameServers, setFirewall} from './isolation-support.ts';
import {
	BOOT_LABEL,
	CONTAINER_LABEL,
	containerName,
	INSTANCE_LABEL,
	hostLabelsOf,
	ownVolumes,
	engineVolumeName,
	type EngineSetup,
} from './setup.ts';

type BringingUp = {
	readonly setup: EngineSetup;
	readonly starting: Starting;
	readonly gpus: GpuDevices;
};

/** Starts the instance's container, recreated if needed. The record is written before the start. */
export async function bringUp(up: BringingUp): Promise<FoundContainer> {
	const {setup, starting} = up;
	const {work, signal, say} = starting;
	const {engine} = setup;
	const name = containerName(setup, work.instance_id);
	let found = await findContainer(engine, name);
	if (found?.wasStarted === false) {
		// A container that was never started may be unable to, for example because its ports are taken.
		await removeContainer(engine, name);
		found = undefined;
	}
	await ensureNetwork(engine, name, ownLabels(up));
	const pipes = await makePipesFolder(starting.instance.site.own);
	if (found === undefined) await make(up, name, pipes);
	signal.throwIfAborted();
	if (found?.isRunning === true) {
		// The machine's addresses may have changed since.
		await closeNetwork(setup, name);
	} else {
		await say('Starting container');
		await startIsolated(setup, name);
	}
	const running = await findContainer(engine, name);
	if (running === undefined) throw new EngineError('its container has disappeared', 404);
	try {
		await checkGpus(engine, running, up.gpus);
	} catch (error) {
		// It has other GPUs than the rented ones, and must not be reported as running.
		await stopContainer(engine, running.id);
		throw error;
	}
	return running;
}

async function startIsolated(setup: EngineSetup, name: string): Promise<void> {
	const {engine} = setup;
	if (engine.isPodman) {
		const isReady = (await findContainer(engine, name))?.pid !== undefined;
		if (!isReady) await initContainer(engine, name);
		await closeNetwork(setup, name);
		await startContainer(engine, name);
		return;
	}
	await startContainer(engine, name);
	try {
		await closeNetwork(setup, name);
	} catch (error) {
		await stopContainer(engine, name);
		throw error;
	}
}

async function closeNetwork(
	{engine, means, address, listen, serviceUrl}: EngineSetup,
	name: string,
) {
	if (!means.hasFirewall) return;
	const pid = (await findContainer(engine, name))?.pid;
	// A container that has ended needs no firewall.
	if (pid !== undefined) await setFirewall(pid, {addresses: [address, listen], serviceUrl});
}

async function make(up: BringingUp, name: string, pipes: string): Promise<void> {
	const {setup, starting} = up;
	const {instance, work, signal, say} = starting;
	const image = await obtainImage(setup.engine, {
		...setup,
		image: work.image ?? '',
		login: work.image_login ?? '',
		allowsLocal: setup.allowsLocalImages,
		log: text => setup.log(`Instance ${work.instance_id}: ${text}`),
		onProgress: message => void say(message),
		signal,
	});
	await say('Creating container');
	const ports = await choosePorts(work, image.ports, starting.freePort);
	await keep(instance, {ports});
	const volumes = await prepareVolumes(setup, work);
	const {address, listen, serviceUrl, machine, means} = setup;
	const surroundings = {
		gpus: up.gpus,
		address,
		listen,
		serviceUrl,
		machine,
		limits: means.limits,
		labels: {
			...ownLabels(up),
			[CONTAINER_LABEL]: String(work.container),
			[BOOT_LABEL]: String(work.boot),
		},
		network: name,
		nameServers: await publicNameServers(),
	};
	const mostFiles = await openFiles();
	let left: Pick<PlanSurroundings, 'limitsDisk' | 'pipes'> = {
		limitsDisk: setup.limitsDisk,
		pipes: [pipes],
	};
	for (;;) {
		signal.throwIfAborted();
		const plan = planContainer(
			{...work, image: image.name},
			{...surroundings, ...left, volumes, ports: new Map(ports)},
		);
		try {
			if (setup.engine.isPodman) await createOwn(setup.engine, podmanBody(name, plan, mostFiles));
			else await createContainer(setup.engine, name, dockerBody(plan));
			return;
		} catch (error) {
			// Few file systems can limit a container's disk; usage is measured in any case.
			if (left.limitsDisk && isAboutDisk(error)) left = {...left, limitsDisk: false};
			// The engine does not see this machine's files.
			else if (left.pipes.some(folder => isAboutFolder(error, folder))) left = {...left, pipes: []};
			else throw asKnown(setup, error);
		}
	}
}

/** Explains Podman's error for GPUs that the machine's CDI specification lists only by number. */
function asKnown({log}: EngineSetup, error: unknown): unknown {
	if (!(error instanceof EngineError) || !/unresolvable CDI/i.test(error.message)) return error;
	log(
		`${error.message}. Podman knows GPUs by what nvidia-ctk cdi generate wrote: have it write UUIDs.`,
	);
	return new CannotStart("The machine's engine does not know its GPUs by their names");
}

function isAboutDisk(error: unknown): boolean {
	return error instanceof EngineError && /storage.?opt|quota|size/i.test(error.message);
}

function isAboutFolder(error: unknown, folder: string): boolean {
	return error instanceof EngineError && error.message.includes(folder);
}

/** Labels by which all objects of an instance are found. */
function ownLabels({setup, starting: {work}}: BringingUp): Readonly<Record<string, string>> {
	return {...hostLabelsOf(setup), [INSTANCE_LABEL]: String(work.instance_id)};
}

async function prepareVolumes(setup: EngineSetup, work: Work) {
	const own = ownVolumes(setup, work.instance_id);
	for (const {name} of own) await keepVolume(setup.engine, name, hostLabelsOf(setup));
	const odd = (work.mounts ?? []).find(mount => isSystemPath(mount.mount_path));
	if (odd !== undefined) {
		throw new CannotStart(
			`No volume is mounted at ${odd.mount_path}, which belongs to the system: take a path such as /data`,
		);
	}
	const rented = (work.mounts ?? []).map(mount => ({
		name: engineVolumeName(setup, mount.volume_id),
		path: mount.mount_path,
	}));
	for (const {name} of rented) await keepVolume(setup.engine, name, hostLabelsOf(setup));
	// A rented volume replaces the instance's own volume at the same path.
	const taken = new Set(rented.map(({path}) => path.replace(/(?<!\/)\/+$/, '')));
	return [...own.filter(({path}) => !taken.has(path)), ...rented];
}
