/** Takes up what an earlier agent has left, however that ended. */
import {existsSync} from 'node:fs';
import type {Work} from '../../contract/host-work.ts';
import {makeGroups} from './bounding.ts';
import type {Held} from '../runtime.ts';
import {endFamily} from './ending.ts';
import {keep} from '../instance/instance.ts';
import type {Around, Instance} from '../instance/instance.ts';
import {isRunning, machineStart} from '../machine/processes.ts';
import {makeSite} from '../instance/site.ts';
import {resumeInstance} from './starting.ts';
import {endingOf} from './watch.ts';
import {readCode} from './workload.ts';

/** What there is of it, once what is left over has ended. What is wanted as it is goes on. */
export async function adoptInstance(
	around: Around,
	instance: Instance,
	wanted: Work | undefined,
): Promise<Held> {
	const {record} = instance;
	const {boot, container} = record;
	instance.work = wanted;
	await reopen(around, instance);
	if (!record.isStarted) {
		await endFamily(record, 0);
		return {boot, container, isStarted: false};
	}
	if (await goesOn(instance)) {
		if (isAsWanted(instance, wanted)) await resumeInstance(around, instance, wanted);
		return {boot, container, isStarted: true};
	}
	await endFamily(record, 0);
	const code = await readCode(instance.site);
	const isSameStart = record.machineStart === (await machineStart());
	if (code !== undefined && isSameStart) {
		if (isAsWanted(instance, wanted)) sayEnded(around, wanted, code);
		return {boot, container, isStarted: true};
	}
	// The machine was started anew, or somebody killed it while nobody looked: it begins again.
	await keep(instance, {isStarted: false, root: undefined});
	return {boot, container, isStarted: false};
}

/** What the machine's last start has taken away: what is mounted, and the groups that limit. */
async function reopen({bounding, folder}: Around, instance: Instance): Promise<void> {
	const {site, work} = instance;
	if (existsSync(site.disk.image)) await makeSite(site, undefined);
	const groups =
		bounding === undefined || work === undefined
			? instance.record.groups.filter(group => existsSync(group))
			: await makeGroups(bounding, folder, work);
	await keep(instance, {groups});
}

async function goesOn({record: {root, network}}: Instance): Promise<boolean> {
	const all = [root, ...(network === undefined ? [] : [network.holder, network.way])];
	const runs = all.map(async one => one !== undefined && isRunning(one));
	return (await Promise.all(runs)).every(Boolean);
}

function isAsWanted({record}: Instance, wanted: Work | undefined): wanted is Work {
	return (
		wanted?.wanted === 'running' &&
		wanted.boot === record.boot &&
		wanted.container === record.container
	);
}

function sayEnded({tell}: Around, {instance_id, boot}: Work, code: number): void {
	tell({instance_id, boot, status: 'exited', status_msg: endingOf(code)});
}
