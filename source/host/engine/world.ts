/** What all containers of a host have in common, and where what is kept of each of them lies. */
import {createHash} from 'node:crypto';
import {mkdir} from 'node:fs/promises';
import type {Work} from '../../contract/host-work.ts';
import type {Shared} from '../sandbox/rented-share.ts';
import {note} from '../instance/log-files.ts';
import {siteOf} from '../instance/site.ts';
import type {Site} from '../instance/site.ts';
import type {Tell} from '../runtime.ts';
import type {Scheduler} from '../scheduler.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import {HOME} from './container-room.ts';
import {WORKSPACE} from './container-plan.ts';
import type {Engine} from './engine.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Limits} from './limits.ts';

export type World = {
	readonly engine: Engine;
	/** What the host keeps of its instances lies in here, in folders of their own. */
	readonly folder: string;
	/** Which of the machine's addresses is listened on. */
	readonly address: string;
	readonly machineGpus: MachineGpus;
	readonly measureGpus: MeasureGpus;
	readonly serviceUrl: string | undefined;
	readonly limitsDisk: boolean;
	/** What instances share of the machine, and what of it the engine can limit. */
	readonly machine: Shared;
	readonly limits: Limits;
	/** Whether containers can be kept from the provider's network. */
	readonly hasWalls: boolean;
	readonly allowsLocalImages: boolean;
	/** Takes lines for whoever runs the host. */
	readonly log: (line: string) => void;
	readonly tell: Tell;
	readonly scheduler: Scheduler;
	readonly random: () => number;
};

/** One engine may have containers of several hosts: each knows its own by its folder. */
const HOST_LABEL = 'rentty.host';
export const INSTANCE_LABEL = 'rentty.instance';
export const CONTAINER_LABEL = 'rentty.container';
export const BOOT_LABEL = 'rentty.boot';

function hostOf(folder: string): string {
	return createHash('sha256').update(folder).digest('hex').slice(0, 12);
}

export function ownLabel({folder}: World): string {
	return `${HOST_LABEL}=${hostOf(folder)}`;
}

export function labelsOf({folder}: World): Readonly<Record<string, string>> {
	return {[HOST_LABEL]: hostOf(folder)};
}

export function containerName({folder}: World, instanceId: number): string {
	return `rentty-${hostOf(folder)}-${instanceId}`;
}

/** The volume of a market's account, which outlives the instances that it is mounted in. */
export function volumeName({folder}: World, volumeId: number): string {
	return `rentty-${hostOf(folder)}-volume-${volumeId}`;
}

/** What an instance writes here lies on volumes of its own, which SSH reads and writes from outside. */
export function ownVolumes(world: World, instanceId: number) {
	const name = containerName(world, instanceId);
	return [
		{name: `${name}-home`, path: HOME},
		{name: `${name}-workspace`, path: WORKSPACE},
	];
}

export async function openSite(folder: string, instanceId: number): Promise<Site> {
	const site = siteOf(folder, instanceId);
	await mkdir(site.own, {recursive: true, mode: 0o700});
	return site;
}

/** What whoever rents is told while all is well. */
export function runningMessage({image = '', launch}: Work): string {
	return `success, running ${image}/${launch?.mode ?? 'args'}`;
}

/** Tells what becomes of an instance, and notes it down for whoever asks what the host did. */
export async function tellStatus(
	world: World,
	report: Parameters<Tell>[0] & {readonly status_msg: string},
): Promise<void> {
	world.tell(report);
	await note(siteOf(world.folder, report.instance_id), report.status_msg);
}
