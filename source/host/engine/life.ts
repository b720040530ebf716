/** The life of one start of a container: it is brought up, watched, and told of until it ends. */
import type {Work} from '../../contract/host-work.ts';
import {messageOf, retryDelay} from '../retry.ts';
import {pause} from '../scheduler.ts';
import {machineStart} from '../machine/processes.ts';
import type {Door} from '../ssh/door.ts';
import {openInstanceDoor} from '../ssh/entrance.ts';
import {bringUp} from './bring-up.ts';
import {findContainer, waitForEnd} from './container-calls.ts';
import type {Found} from './container-calls.ts';
import {accessOf} from './container-ports.ts';
import {readContainerRecord, writeContainerRecord} from './container-record.ts';
import type {ContainerRecord, Traffic} from './container-record.ts';
import {containerRoom} from './container-room.ts';
import {EngineError} from './engine.ts';
import {devicesFor} from './container-gpus.ts';
import {CannotStart} from '../cannot-start.ts';
import {containerName, openSite, runningMessage, tellStatus} from './world.ts';
import type {World} from './world.ts';

export type Life = {
	work: Work;
	/** Ends all trying and watching. The container goes on until it is stopped. */
	readonly ending: AbortController;
	/** Fulfils when nothing more is done for it. */
	ended: Promise<void>;
	door: Door | undefined;
	/** The container while it runs. */
	running: Found | undefined;
	/** What went through its network in this start. */
	traffic: Traffic;
	/** What it has written, as it was measured last: that is not done each time. */
	diskBytes: number | undefined;
	/** What was last said to be wrong with its disk. */
	trouble: string | undefined;
};

/** Begins to bring a container up. What becomes of it is told. */
export function beginLife(world: World, work: Work): Life {
	const life: Life = {
		work,
		ending: new AbortController(),
		ended: Promise.resolve(),
		door: undefined,
		running: undefined,
		traffic: {up: 0, down: 0},
		diskBytes: undefined,
		trouble: undefined,
	};
	life.ended = live(world, life);
	return life;
}

/** Lets go of a container: whoever is inside is sent out, and what it runs goes on. */
export async function endLife(life: Life): Promise<void> {
	life.ending.abort();
	await life.ended;
}

async function live(world: World, life: Life): Promise<void> {
	const {signal} = life.ending;
	try {
		await rise(world, life);
		await watch(world, life);
	} catch (error) {
		if (!signal.aborted) await tell(world, life, 'failed', messageOf(error));
	} finally {
		life.running = undefined;
		await life.door?.close();
		life.door = undefined;
	}
}

/** Brings it up, trying again where that may be of use. */
async function rise(world: World, life: Life): Promise<void> {
	const {work, ending} = life;
	const {signal} = ending;
	for (let failures = 1; ; failures++) {
		try {
			const site = await openSite(world.folder, work.instance_id);
			const record = await recordOf(site.record, work);
			// Whoever is killed before it is started starts it again.
			await writeContainerRecord(site.record, record);
			const gpus = await devicesFor(world.machineGpus, work);
			const rising = {world, work, record, recordFile: site.record, gpus, signal};
			const found = await bringUp(rising);
			signal.throwIfAborted();
			await enter(world, life, found);
			return;
		} catch (error) {
			signal.throwIfAborted();
			if (isFinal(error)) throw error;
			await tell(
				world,
				life,
				'loading',
				`It could not be started, and is tried again: ${whyOf(error)}`,
			);
			await pause(world.scheduler, retryDelay(failures, world.random()), signal);
			signal.throwIfAborted();
		}
	}
}

/** What the engine's socket says is the provider's to know. */
function whyOf(error: unknown): string {
	const isAway = error instanceof EngineError && error.status === undefined;
	return isAway ? 'the container engine of the machine does not answer' : messageOf(error);
}

/** Whether it will not be otherwise the next time: engines say so with a status, ports come free. */
function isFinal(error: unknown): boolean {
	if (error instanceof CannotStart) return true;
	if (!(error instanceof EngineError) || error.status === undefined) return false;
	return !/in use|already allocated|is full|no space left|disappeared/i.test(error.message);
}

/** What is kept of an instance for this start of it. */
async function recordOf(file: string, work: Work): Promise<ContainerRecord> {
	const found = await readContainerRecord(file);
	const {boot, container} = work;
	// Of a container before this one, the instance's own key is all that goes on.
	const kept = found?.container === container ? found : nothingKept;
	return {...kept, boot, container, isStarted: false, apiKey: work.api_key ?? found?.apiKey};
}

const nothingKept = {
	machineStart: '',
	hostKey: '',
	doorPort: 0,
	ports: {},
	traffic: {up: 0, down: 0},
} as const;

/** Opens the door of what runs, the same as before where it had one, and tells where it is. */
async function enter(world: World, life: Life, found: Found): Promise<void> {
	const {engine, address} = world;
	const {work} = life;
	const site = await openSite(world.folder, work.instance_id);
	const record = await recordOf(site.record, work);
	const {id: container, address: inner, pid, seen} = found;
	const room = containerRoom({engine, container, address: inner, pid, seen});
	const {door, hostKey} = await openInstanceDoor({
		hostKey: record.hostKey,
		port: record.doorPort === 0 ? (record.ports['22/tcp'] ?? 0) : record.doorPort,
		address,
		inside: room,
		keys: work.public_keys ?? [],
	});
	life.door = door;
	door.admit(life.work.public_keys ?? []);
	await writeContainerRecord(site.record, {
		...record,
		hostKey,
		isStarted: true,
		machineStart: await machineStart(),
		doorPort: door.port,
	});
	life.running = found;
	if (life.ending.signal.aborted) return;
	const access = accessOf(work, {address, door: door.port, ports: record.ports});
	await tellStatus(world, {
		instance_id: work.instance_id,
		boot: work.boot,
		status: 'running',
		status_msg: runningMessage(work),
		access,
	});
}

/** Waits until it ends by itself, however often the engine is away meanwhile. */
async function watch(world: World, life: Life): Promise<void> {
	const {signal} = life.ending;
	const name = containerName(world, life.work.instance_id);
	for (let failures = 0; !signal.aborted;) {
		try {
			await waitForEnd(world.engine, name, signal);
			const found = await findContainer(world.engine, name);
			if (signal.aborted) return;
			if (found?.isRunning === true) continue;
			return await tell(world, life, 'exited', endOf(found));
		} catch (error) {
			if (signal.aborted) return;
			if (error instanceof EngineError && error.status === 404) {
				return tell(world, life, 'exited', endOf(undefined));
			}
			failures += 1;
			await pause(world.scheduler, retryDelay(failures, world.random()), signal);
		}
	}
}

export function endOf(found: Found | undefined): string {
	if (found === undefined) return 'Its container was removed on the machine.';
	if (found.ranOutOfMemory) return 'It used more memory than it has, and was ended.';
	const {exitCode} = found;
	return exitCode === undefined ? 'Its program ended.' : `Its program ended with code ${exitCode}.`;
}

async function tell(
	world: World,
	{work}: Life,
	status: 'loading' | 'exited' | 'failed',
	message: string,
): Promise<void> {
	const {instance_id, boot} = work;
	await tellStatus(world, {instance_id, boot, status, status_msg: message});
}
