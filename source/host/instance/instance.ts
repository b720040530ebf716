/** One instance on this machine: what is known of it, and its end. */
import {randomUUID} from 'node:crypto';
import type {Work} from '../../contract/host-work.ts';
import type {Bounding} from '../sandbox/bounding.ts';
import type {MachineGpus} from '../machine/machine-gpus.ts';
import type {HeldNetwork, NetworkTools} from '../sandbox/own-network.ts';
import type {MakeRoom} from '../sandbox/choose-room.ts';
import type {Room} from '../sandbox/room.ts';
import type {Tell} from '../runtime.ts';
import type {Door} from '../ssh/door.ts';
import {endFamily} from '../sandbox/ending.ts';
import type {GivenGpus} from '../sandbox/gpus.ts';
import {note} from './log-files.ts';
import type {Published} from '../sandbox/publishing.ts';
import {machineStart} from '../machine/processes.ts';
import {writeRecord} from './record.ts';
import type {InstanceRecord} from './record.ts';
import type {Site} from './site.ts';
import type {Measured} from './usage.ts';

/** What all instances of a machine have in common. */
export type Around = {
	/** Everything lies in here. */
	readonly folder: string;
	/** Which of the machine's addresses is listened on. */
	readonly address: string;
	readonly makeRoom: MakeRoom;
	readonly tell: Tell;
	/** Where an instance's own key is good for something. */
	readonly serviceUrl: string | undefined;
	/** How long what is asked to end may take. */
	readonly graceMs: number;
	readonly gpus: MachineGpus;
	/** What limits instances to what they have rented; undefined where nothing does. */
	readonly bounding: Bounding | undefined;
	/** What networks of instances are made with; undefined where they share that of the machine. */
	readonly network: NetworkTools | undefined;
};

export type Instance = {
	readonly site: Site;
	record: InstanceRecord;
	/** What was wanted when it was started; undefined where that is not known any more. */
	work: Work | undefined;
	/** As it is entered. */
	room: Room | undefined;
	door: Door | undefined;
	/** What it was given of the machine's GPUs. */
	gpus: GivenGpus;
	/** Its own network, and the ports of the machine that lead there. */
	network: HeldNetwork | undefined;
	published: Published | undefined;
	/** Ends looking after what runs: nothing is told of its end any more. */
	leave: () => void;
	measured: Measured | undefined;
	/** What was last said to be wrong with it. */
	trouble: string | undefined;
};

/** An instance as its record has it. Nothing of it is looked after yet. */
export function instanceAt(site: Site, record: InstanceRecord): Instance {
	const nothing = {room: undefined, door: undefined, measured: undefined, trouble: undefined};
	const without = {network: undefined, published: undefined, gpus: {devices: [], visible: []}};
	return {site, record, work: undefined, leave: () => undefined, ...nothing, ...without};
}

/** The record of an instance that is there for the first time. */
export async function newRecord({boot, container, api_key: key}: Work): Promise<InstanceRecord> {
	return {
		boot,
		container,
		isStarted: true,
		machineStart: await machineStart(),
		mark: `RENTTY_ROOM=${randomUUID()}`,
		root: undefined,
		hostKey: '',
		port: 0,
		ports: [],
		network: undefined,
		groups: [],
		apiKey: key ?? undefined,
	};
}

/** Ends all that runs of it, and sends everybody out. */
export async function endInstance(instance: Instance, graceMs: number): Promise<void> {
	instance.leave();
	// Neither waits for the other: what runs ends, whoever is at the door.
	await Promise.all([endFamily(instance.record, graceMs), closeDoor(instance)]);
	instance.measured = undefined;
}

/** The same, because it is not to run any more. */
export async function stopInstance({graceMs}: Around, instance: Instance): Promise<void> {
	await endInstance(instance, graceMs);
	await keep(instance, {isStarted: false, root: undefined});
	await note(instance.site, `C.${instance.work?.instance_id ?? ''}: stopped`);
}

export async function closeDoor(instance: Instance): Promise<void> {
	const {door, published, network} = instance;
	instance.door = undefined;
	instance.room = undefined;
	instance.published = undefined;
	instance.network = undefined;
	published?.close();
	await network?.close();
	await door?.close();
}

/** Changes what is kept of it. */
export async function keep(instance: Instance, changes: Partial<InstanceRecord>): Promise<void> {
	instance.record = {...instance.record, ...changes};
	await writeRecord(instance.site.record, instance.record);
}
