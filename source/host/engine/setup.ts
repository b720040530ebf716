/** What all containers of a host have in common, and how they are called. */
import {createHash} from 'node:crypto';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Shared} from '../sandbox/rented-share.ts';
import type {Scheduler} from '../scheduler.ts';
import {WORKSPACE} from './container-plan.ts';
import {HOME} from './container-room.ts';
import type {Engine} from './engine.ts';
import type {Means} from './means.ts';

export type Setup = {
	/** It is closed with the runtime. */
	readonly engine: Engine;
	/** What the host keeps of its instances lies in here. Hosts that share an engine have one each. */
	readonly folder: string;
	/** Which of the machine's addresses instances are entered by. */
	readonly address: string;
	readonly gpus: MachineGpus;
	/** Where an instance's own key is good for something; it must be reached from inside. */
	readonly serviceUrl: string | undefined;
	/**
	 * Whether the engine is asked to limit what is written to a container's own disk. The volumes at
	 * `/root` and `/workspace` have no limit: what they take is measured.
	 */
	readonly limitsDisk: boolean;
	/** What instances share of the machine, by the GPUs that they rent. */
	readonly machine: Shared;
	/** What of a machine's means to keep instances apart are there: `findMeans` finds out. */
	readonly means: Means;
	/**
	 * Whether renters may have images that were made on this machine, by their number as well, and
	 * those of registries that only this machine or its network reaches.
	 */
	readonly allowsLocalImages: boolean;
	/** Takes lines for whoever runs the host. */
	readonly log: (line: string) => void;
	readonly scheduler: Scheduler;
	readonly random: () => number;
};

/** One engine may have containers of several hosts: each knows its own by its folder. */
const HOST_LABEL = 'rentty.host';
export const INSTANCE_LABEL = 'rentty.instance';
export const CONTAINER_LABEL = 'rentty.container';
export const BOOT_LABEL = 'rentty.boot';

type Named = Pick<Setup, 'folder'>;

function hostOf({folder}: Named): string {
	return createHash('sha256').update(folder).digest('hex').slice(0, 12);
}

export function ownLabel(setup: Named): string {
	return `${HOST_LABEL}=${hostOf(setup)}`;
}

export function labelsOf(setup: Named): Readonly<Record<string, string>> {
	return {[HOST_LABEL]: hostOf(setup)};
}

export function containerName(setup: Named, instanceId: number): string {
	return `rentty-${hostOf(setup)}-${instanceId}`;
}

/** The volume of a market's account, which outlives the instances that it is mounted in. */
export function volumeName(setup: Named, volumeId: number): string {
	return `rentty-${hostOf(setup)}-volume-${volumeId}`;
}

/** What an instance writes here lies on volumes of its own, which SSH reads and writes from outside. */
export function ownVolumes(setup: Named, instanceId: number) {
	const name = containerName(setup, instanceId);
	return [
		{name: `${name}-home`, path: HOME},
		{name: `${name}-workspace`, path: WORKSPACE},
	];
}
