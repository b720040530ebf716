/** Setup that all containers of a host share, and their names. */
import {createHash} from 'node:crypto';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Shared} from '../sandbox/rented-share.ts';
import type {Scheduler} from '../scheduler.ts';
import {WORKSPACE} from './container-plan.ts';
import {HOME} from './container-inside.ts';
import type {Engine} from './engine.ts';
import type {IsolationSupport} from './isolation-support.ts';

export type Setup = {
	/** It is closed with the runtime. */
	readonly engine: Engine;
	/**
	 * Folder for what the host keeps of its instances. Hosts that share an engine have one each.
	 */
	readonly folder: string;
	/** Address of this machine for entering instances. */
	readonly address: string;
	readonly gpus: MachineGpus;
	/** Service in which an instance's own key is valid; it must be reached from inside. */
	readonly serviceUrl: string | undefined;
	/**
	 * Ask the engine to limit what is written to a container's own disk. The volumes at `/root`
	 * and `/workspace` have no limit: their use is measured.
	 */
	readonly limitsDisk: boolean;
	/** Resources of the machine that instances share, by the GPUs that they rent. */
	readonly machine: Shared;
	/** IsolationSupport of the machine to keep instances apart, from `findIsolationSupport`. */
	readonly means: IsolationSupport;
	/**
	 * Renters may use images that were made on this machine, by their id as well, and those of
	 * registries that only this machine or its network reaches.
	 */
	readonly allowsLocalImages: boolean;
	/** Registries that snapshots of instances may be pushed to. */
	readonly pushRegistries: readonly string[];
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

/** Volumes for an instance's own data, which SSH reads and writes from outside. */
export function ownVolumes(setup: Named, instanceId: number) {
	const name = containerName(setup, instanceId);
	return [
		{name: `${name}-home`, path: HOME},
		{name: `${name}-workspace`, path: WORKSPACE},
	];
}
