/** An instance on a host: its state, its running program, and the driver that runs it. */
import type {
	InstanceUsage,
	Work,
	Report,
	HostTask,
	VolumeWork,
} from '../../contract/nouns/host-work.ts';
import type {Inside} from '../inside/inside.ts';
import type {SshServer} from '../ssh/server.ts';
import {newRecord, readRecord, writeRecord, type InstanceRecord, type Traffic} from './record.ts';
import {siteOf, type Site, note, refuseFile} from './site.ts';
import type {MeasureGpus, MachineGpus} from '../machine/machine-gpus.ts';
import type {Orders} from './orders.ts';
import type {FreePort, PortChoice, PortAddresses} from '../machine/port-choice.ts';
import type {Scheduler} from '../base/scheduler.ts';
import type {SendReport} from '../base/runtime.ts';
import type {VolumeSerials} from '../base/serials.ts';

export type UsageMeasurement = {
	readonly usage: InstanceUsage;
	/** Traffic of its network since its start. */
	readonly traffic?: Traffic;
	readonly disk?: {
		/** Bytes written; undefined if not counted. */
		readonly bytes: number | undefined;
		/** Free bytes; undefined if unknown. */
		readonly free: number | undefined;
	};
};

export type Running = {
	/** Waits for the program's end, and returns a sentence about it. */
	readonly ended: (signal: AbortSignal) => Promise<string>;
	/** @param withDisk True to count the files, which is work for the disk. */
	readonly measure: (withDisk: boolean) => Promise<UsageMeasurement>;
	/** Releases the agent's own resources; the program keeps running. */
	readonly release: () => Promise<void>;
};

export type HostInstance = {
	readonly id: number;
	readonly site: Site;
	record: InstanceRecord;
	/** Fulfils when the last change of the record is written, or has failed. */
	kept: Promise<void>;
	/** Wanted state; undefined if unknown. */
	work: Work | undefined;
	/** Ends retries and watching; the program runs until it is stopped. */
	ending: AbortController;
	/** Fulfils when retries and watching have ended. */
	ended: Promise<void>;
	sshServer: SshServer | undefined;
	/** The sandbox or container that the SSH server enters. */
	inside: Inside | undefined;
	running: Running | undefined;
	/** Traffic of its network in its last start. */
	traffic: Traffic;
	/** Bytes written, as last counted. */
	diskBytes: number | undefined;
	/** Last reported problem of its disk. */
	trouble: string | undefined;
};

/** Name by which an instance holds ports of the machine. */
export function portHolder(instanceId: number): string {
	return `instance ${instanceId}`;
}

/** An instance from its record, not yet started or watched. */
export async function instanceIn(folder: string, id: number): Promise<HostInstance> {
	const site = siteOf(folder, id);
	await refuseFile(site.own);
	const record = (await readRecord(site.record)) ?? newRecord();
	return {
		id,
		site,
		record,
		kept: Promise.resolve(),
		work: undefined,
		ending: new AbortController(),
		ended: Promise.resolve(),
		sshServer: undefined,
		inside: undefined,
		running: undefined,
		traffic: record.startTraffic,
		diskBytes: undefined,
		trouble: undefined,
	};
}

/** Writes changes to the record, after earlier ones. A change that cannot be written is not made. */
export async function keep(
	instance: HostInstance,
	changes: Partial<InstanceRecord>,
): Promise<void> {
	const written = writeChanges(instance, changes);
	instance.kept = written.catch(() => undefined);
	await written;
}

async function writeChanges(
	instance: HostInstance,
	changes: Partial<InstanceRecord>,
): Promise<void> {
	await instance.kept;
	const record = {...instance.record, ...changes};
	await writeRecord(instance.site.record, record);
	instance.record = record;
}

export function totalTrafficOf({record: {traffic: before}, traffic}: HostInstance): Traffic {
	return {up: before.up + traffic.up, down: before.down + traffic.down};
}

export type Starting = {
	readonly instance: HostInstance;
	/** Wanted state of the instance, with its API key. */
	readonly work: Work;
	readonly say: (message: string) => Promise<void>;
	/** Opens the SSH server of the instance, at its earlier port if it had one. */
	readonly openSshServer: (inside: Inside) => Promise<void>;
	readonly freePort: FreePort;
	readonly signal: AbortSignal;
};

export type Remains = {
	readonly isRunning: boolean;
	/** End of its program, in a sentence; undefined if unknown. */
	readonly ending: string | undefined;
	/** Boot and container of an instance whose record is lost. */
	readonly boot?: number | undefined;
	readonly container?: number | undefined;
};

/** Driver of instances: sandboxes or plain processes of this machine, or containers of an engine. */
export type Driver = {
	/**
	 * Starts an instance, or continues with a running one.
	 *
	 * @throws CannotStart for a final failure.
	 */
	readonly start: (starting: Starting) => Promise<Running>;
	/** Ends all processes of an instance, and keeps its files. */
	readonly stop: (instance: HostInstance, graceMs: number) => Promise<void>;
	/** Removes an instance, except the folder of its record. */
	readonly remove: (instance: HostInstance, graceMs: number) => Promise<void>;
	/** Instances of which the driver has objects beside their records. */
	readonly list: () => Promise<readonly number[]>;
	readonly inspect: (instance: HostInstance) => Promise<Remains | undefined>;
	/** True if the driver can work at present. */
	readonly answers: () => Promise<boolean>;
	/** Status message for the renter while there is no problem. */
	readonly message: (work: Work) => string;
	/** True if the port of SSH is among an instance's reported ports. */
	readonly isEnteredDirectly: (work: Work) => boolean;
	/**
	 * Reason of a final failure to start, for the renter; undefined if another try may succeed.
	 */
	readonly finalReason: (error: unknown) => string | undefined;
	/** Reason of a failed start that is retried. */
	readonly reason: (error: unknown) => string;
	readonly keepVolume: (volume: VolumeWork) => Promise<void>;
	readonly removeVolume: (volumeId: number) => Promise<void>;
	readonly listVolumes: () => Promise<readonly number[]>;
	readonly volumeFolder: (volume: Pick<VolumeWork, 'volume_id' | 'size'>) => Promise<string>;
	readonly logs: (instance: HostInstance, task: HostTask) => Promise<string>;
	/** Output of a file command, errors included. */
	readonly execute: (instance: HostInstance, command: string) => Promise<string>;
	/** Pushes an instance's disk, and returns the name of the image; absent in drivers without images. */
	readonly snapshot?: (
		instance: HostInstance,
		task: HostTask,
		say: (message: string) => void,
	) => Promise<string>;
	readonly close: () => Promise<void>;
};

export type Host = {
	readonly folder: string;
	readonly reach: PortAddresses & {readonly listen: string};
	readonly portChoice: PortChoice;
	readonly driver: Driver;
	readonly gpus: MachineGpus;
	readonly measureGpus: MeasureGpus;
	/** Time for a program to end before it is killed. */
	readonly graceMs: number;
	/** True if instances end with the agent, and are started again by the next one. */
	readonly endsOnClose: boolean;
	/** Orders in progress, so that no order kills the agent again after a restart. */
	readonly orders: Orders;
	readonly volumeSerials: VolumeSerials;
	readonly report: SendReport;
	readonly log: (line: string) => void;
	readonly scheduler: Scheduler;
	/** At least 0, below 1. */
	readonly random: () => number;
};

/** Reports an instance's status, and logs it in the host's log of the instance. */
export async function reportStatus(
	{report}: Host,
	{id, site, work, record}: HostInstance,
	status: Omit<Report, 'instance_id' | 'boot'> & {readonly status_msg: string},
): Promise<void> {
	report({instance_id: id, boot: work?.boot ?? record.boot, ...status});
	await note(site, `C.${id}: ${status.status_msg}`);
}
