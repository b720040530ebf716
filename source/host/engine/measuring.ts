/** Measures what containers use, and tells it. */
import {siteOf} from '../instance/site.ts';
import {freeBytes, sizeOf} from '../machine/trees.ts';
import {diskTrouble, gpuUsage} from '../instance/usage.ts';
import type {GpuLoad} from '../machine/nvidia.ts';
import {findContainer} from './container-calls.ts';
import {readContainerRecord, writeContainerRecord} from './container-record.ts';
import type {Traffic} from './container-record.ts';
import {diskUsage, trafficOf, usageOf} from './container-usage.ts';
import type {Life} from './life.ts';
import {containerName, ownVolumes, runningMessage, tellStatus} from './world.ts';
import type {World} from './world.ts';

/** What GPUs do, by their number. */
export type Loads = ReadonlyMap<number, GpuLoad>;

/** Tells what one uses that runs. Its disk takes long to measure, and is not asked for each time. */
export async function measure(
	world: World,
	life: Life,
	{withDisk, loads}: {readonly withDisk: boolean; readonly loads: Loads},
): Promise<void> {
	const {work, running} = life;
	if (running === undefined) return;
	const stats = await statsOf(world, running.id);
	if (stats !== undefined) life.traffic = trafficOf(stats);
	const disk = withDisk ? await diskOf(world, life) : undefined;
	if (life.running !== running) return;
	life.diskBytes = disk?.bytes ?? life.diskBytes;
	const record = await readContainerRecord(siteOf(world.folder, work.instance_id).record);
	world.tell({
		instance_id: work.instance_id,
		boot: work.boot,
		usage: {
			...usageOf(stats),
			...gpuUsage((work.gpu_ids ?? []).flatMap(id => loads.get(id) ?? [])),
			...(life.diskBytes !== undefined && diskUsage(life.diskBytes, work.disk)),
		},
		...(stats !== undefined && {traffic: together(record?.traffic, life.traffic)}),
	});
	if (disk !== undefined) await tellTrouble(world, life, disk);
}

/** Engines begin to count anew with each start: what was counted in this one is kept. */
export async function keepTraffic(world: World, life: Life): Promise<void> {
	const file = siteOf(world.folder, life.work.instance_id).record;
	const record = await readContainerRecord(file);
	if (record === undefined) return;
	await writeContainerRecord(file, {...record, traffic: together(record.traffic, life.traffic)});
	life.traffic = {up: 0, down: 0};
}

function together(one: Traffic | undefined, other: Traffic): Traffic {
	return {up: (one?.up ?? 0) + other.up, down: (one?.down ?? 0) + other.down};
}

/** Undefined where the engine cannot tell, as one without control groups. */
async function statsOf({engine}: World, id: string): Promise<unknown> {
	const query = {stream: 'false'};
	const question = {method: 'GET', path: `/containers/${id}/stats`, query} as const;
	return engine.ask(question).catch(() => undefined);
}

type Disk = {
	/** What it has written: to its own disk, and to the volumes that are its own. */
	readonly bytes: number;
	/** What can still be written there; undefined where the engine keeps it on another machine. */
	readonly free: number | undefined;
};

async function diskOf(world: World, {work}: Life): Promise<Disk | undefined> {
	const name = containerName(world, work.instance_id);
	const found = await findContainer(world.engine, name, {withSize: true}).catch(() => undefined);
	if (found?.writtenBytes === undefined) return undefined;
	const paths = new Set(ownVolumes(world, work.instance_id).map(({path}) => path));
	const folders = found.seen.filter(({path}) => paths.has(path)).map(({folder}) => folder);
	const [first] = folders;
	if (first === undefined) return {bytes: found.writtenBytes, free: undefined};
	const bytes = await sizeOf(folders);
	if (bytes === undefined) return undefined;
	const free = await freeBytes(first).catch(() => undefined);
	return {bytes: found.writtenBytes + bytes, free};
}

/** Tells what is wrong with its disk when that changes, and when all is well again. */
async function tellTrouble(world: World, life: Life, {bytes, free}: Disk): Promise<void> {
	const {instance_id, boot, disk: diskRented = 0} = life.work;
	const trouble = diskTrouble(free ?? Infinity, {diskBytes: bytes, diskRented});
	if (trouble === life.trouble) return;
	life.trouble = trouble;
	const status_msg = trouble ?? runningMessage(life.work);
	await tellStatus(world, {instance_id, boot, status: 'running', status_msg});
}
