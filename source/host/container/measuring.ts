/** Measures what containers use, and tells it. */
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import {siteOf} from '../local/site.ts';
import {findContainer} from './container-calls.ts';
import {readContainerRecord, writeContainerRecord} from './container-record.ts';
import type {Traffic} from './container-record.ts';
import {diskUsage, trafficOf, usageOf} from './container-usage.ts';
import type {Life} from './life.ts';
import {containerName, ownVolumes} from './world.ts';
import type {World} from './world.ts';

const run = promisify(execFile);

/** How long may be counted: folders can have millions of files. */
const COUNTING_MS = 5000;
const KILOBYTE = 1024;

/** Tells what one uses that runs. Its disk takes long to measure, and is not asked for each time. */
export async function measure(world: World, life: Life, withDisk: boolean): Promise<void> {
	const {work, running} = life;
	if (running === undefined) return;
	const stats = await statsOf(world, running.id);
	if (stats !== undefined) life.traffic = trafficOf(stats);
	const disk = withDisk ? await diskOf(world, life) : undefined;
	if (life.running !== running) return;
	const record = await readContainerRecord(siteOf(world.folder, work.instance_id).record);
	world.tell({
		instance_id: work.instance_id,
		boot: work.boot,
		usage: {
			...usageOf(stats),
			...(disk !== undefined && diskUsage(disk, work.disk)),
		},
		...(stats !== undefined && {traffic: together(record?.traffic, life.traffic)}),
	});
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

/** What it has written: to its own disk, and to the volumes that are its own. */
async function diskOf(world: World, {work}: Life): Promise<number | undefined> {
	const name = containerName(world, work.instance_id);
	const found = await findContainer(world.engine, name, {withSize: true}).catch(() => undefined);
	if (found?.writtenBytes === undefined) return undefined;
	const paths = new Set(ownVolumes(world, work.instance_id).map(({path}) => path));
	const folders = found.seen.filter(({path}) => paths.has(path)).map(({folder}) => folder);
	const bytes = folders.length === 0 ? 0 : await sizeOf(folders);
	return bytes === undefined ? undefined : found.writtenBytes + bytes;
}

async function sizeOf(folders: readonly string[]): Promise<number | undefined> {
	try {
		const {stdout} = await run('du', ['-skx', '--', ...folders], {timeout: COUNTING_MS});
		const sizes = stdout.split('\n').map(line => Number.parseInt(line, 10));
		return sizes.filter(Number.isFinite).reduce((sum, size) => sum + size, 0) * KILOBYTE;
	} catch {
		return undefined;
	}
}
