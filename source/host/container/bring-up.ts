/** Brings one container up: its image, itself, its start, and the door to it. */
import type {Work} from '../../contract/host-work.ts';
import {totalmem} from 'node:os';
import {isSystemPath} from '../../contract/volume-wishes.ts';
import {CannotStart} from './cannot-start.ts';
import {writeContainerRecord} from './container-record.ts';
import type {ContainerRecord} from './container-record.ts';
import {
	createContainer,
	findContainer,
	keepVolume,
	removeContainer,
	startContainer,
} from './container-calls.ts';
import type {Found} from './container-calls.ts';
import {planContainer} from './container-plan.ts';
import {choosePorts} from './container-ports.ts';
import {EngineError} from './engine.ts';
import {obtainImage} from './images.ts';
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
	if (found === undefined) await make(rising, name);
	signal.throwIfAborted();
	if (found?.isRunning !== true) {
		await say(rising, 'Starting container');
		await startContainer(engine, name);
	}
	const running = await findContainer(engine, name);
	if (running === undefined) throw new EngineError('its container has disappeared', 404);
	return running;
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
	const create = async (limitsDisk: boolean) => {
		const body = planContainer(
			{...work, image: image.name, api_key: record.apiKey ?? null},
			{...surroundingsOf(world, work), volumes, ports: new Map(Object.entries(ports)), limitsDisk},
		);
		await createContainer(world.engine, name, body);
	};
	signal.throwIfAborted();
	await create(world.limitsDisk).catch(async (error: unknown) => {
		// Few file systems can: what is written is measured nevertheless.
		if (!world.limitsDisk || !isAboutDisk(error)) throw error;
		await create(false);
	});
}

function isAboutDisk(error: unknown): boolean {
	return error instanceof EngineError && /storage.?opt|quota|size/i.test(error.message);
}

function surroundingsOf(world: World, work: Work) {
	const {engine, gpus, address, serviceUrl} = world;
	return {
		isPodman: engine.isPodman,
		gpus,
		address,
		serviceUrl,
		labels: {
			...labelsOf(world),
			[INSTANCE_LABEL]: String(work.instance_id),
			[CONTAINER_LABEL]: String(work.container),
			[BOOT_LABEL]: String(work.boot),
		},
		sharedMemoryBytes: Math.floor(totalmem() / 2),
	};
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
