/** An instance on a host: what is known of it, what runs, and the driver that runs it. */
import type {Usage, Work, Report, Task, VolumeWork} from '../../contract/nouns/host-work.ts';
import type {Inside} from '../inside/inside.ts';
import type {SshServer} from '../ssh/server.ts';
import {newRecord, readRecord, writeRecord, type InstanceRecord, type Traffic} from './record.ts';
import {siteOf, type Site, note} from './site.ts';
import type {MeasureGpus, MachineGpus} from '../machine/machine-gpus.ts';
import type {Orders} from '../orders.ts';
import type {Scheduler} from '../scheduler.ts';
import type {Tell} from '../runtime.ts';

/** Usage of an instance at one moment, as far as it can be measured. */
export type Measured = {
	readonly usage: Usage;
	/** Traffic of its network since its start. */
	readonly traffic?: Traffic;
	readonly disk?: {
		/** Bytes written; undefined where they were not counted. */
		readonly bytes: number | undefined;
		/** Free bytes; undefined where they are not known. */
		readonly free: number | undefined;
	};
};

/** Running program of an instance. */
export type Running = {
	/** Waits for its end, and answers how it ended, in a sentence. */
	readonly ended: (signal: AbortSignal) => Promise<string>;
	/** @param withDisk Whether the files are counted: that is work for the disk. */
	readonly measure: (withDisk: boolean) => Promise<Measured>;
	/** Lets go of it: what runs goes on. */
	readonly release: () => Promise<void>;
};

export type Instance = {
	readonly id: number;
	readonly site: Site;
	record: InstanceRecord;
	/** Wanted state; undefined where it is not known. */
	work: Work | undefined;
	/** Ends all trying and watching; what runs goes on until it is stopped. */
	ending: AbortController;
	/** Fulfils when nothing more is done for it. */
	ended: Promise<void>;
	sshServer: SshServer | undefined;
	/** The sandbox or container that its SSH server leads into. */
	inside: Inside | undefined;
	running: Running | undefined;
	/** Traffic of its network in this start. */
	traffic: Traffic;
	/** Bytes written, as last counted. */
	diskBytes: number | undefined;
	/** Last reported problem of its disk. */
	trouble: string | undefined;
};

/** An instance as its record has it. Nothing is done for it yet. */
export async function instanceIn(folder: string, id: number): Promise<Instance> {
	const site = siteOf(folder, id);
	return {
		id,
		site,
		record: (await readRecord(site.record)) ?? newRecord(),
		work: undefined,
		ending: new AbortController(),
		ended: Promise.resolve(),
		sshServer: undefined,
		inside: undefined,
		running: undefined,
		traffic: noTraffic,
		diskBytes: undefined,
		trouble: undefined,
	};
}

export const noTraffic: Traffic = {up: 0, down: 0};

/** Changes the record of an instance. */
export async function keep(instance: Instance, changes: Partial<InstanceRecord>): Promise<void> {
	instance.record = {...instance.record, ...changes};
	await writeRecord(instance.site.record, instance.record);
}

/** All that went through the network of an instance. */
export function trafficOf({record: {traffic: before}, traffic}: Instance): Traffic {
	return {up: before.up + traffic.up, down: before.down + traffic.down};
}

/** A start of an instance, for the driver that brings it about. */
export type Starting = {
	readonly instance: Instance;
	/** Wanted state of the instance, with its API key. */
	readonly work: Work;
	/** Tells how far it is. */
	readonly say: (message: string) => Promise<void>;
	/** Opens the SSH server of the instance, at the port of before where it had one. */
	readonly openSshServer: (inside: Inside) => Promise<void>;
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

/** What runs instances: sandboxes or plain processes of this machine, or containers of an engine. */
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
