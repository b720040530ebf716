/** Starts an instance, or takes up one that runs. */
import type {Work} from '../../contract/host-work.ts';
import {makeGroups, unbounded} from './bounding.ts';
import {CannotStart} from '../cannot-start.ts';
import {messageOf} from '../retry.ts';
import type {Inside, Room} from './room.ts';
import {openInstanceDoor} from '../ssh/entrance.ts';
import {endFamily} from './ending.ts';
import {checkRoomGpus, givenGpus} from './gpus.ts';
import {keep} from '../instance/instance.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {isSandbox, linkMounts, roomOf} from './instance-room.ts';
import {note} from '../instance/log-files.ts';
import {openPorts, reopenPorts} from './instance-network.ts';
import {accessThrough} from '../instance/ports.ts';
import {machineStart} from '../machine/processes.ts';
import {makeSite} from '../instance/site.ts';
import {watchEnd} from './watch.ts';
import {commandOf, findFirstInside, startWorkload} from './workload.ts';

/** Starts it, and has its end told. */
export async function startInstance(around: Around, instance: Instance, work: Work): Promise<void> {
	try {
		await start(around, instance, work);
	} catch (error) {
		if (!(error instanceof CannotStart)) throw error;
		await note(instance.site, `C.${work.instance_id}: ${error.message}`);
		sayFailed(around, work, error.message);
	}
}

async function start(around: Around, instance: Instance, work: Work): Promise<void> {
	const {site, record} = instance;
	const {instance_id: id, boot, container} = work;
	instance.work = work;
	// What is left of a start that was broken off.
	await endFamily(record, 0);
	await makeSite(site, diskOf(around, work));
	await linkMounts(around, instance);
	await keep(instance, {
		boot,
		container,
		isStarted: true,
		root: undefined,
		machineStart: await machineStart(),
		network: undefined,
		apiKey: work.api_key ?? record.apiKey,
	});
	await keep(instance, {groups: await groupsOf(around, work)});
	await note(site, `C.${id}: start requested`);
	instance.gpus = await givenGpus(around.gpus, work);
	await checkRoomGpus(around.gpus, await roomOf(around, instance), work);
	await openPorts(around, instance, work);
	const command = commandOf(work, instance.network === undefined);
	if (command === undefined) return sayNothingToRun(around, instance, work);
	await openDoor(around, instance, work);
	await runWorkload(around, instance, command);
	sayRunning(around, instance, work);
}

const GB = 1e9;

function diskOf({bounding}: Around, {disk = 0}: Work): number | undefined {
	return bounding?.hasDisks === true && disk > 0 ? disk * GB : undefined;
}

/** The control groups that limit it to what it has rented. */
async function groupsOf({bounding, folder}: Around, work: Work): Promise<readonly string[]> {
	return bounding === undefined ? [] : makeGroups(bounding, folder, work);
}

/** Nobody has pulled the image, which alone knows what it would run by itself. */
async function sayNothingToRun(around: Around, {site}: Instance, work: Work): Promise<void> {
	const {instance_id, image = ''} = work;
	const status_msg = `Images are not pulled on this machine, so nobody knows what ${image} runs by itself: name a program with args.`;
	await note(site, `C.${instance_id}: ${status_msg}`);
	sayFailed(around, work, status_msg);
}

export function sayFailed({tell}: Around, {instance_id, boot}: Work, status_msg: string): void {
	tell({instance_id, boot, status: 'failed', status_msg});
}

async function runWorkload(around: Around, instance: Instance, command: string): Promise<void> {
	const room = await roomOf(around, instance);
	const {root, exited} = await startWorkload(room, command, instance.site);
	await keep(instance, {root});
	await enter(around, instance, room);
	watchEnd(around, instance, exited);
}

/** From now on, who enters comes to where its workload runs. */
async function enter(around: Around, instance: Instance, room: Room): Promise<void> {
	const {root} = instance.record;
	const isApart = room.isolation === 'sandbox' && root !== undefined;
	const first = isApart ? await findFirstInside(root) : undefined;
	instance.room = first === undefined ? room : await roomOf(around, instance, first);
}

/** Takes up one that runs on from an earlier agent. */
export async function resumeInstance(
	around: Around,
	instance: Instance,
	given: Work,
): Promise<void> {
	const work = {...given, api_key: given.api_key ?? instance.record.apiKey};
	instance.work = work;
	try {
		instance.gpus = await givenGpus(around.gpus, work);
	} catch (error) {
		if (error instanceof CannotStart) return sayFailed(around, work, error.message);
		// A tool that is busy says nothing of GPUs, which it has since its start.
		await note(instance.site, `C.${work.instance_id}: ${messageOf(error)}`);
	}
	await reopenPorts(around, instance);
	await openDoor(around, instance, work);
	await enter(around, instance, await roomOf(around, instance));
	watchEnd(around, instance);
	sayRunning(around, instance, work);
}

async function openDoor(around: Around, instance: Instance, work: Work): Promise<void> {
	if (work.launch?.mode === 'args') return;
	const room = await roomOf(around, instance);
	// It is opened before there is something inside, which has to know its port.
	const inside: Inside = {
		...room,
		start: async (command, beginning) => (instance.room ?? room).start(command, beginning),
	};
	const {hostKey, port} = instance.record;
	const keys = work.public_keys ?? [];
	const opened = await openInstanceDoor({hostKey, port, address: around.address, inside, keys});
	instance.door = opened.door;
	await keep(instance, {hostKey: opened.hostKey, port: opened.door.port});
}

function sayRunning(around: Around, {record, door}: Instance, work: Work): void {
	const {instance_id, boot} = work;
	around.tell({
		instance_id,
		boot,
		status: 'running',
		status_msg: runningMessage(around, work),
		...(door !== undefined && {access: accessThrough(around.address, door.port, record.ports)}),
	});
}

/** What whoever rents must know of what runs. */
export function runningMessage({makeRoom, bounding}: Around, {image = ''}: Work): string {
	const how = isSandbox(makeRoom) ? 'in a sandbox' : 'without isolation';
	const lacking = bounding === undefined ? [] : unbounded(bounding);
	const limits = lacking.length === 0 ? '' : ` without limits for ${lacking.join(', ')}`;
	return `success, running ${how}${limits}: image ${image} is not pulled, this machine's own programs run`;
}
