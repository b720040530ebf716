/**
 * Driver of instances: sandboxes or plain processes of this machine, or containers of an engine.
 */
import type {Report, Task, VolumeWork, Work} from '../../contract/nouns/host-work.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Inside} from '../inside/inside.ts';
import type {Orders} from '../orders.ts';
import type {Scheduler} from '../scheduler.ts';
import type {Tell} from '../runtime.ts';
import type {Instance, Running} from './instance.ts';
import {note} from './log-files.ts';

/** A start of an instance, for the driver that brings it about. */
export type Starting = {
	readonly instance: Instance;
	/** Wanted state of the instance, with its API key. */
	readonly work: Work;
	/** Tells how far it is. */
	readonly say: (message: string) => Promise<void>;
	/** Opens the SSH door of the instance, at the port of before where it had one. */
	readonly openDoor: (inside: Inside) => Promise<void>;
	readonly signal: AbortSignal;
};

/** Remains of an instance from an earlier agent. */
export type Remains = {
	readonly isRunning: boolean;
	/** End of its program, in a sentence; undefined where nobody saw it. */
	readonly ending: string | undefined;
	/** Boot and container of the instance, where its record is lost. */
	readonly boot?: number;
	readonly container?: number;
};

export type Driver = {
	/**
	 * Has an instance run, as far as it does not.
	 *
	 * @throws CannotStart where no other try would do.
	 */
	readonly start: (starting: Starting) => Promise<Running>;
	/** Ends all that runs of an instance, and keeps its files. */
	readonly stop: (instance: Instance, graceMs: number) => Promise<void>;
	/** Leaves nothing of an instance but what is in the folder of its record. */
	readonly remove: (instance: Instance, graceMs: number) => Promise<void>;
	/** The instances that it has something of beside their records. */
	readonly list: () => Promise<readonly number[]>;
	/** Looks for what is left of an instance; undefined where that is nothing. */
	readonly inspect: (instance: Instance) => Promise<Remains | undefined>;
	/** True if the driver can work at present. */
	readonly answers: () => Promise<boolean>;
	/** Status message for whoever rents, while all is well. */
	readonly message: (work: Work) => string;
	/** True if the port of SSH is among an instance's reported ports. */
	readonly isEnteredDirectly: (work: Work) => boolean;
	/**
	 * Reason of a final failure to start, for whoever rents; undefined where another try may
	 * succeed.
	 */
	readonly finalReason: (error: unknown) => string | undefined;
	/** Reason of a failed start that is tried again. */
	readonly reason: (error: unknown) => string;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	/** Folder of this machine with what is on a volume. */
	readonly volumeFolder: (volume: Pick<VolumeWork, 'volume_id' | 'size'>) => Promise<string>;
	/** Lines of what an instance has written. */
	readonly logs: (instance: Instance, task: Task) => Promise<string>;
	/** Output of a command that looks at files, errors included. */
	readonly execute: (instance: Instance, command: string) => Promise<string>;
	/** Pushes an instance's disk, and answers the name of the image; absent where none can. */
	readonly snapshot?: (
		instance: Instance,
		task: Task,
		say: (message: string) => void,
	) => Promise<string>;
	readonly close: () => Promise<void>;
};

/** Host's settings that all instances share. */
export type Host = {
	/** Everything that is kept of instances lies in here. */
	readonly folder: string;
	/** Address of this machine for entering instances. */
	readonly address: string;
	readonly driver: Driver;
	readonly gpus: MachineGpus;
	readonly measureGpus: MeasureGpus;
	/** Time for a program to end before it is killed. */
	readonly graceMs: number;
	/** Running instances end with the agent, and are started again by the next. */
	readonly endsOnClose: boolean;
	/** Orders under way, so that none ends the agent at its start twice. */
	readonly orders: Orders;
	readonly tell: Tell;
	/** Takes lines for whoever runs the host. */
	readonly log: (line: string) => void;
	readonly scheduler: Scheduler;
	/** At least 0, below 1. */
	readonly random: () => number;
};

/** Tells what becomes of an instance, and notes it for whoever asks what the host did. */
export async function tellStatus(
	{tell}: Host,
	{id, site, work, record}: Instance,
	report: Omit<Report, 'instance_id' | 'boot'> & {readonly status_msg: string},
): Promise<void> {
	tell({instance_id: id, boot: work?.boot ?? record.boot, ...report});
	await note(site, `C.${id}: ${report.status_msg}`);
}
