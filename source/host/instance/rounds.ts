/** What is done for the instances that run, again and again: their use is told, their logs kept short. */
import {usedBytes} from '../sandbox/disk-images.ts';
import {messageOf} from '../retry.ts';
import type {Cancel, Scheduler} from '../scheduler.ts';
import type {MeasureGpus} from '../machine/loads.ts';
import {watchGpus} from '../machine/lost-gpus.ts';
import type {GpuLoad} from '../machine/nvidia.ts';
import {membersOf} from '../sandbox/ending.ts';
import type {Around, Instance} from './instance.ts';
import {note, shorten} from './log-files.ts';
import {runningMessage, sayFailed} from '../sandbox/starting.ts';
import {freeBytes, sizeOf} from '../machine/trees.ts';
import {diskTrouble, usageOf} from './usage.ts';
import type {Measured} from './usage.ts';

type Rounds = {
	readonly around: Around;
	readonly instances: ReadonlyMap<number, Instance>;
	readonly measureGpus: MeasureGpus;
	readonly scheduler: Scheduler;
	/** Takes lines for whoever runs the host. */
	readonly log: (line: string) => void;
};

/** A log can become too long within seconds, and looking how long it is costs nothing. */
const LOG_SECONDS = 2;
const USAGE_EVERY = 5;

/** Counting files is work for the disk. */
const DISK_EVERY = 30;

export function beginRounds(rounds: Rounds): Cancel {
	let count = 0;
	let cancel: Cancel | undefined;
	let isOver = false;
	const running = () =>
		[...rounds.instances.values()].filter(({record}) => record.root !== undefined);
	const lookAtGpus = watchGpus({
		machineGpus: rounds.around.gpus,
		running: () => running().flatMap(({work}) => work ?? []),
		fail: async (work, sentence) => sayFailed(rounds.around, work, sentence),
		log: rounds.log,
	});

	async function round(): Promise<void> {
		const isDue = count % USAGE_EVERY === 0;
		for (const instance of running()) await shortenLogs(instance);
		if (isDue) await lookAtGpus().catch((error: unknown) => rounds.log(messageOf(error)));
		if (isDue) await tellAll(rounds, running(), count % DISK_EVERY === 0);
		count += 1;
		next();
	}
	function next(): void {
		if (!isOver) cancel = rounds.scheduler.after(LOG_SECONDS, () => void round());
	}
	next();
	return () => {
		isOver = true;
		cancel?.();
	};
}

async function shortenLogs({site}: Instance): Promise<void> {
	for (const file of [site.log, site.hostLog]) await shorten(file).catch(() => undefined);
}

async function tellAll(
	{around, measureGpus, scheduler}: Rounds,
	running: readonly Instance[],
	countsDisk: boolean,
): Promise<void> {
	if (running.length === 0) return;
	const usesGpus = running.some(({work}) => (work?.gpu_ids ?? []).length > 0);
	const loads = usesGpus ? await measureGpus() : new Map<number, GpuLoad>();
	for (const instance of running) {
		try {
			const now = await measure(instance, {loads, countsDisk, at: scheduler.now()});
			await tellUsage(around, instance, now);
		} catch (error) {
			await note(instance.site, `could not measure what it uses: ${messageOf(error)}`);
		}
	}
}

type Moment = {
	readonly loads: ReadonlyMap<number, GpuLoad>;
	readonly countsDisk: boolean;
	readonly at: number;
};

async function measure(
	{site, record, work, measured: before}: Instance,
	{loads, countsDisk, at}: Moment,
): Promise<Measured> {
	const isDue = countsDisk || before === undefined;
	const known = before?.diskBytes;
	return {
		at,
		members: await membersOf(record),
		gpus: (work?.gpu_ids ?? []).flatMap(id => loads.get(id) ?? []),
		diskBytes: isDue
			? ((await usedBytes(site.disk.folder)) ?? (await sizeOf([site.own])) ?? known)
			: known,
		diskRented: work?.disk ?? 0,
	};
}

async function tellUsage(around: Around, instance: Instance, now: Measured): Promise<void> {
	const {work, record, measured: before} = instance;
	// It may have been stopped while it was measured.
	if (work === undefined || record.root === undefined) return;
	instance.measured = now;
	const trouble = diskTrouble(await freeBytes(around.folder), now);
	const isNews = trouble !== instance.trouble;
	instance.trouble = trouble;
	const {instance_id, boot} = work;
	const status_msg = trouble ?? runningMessage(around, work);
	const status = {status: 'running', status_msg} as const;
	around.tell({instance_id, boot, usage: usageOf(now, before), ...(isNews && status)});
}
