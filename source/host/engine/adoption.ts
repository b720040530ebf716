/** Finds the containers again that an earlier run of the host has left. */
import type {Work} from '../../contract/host-work.ts';
import {machineStart} from '../machine/processes.ts';
import {siteOf} from '../instance/site.ts';
import type {Held} from '../runtime.ts';
import {findContainer, listContainers} from './container-calls.ts';
import type {Found} from './container-calls.ts';
import {readContainerRecord} from './container-record.ts';
import {endOf} from './life.ts';
import {
	BOOT_LABEL,
	CONTAINER_LABEL,
	containerName,
	INSTANCE_LABEL,
	ownLabel,
	tellStatus,
} from './world.ts';
import type {World} from './world.ts';

/** Answers all that there is. What runs and is to run is gone on with. */
export async function adoptContainers(
	world: World,
	all: readonly Work[],
	goOn: (work: Work) => void,
): Promise<ReadonlyMap<number, Held>> {
	const works = new Map(all.map(work => [work.instance_id, work]));
	const held = new Map<number, Held>();
	for (const labels of await listContainers(world.engine, ownLabel(world))) {
		const id = Number(labels[INSTANCE_LABEL]);
		if (!Number.isSafeInteger(id) || id <= 0) continue;
		const found = await findContainer(world.engine, containerName(world, id));
		if (found === undefined) continue;
		const has = await heldOf(world, id, found);
		held.set(id, has);
		const work = works.get(id);
		if (work === undefined || !isAsWanted(has, work)) continue;
		if (found.isRunning) goOn(work);
		else await tellEnd(world, work, found);
	}
	return held;
}

async function heldOf(
	world: World,
	id: number,
	{labels, isRunning, wasStarted}: Found,
): Promise<Held> {
	const record = await readContainerRecord(siteOf(world.folder, id).record);
	const isOfNow = record?.machineStart === (await machineStart());
	return {
		boot: record?.boot ?? (Number(labels[BOOT_LABEL]) || 0),
		container: record?.container ?? (Number(labels[CONTAINER_LABEL]) || 0),
		// One that ended because the machine did is started again.
		isStarted: isRunning || (wasStarted && record?.isStarted === true && isOfNow),
	};
}

function isAsWanted(has: Held, {wanted, boot, container}: Work): boolean {
	return has.isStarted && wanted === 'running' && has.boot === boot && has.container === container;
}

async function tellEnd(world: World, work: Work, found: Found): Promise<void> {
	const {instance_id, boot} = work;
	await tellStatus(world, {instance_id, boot, status: 'exited', status_msg: endOf(found)});
}
