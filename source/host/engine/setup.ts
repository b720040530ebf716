/** Settings that all containers of a host share, and their names. */
import {createHash} from 'node:crypto';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Shared} from '../sandbox/resource-limits.ts';
import type {Scheduler} from '../base/scheduler.ts';
import {WORKSPACE} from './container-plan.ts';
import {CONTAINER_HOME} from './container-inside.ts';
import type {Engine} from './engine.ts';
import type {IsolationSupport} from './isolation-support.ts';
import type {PulledImages} from './pulled-images.ts';

export type EngineSetup = {
	/** The engine, which the runtime closes. */
	readonly engine: Engine;
	/**
	 * Folder of the host's records of instances. Hosts that share an engine have one each.
	 */
	readonly folder: string;
	/** Address shown to renters, and the one that ports are bound to. */
	readonly address: string;
	readonly listen: string;
	readonly gpus: MachineGpus;
	/** URL of the market, which the instance's own API key is for; reachable from inside. */
	readonly serviceUrl: string | undefined;
	/**
	 * True to have the engine limit a container's own disk. The volumes at `/root` and `/workspace`
	 * have no limit: their usage is measured.
	 */
	readonly limitsDisk: boolean;
	/** Resources of the machine that instances share, by the GPUs that they rent. */
	readonly machine: Shared;
	/** Isolation that the machine supports, from `findIsolationSupport`. */
	readonly means: IsolationSupport;
	/**
	 * True if renters may use images that were made on this machine, also by id, and registries in the
	 * machine's own network.
	 */
	readonly allowsLocalImages: boolean;
	readonly pulled: PulledImages;
	/** Images that are pulled before any renter uses them, and never evicted. */
	readonly warm: readonly string[];
	readonly pushRegistries: readonly string[];
	readonly log: (line: string) => void;
	readonly scheduler: Scheduler;
	readonly random: () => number;
};

/**
 * Label with the host's folder, which distinguishes the containers of hosts that share an engine.
 */
const HOST_LABEL = 'rentty.host';
export const INSTANCE_LABEL = 'rentty.instance';
export const CONTAINER_LABEL = 'rentty.container';
export const BOOT_LABEL = 'rentty.boot';

type Named = Pick<EngineSetup, 'folder'>;

function hostOf({folder}: Named): string {
	return createHash('sha256').update(folder).digest('hex').slice(0, 12);
}

export function ownLabel(setup: Named): string {
	return `${HOST_LABEL}=${hostOf(setup)}`;
}

export function hostLabelsOf(setup: Named): Readonly<Record<string, string>> {
	return {[HOST_LABEL]: hostOf(setup)};
}

export function containerName(setup: Named, instanceId: number): string {
	return `rentty-${hostOf(setup)}-${instanceId}`;
}

/** Name of the container that looks at the files of a stopped one. */
export function lookName(setup: Named, instanceId: number): string {
	return `${containerName(setup, instanceId)}-look`;
}

/** Name of a renter's volume, which outlives the instances that mount it. */
export function engineVolumeName(setup: Named, volumeId: number | string): string {
	return `rentty-${hostOf(setup)}-volume-${volumeId}`;
}

/** Volumes for an instance's own data, which SSH reads and writes from outside. */
export function ownVolumes(setup: Named, instanceId: number) {
	const name = containerName(setup, instanceId);
	return [
		{name: `${name}-home`, path: CONTAINER_HOME},
		{name: `${name}-workspace`, path: WORKSPACE},
	];
}
