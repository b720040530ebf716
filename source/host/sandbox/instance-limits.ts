/** Limits that this machine can set on its instances. */
import {createHash} from 'node:crypto';
import type {Work} from '../../contract/nouns/host-work.ts';
import {BOUNDABLE} from '../../contract/rules/isolation.ts';
import {openControlGroups, type ControlGroups} from './control-groups.ts';
import {canMakeDisks} from './disk-images.ts';
import {rentedShare, sharedMachine, type Shared} from './rented-share.ts';

export type InstanceLimits = {
	readonly groups: ControlGroups;
	readonly machine: Shared;
	/** Instances and volumes have disks of their own. */
	readonly hasDisks: boolean;
};

/** @param folder Where instances are kept: it must exist. */
export async function findInstanceLimits(folder: string, gpus: number): Promise<InstanceLimits> {
	const [groups, hasDisks] = await Promise.all([openControlGroups(), canMakeDisks(folder)]);
	return {groups, machine: sharedMachine(gpus), hasDisks};
}

/** Limits that are missing here. */
export function missingLimits({groups: {limits}, hasDisks}: InstanceLimits): readonly string[] {
	return BOUNDABLE.filter(one => (one === 'disk' ? !hasDisks : !limits.includes(one)));
}

/** Makes the control groups of an instance, with the limits of what it has rented. */
export async function makeGroups(
	{groups, machine}: InstanceLimits,
	folder: string,
	work: Work,
): Promise<readonly string[]> {
	return groups.make(groupName(folder, work.instance_id), rentedShare(machine, work));
}

/** Folders of an instance's control groups, existing or not. */
export function groupFolders(
	{groups}: InstanceLimits,
	folder: string,
	instanceId: number,
): readonly string[] {
	return groups.folders(groupName(folder, instanceId));
}

/** Several agents may have instances of one number, each in a folder of its own. */
function groupName(folder: string, instanceId: number): string {
	return `${createHash('sha256').update(folder).digest('hex').slice(0, 12)}-${instanceId}`;
}
