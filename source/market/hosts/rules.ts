/** Work orders as hosts read them. */
import {lastOfEach, type Env} from '../../contract/rules/env.ts';
import {
	sshPortOf,
	type HostTask,
	type VolumeWork,
	type Work,
} from '../../contract/nouns/host-work.ts';
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import type {InstanceRow, VolumeRow} from '../database/instance-tables.ts';
import {readInstanceSettings} from '../lifecycle/instance-rules.ts';

export type InstanceWork = {
	readonly row: InstanceRow;
	readonly wanted: Work['wanted'];
	readonly machineGpus: number;
	/** Variables of the renter's account, which the instance's own override. */
	readonly secrets: Env;
	readonly publicKeys: readonly string[];
	readonly mounts: ReadonlyArray<{
		readonly volume_id: number;
		readonly path: string;
		readonly size_gb: number;
		readonly serial: string | null;
	}>;
};

/** An order to remove it has no further fields. */
export function workOf({
	row,
	wanted,
	machineGpus,
	secrets,
	publicKeys,
	mounts,
}: InstanceWork): Work {
	const {id, machine_id, boot, container} = row;
	const common = {instance_id: id, machine_id, wanted, boot, container};
	if (wanted === 'gone') return common;
	const {extra_filters: _, force: __, env, args, ...settings} = readInstanceSettings(row.settings);
	return {
		...common,
		...settings,
		...serialOf(row),
		label: row.label,
		image: row.image,
		env: lastOfEach([...secrets, ...env]).map(([name, value]): [string, string] => [name, value]),
		args: [...args],
		api_key: row.handover,
		disk: row.disk_gb,
		gpu_ids: machineGpus === 0 ? [] : [...gpuIndexesOfMask(row.gpu_mask)],
		ssh_port: sshPortOf(row.id),
		public_keys: [...publicKeys],
		mounts: mounts.map(({volume_id, path, size_gb, ...mount}) => ({
			volume_id,
			mount_path: path,
			size: size_gb,
			...serialOf(mount),
		})),
	};
}

export function volumeWorkOf({
	id,
	machine_id,
	destroyed_at,
	size_gb,
	...row
}: VolumeRow): VolumeWork {
	const wanted = destroyed_at === null ? 'kept' : 'gone';
	return {volume_id: id, machine_id, wanted, size: size_gb, ...serialOf(row)};
}

export function serialOf({serial}: {readonly serial: string | null}): {readonly serial?: string} {
	return serial === null ? {} : {serial};
}

type AskedTask = {readonly id: number; readonly instance_id: number; readonly request: string};

export function taskOf({id, instance_id, request}: AskedTask): HostTask {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `printTask` wrote it
	return {...(JSON.parse(request) as TaskRequest), id, instance_id};
}

export type TaskRequest = Pick<
	HostTask,
	'kind' | 'tail' | 'filter' | 'daemon_logs' | 'command' | 'image' | 'pause' | 'needs_login'
>;

export function printTask(request: TaskRequest): string {
	return JSON.stringify(request);
}
