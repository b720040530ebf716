/** Brings one container up: its image, itself, its start, and the door to it. */
import type {Work} from '../../contract/host-work.ts';
import {isSystemPath} from '../../contract/volume-wishes.ts';
import {CannotStart} from '../cannot-start.ts';
import {writeContainerRecord} from './container-record.ts';
import type {ContainerRecord} from './container-record.ts';
import {
	createContainer,
	createOwn,
	findContainer,
	initContainer,
	keepVolume,
	removeContainer,
	startContainer,
	stopContainer,
} from './container-calls.ts';
import type {Found} from './container-calls.ts';
import {planContainer} from './container-plan.ts';
import type {GpuDevices, PlanSurroundings} from './container-plan.ts';
import {choosePorts} from './container-ports.ts';
import {dockerBody} from './docker-body.ts';
import {EngineError} from './engine.ts';
import {checkGpus} from './container-gpus.ts';
import {obtainImage} from './images.ts';
import {openFiles} from './limits.ts';
import {keepNetwork} from './networks.ts';
import {podmanBody} from './podman-body.ts';
import {publicNameServers, raiseWalls} from './walls.ts';
import {
	BOOT_LABEL,
	CONTAINER_LABEL,
	containerName,
	INSTANCE_LABEL,
	labelsOf,
	ownVolumes,
	tellStatus,
	volumeName,
} from './world.ts';
import type {World} from './world.ts';

export type Rising = {
	readonly world: World;
	readonly work: Work;
	readonly record: ContainerRecord;
	readonly recordFile: string;
	readonly gpus: GpuDevices;
	readonly signal: AbortSignal;
};

/** Has the instance's container run. What it was made with is kept before it starts. */
export async function bringUp(rising: Rising): Promise<Found> {
	const {world, work, signal} = rising;
	const {engine} = world;
	const name = containerName(world, work.instance_id);
	let found = await findContainer(engine, name);
	if (found?.wasStarted === false) {
		// It may be that it cannot ever start as it is, as where somebody has taken its ports.
		await removeContainer(engine, name);
		found = undefined;
	}
	await keepNetwork(engine, name, ownLabels(rising));
	if (found === undefined) await make(rising, name);
	signal.throwIfAborted();
	if (found?.isRunning === true) {
		// What the machine's addresses are may have changed since.
		await wallIn(world, name);
	} else {
		await say(rising, 'Starting container');
		await startBehindWalls(world, name);
	}
	const running = await findContainer(engine, name);
	if (running === undefined) throw new EngineError('its container has disappeared', 404);
	await confirmGpus(rising, running);
	return running;
}

/** One that has other GPUs than it rents is stopped, before anybody is told that it runs. */
async function confirmGpus({world: {engine}, gpus}: Rising, running: Found): Promise<void> {
	try {
		await checkGpus(engine, running, gpus);
	} catch (error) {
		await stopContainer(engine, running.id);
		throw error;
	}
}

/** Docker makes a network and runs what is in it at once: there, walls stand a moment later. */
async function startBehindWalls(world: World, name: string): Promise<void> {
	const {engine} = world;
	if (engine.isPodman) {
		const isReady = (await findContainer(engine, name))?.pid !== undefined;
		if (!isReady) await initContainer(engine, name);
		await wallIn(world, name);
		await startContainer(engine, name);
		return;
	}
	await startContainer(engine, name);
	try {
		await wallIn(world, name);
	} catch (error) {
		await stopContainer(engine, name);
		throw error;
	}
}

async function wallIn({engine, hasWalls, address, serviceUrl}: World, name: string) {
	if (!hasWalls) return;
	const pid = (await findContainer(engine, name))?.pid;
	// What has ended already reaches nobody.
	if (pid !== undefined) await raiseWalls(pid, {addresses: [address], serviceUrl});
}

async function make(rising: Rising, name: string): Promise<void> {
	const {world, work, record, recordFile, signal} = rising;
	const image = await obtainImage(world.engine, {
		image: work.image ?? '',
		login: work.image_login ?? '',
		allowsLocal: world.allowsLocalImages,
		folder: world.folder,
		log: words => world.log(`Instance ${work.instance_id}: ${words}`),
		onProgress: message => void say(rising, message),
		signal,
		scheduler: world.scheduler,
		random: world.random,
	});
	await say(rising, 'Creating container');
	const ports = await choosePorts(work, image.ports);
	await writeContainerRecord(recordFile, {...record, ports});
	const volumes = await prepareVolumes(world, work);
	const surroundings = await surroundingsOf(rising, name);
	const mostFiles = await openFiles();
	const create = async (limitsDisk: boolean) => {
		const plan = planContainer(
			{...work, image: image.name, api_key: record.apiKey ?? null},
			{...surroundings, volumes, ports: new Map(Object.entries(ports)), limitsDisk},
		);
		if (world.engine.isPodman) await createOwn(world.engine, podmanBody(name, plan, mostFiles));
		else await createContainer(world.engine, name, dockerBody(plan));
	};
	signal.throwIfAborted();
	await create(world.limitsDisk).catch(async (error: unknown) => {
		// Few file systems can: what is written is measured nevertheless.
		if (!world.limitsDisk || !isAboutDisk(error)) throw asKnown(world, error);
		await create(false).catch((other: unknown) => {
			throw asKnown(world, other);
		});
	});
}

/** Podman knows GPUs by what is written in specifications of devices: that may be their numbers alone. */
function asKnown({log}: World, error: unknown): unknown {
	if (!(error instanceof EngineError) || !/unresolvable CDI/i.test(error.message)) return error;
	log(
		`${error.message}. Podman knows GPUs by what nvidia-ctk cdi generate wrote: have it write UUIDs.`,
	);
	return new CannotStart("The machine's engine does not know its GPUs by their names");
}

function isAboutDisk(error: unknown): boolean {
	return error instanceof EngineError && /storage.?opt|quota|size/i.test(error.message);
}

type Surroundings = Omit<PlanSurroundings, 'volumes' | 'ports' | 'limitsDisk'>;

async function surroundingsOf(rising: Rising, name: string): Promise<Surroundings> {
	const {address, serviceUrl, machine, limits} = rising.world;
	return {
		gpus: rising.gpus,
		address,
		serviceUrl,
		machine,
		limits,
		labels: {
			...ownLabels(rising),
			[CONTAINER_LABEL]: String(rising.work.container),
			[BOOT_LABEL]: String(rising.work.boot),
		},
		network: name,
		nameServers: await publicNameServers(),
	};
}

/** All that is made for an instance is found by them. */
function ownLabels({world, work}: Rising): Readonly<Record<string, string>> {
	return {...labelsOf(world), [INSTANCE_LABEL]: String(work.instance_id)};
}

async function prepareVolumes(world: World, work: Work) {
	const own = ownVolumes(world, work.instance_id);
	for (const {name} of own) await keepVolume(world.engine, name, labelsOf(world));
	const odd = (work.mounts ?? []).find(mount => isSystemPath(mount.mount_path));
	if (odd !== undefined) {
		throw new CannotStart(
			`No volume is mounted at ${odd.mount_path}, which belongs to the system: take a path such as /data`,
		);
	}
	const rented = (work.mounts ?? []).map(mount => ({
		name: volumeName(world, mount.volume_id),
		path: mount.mount_path,
	}));
	for (const {name} of rented) await keepVolume(world.engine, name, labelsOf(world));
	// Where a volume is mounted at the place of an own one, that is the one that is meant.
	const taken = new Set(rented.map(({path}) => path.replace(/(?<!\/)\/+$/, '')));
	return [...own.filter(({path}) => !taken.has(path)), ...rented];
}

async function say({world, work}: Rising, message: string): Promise<void> {
	const {instance_id, boot} = work;
	await tellStatus(world, {instance_id, boot, status: 'loading', status_msg: message});
}
