/** What runs instances: sandboxes or plain processes of this machine, or containers of an engine. */
import type {Report, Task, VolumeWork, Work} from '../../contract/host-work.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {Inside} from '../sandbox/room.ts';
import type {Scheduler} from '../scheduler.ts';
import type {Tell} from '../runtime.ts';
import type {Instance, Running} from './instance.ts';
import {note} from './log-files.ts';

/** A start of an instance, for the driver that brings it about. */
export type Starting = {
	readonly instance: Instance;
	/** What is wanted of it, with its API key. */
	readonly work: Work;
	/** Tells how far it is. */
	readonly say: (message: string) => Promise<void>;
	/** Opens the SSH door of the instance, at the port of before where it had one. */
	readonly openDoor: (inside: Inside) => Promise<void>;
	readonly signal: AbortSignal;
};

/** What an earlier agent has left of an instance. */
export type Remains = {
	readonly isRunning: boolean;
	/** How its program ended, in a sentence; undefined where nobody saw that. */
	readonly ending: string | undefined;
	/** Which start and container it is, where its record is lost. */
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
	/** Whether it can do anything at present. */
	readonly answers: () => Promise<boolean>;
	/** What whoever rents is told while all is well. */
	readonly message: (work: Work) => string;
	/** Whether the port of SSH is among the ports that are told of an instance. */
	readonly isEnteredDirectly: (work: Work) => boolean;
	/** Why a start has failed, for whoever rents; undefined where it is worth another try. */
	readonly finalReason: (error: unknown) => string | undefined;
	/** Why a start has failed that is tried again. */
	readonly reason: (error: unknown) => string;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	/** Lines of what an instance has written. */
	readonly logs: (instance: Instance, task: Task) => Promise<string>;
	/** What a command that looks at files says, its complaints included. */
	readonly execute: (instance: Instance, command: string) => Promise<string>;
	readonly close: () => Promise<void>;
};

/** What all instances of a host have in common. */
export type Host = {
	/** Everything that is kept of instances lies in here. */
	readonly folder: string;
	/** Which of the machine's addresses instances are entered by. */
	readonly address: string;
	readonly driver: Driver;
	readonly gpus: MachineGpus;
	readonly measureGpus: MeasureGpus;
	/** How long what is asked to end may take before it is killed. */
	readonly graceMs: number;
	/** Whether what runs is ended with the agent, and started again by the next. */
	readonly endsOnClose: boolean;
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
