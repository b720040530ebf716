/** An instance on a host: what is known of it, and what runs. */
import type {Usage, Work} from '../../contract/nouns/host-work.ts';
import type {Inside} from '../inside/inside.ts';
import type {Door} from '../ssh/door.ts';
import {newRecord, readRecord, writeRecord, type InstanceRecord, type Traffic} from './record.ts';
import {siteOf, type Site} from './site.ts';

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
	door: Door | undefined;
	/** The sandbox or container that its door leads into. */
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
		door: undefined,
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
