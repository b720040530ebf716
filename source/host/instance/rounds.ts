/** Rounds over the running instances: report usage, and shorten logs. */
import type {InstanceUsage, Work} from '../../contract/nouns/host-work.ts';
import type {GpuLoad} from '../machine/nvidia.ts';
import {sentenceOf} from '../../contract/rules/thrown.ts';
import type {Illness} from '../base/runtime.ts';
import type {Cancel} from '../base/scheduler.ts';
import {
	reportStatus,
	type Host,
	keep,
	totalTrafficOf,
	type HostInstance,
	type UsageMeasurement,
} from './instance.ts';
import {note, shortenLogs} from './site.ts';
import {watchGpus} from './gpu-watch.ts';

const GB = 1e9;

type Rounds = {
	/** Machines whose driver does not answer, or whose instances are not taken over yet. */
	readonly unwell: () => ReadonlyMap<number, Illness>;
	/** Adopts instances of an earlier agent. Their machines are unwell until that succeeds. */
	readonly unwellUntil: <Held>(
		adopt: (wanted: readonly Work[]) => Promise<Held>,
		wanted: readonly Work[],
	) => Promise<Held>;
	readonly end: () => void;
};

/** Interval of log checks: a log can become too long within seconds, and a check is cheap. */
const LOG_SECONDS = 2;
const USAGE_EVERY = 5;

/** Rounds between file counts, which load the disk. */
const DISK_EVERY = 30;

/** Loads of GPUs by index. */
type Loads = ReadonlyMap<number, GpuLoad>;

export function startRounds(host: Host, instances: ReadonlyMap<number, HostInstance>): Rounds {
	const machines = new Set<number>();
	const running = () => [...instances.values()].filter(one => one.running !== undefined);
	const checkGpus = watchGpus({
		machineGpus: host.gpus,
		running: () => running().flatMap(({work}) => work ?? []),
		fail: async ({instance_id: id}, status_msg) => {
			const instance = instances.get(id);
			if (instance)
				await reportStatus(host, instance, {status: 'failed', status_msg, fault: 'machine'});
		},
		async warn({instance_id: id, boot}, status_msg) {
			const instance = instances.get(id);
			if (instance === undefined) return;
			host.report({instance_id: id, boot, status: 'running', status_msg});
			await note(instance.site, `C.${id}: ${status_msg}`);
		},
		log: host.log,
	});
	let unadopted: readonly number[] = [];
	let unanswered: ReadonlySet<number> = new Set();
	let count = 0;
	let cancel: Cancel | undefined;
	let isOver = false;

	async function check(withDisk: boolean): Promise<void> {
		for (const {work} of instances.values()) if (work) machines.add(work.machine_id);
		const isWell = await host.driver.answers();
		unanswered = new Set(isWell ? [] : machines);
		if (!isWell) return;
		await checkGpus();
		const usesGpus = running().some(({work}) => (work?.gpu_ids ?? []).length > 0);
		const loads: Loads = usesGpus ? await host.measureGpus() : new Map();
		const measured = running().map(async one => {
			try {
				await reportUsage(host, one, {withDisk, loads});
			} catch (error) {
				await note(one.site, `could not measure what it uses: ${sentenceOf(error)}`);
			}
		});
		await Promise.all(measured);
	}

	async function round(): Promise<void> {
		for (const {site} of running()) await shortenLogs(site);
		if (count % USAGE_EVERY === 0) {
			await check(count % DISK_EVERY === 0).catch((error: unknown) => host.log(sentenceOf(error)));
		}
		count += 1;
		plan();
	}

	function plan(): void {
		if (!isOver) cancel = host.scheduler.after(LOG_SECONDS, () => void round());
	}

	plan();
	return {
		unwell: () => new Map([...unadopted, ...unanswered].map(id => [id, 'silent'])),
		async unwellUntil(adopt, wanted) {
			unadopted = wanted.map(work => work.machine_id);
			const held = await adopt(wanted);
			unadopted = [];
			return held;
		},
		end() {
			isOver = true;
			cancel?.();
		},
	};
}

type Round = {readonly withDisk: boolean; readonly loads: Loads};

export async function reportUsage(
	{report, driver}: Host,
	instance: HostInstance,
	{withDisk, loads}: Round,
): Promise<void> {
	const {running, work} = instance;
	if (running === undefined || work === undefined) return;
	const measured = await running.measure(withDisk || instance.diskBytes === undefined);
	// The instance may have been stopped during the measurement.
	if (instance.running !== running) return;
	const {instance_id, boot, gpu_ids: gpus = []} = work;
	const before = instance.trouble;
	take(instance, measured, work);
	const isNews = instance.trouble !== before;
	const status_msg = instance.trouble ?? driver.message(work);
	const gpuLoads = gpuUsage(gpus.flatMap(id => loads.get(id) ?? []));
	report({
		instance_id,
		boot,
		usage: {...measured.usage, ...gpuLoads, ...diskUsage(instance.diskBytes, work.disk)},
		...(measured.traffic !== undefined && {traffic: totalTrafficOf(instance)}),
		...(isNews && {status: 'running', status_msg}),
	});
	await saveTraffic(instance);
	if (isNews) await note(instance.site, `C.${instance_id}: ${status_msg}`);
}

/** Saves the traffic of this start for the next agent, unless the disk is full. */
async function saveTraffic(instance: HostInstance): Promise<void> {
	const {traffic, record} = instance;
	const {up, down} = record.startTraffic;
	if (traffic.up === up && traffic.down === down) return;
	await keep(instance, {startTraffic: traffic}).catch(() => undefined);
}

/** Keeps measurements for the next round. */
function take(
	instance: HostInstance,
	{traffic, disk}: UsageMeasurement,
	{disk: diskRented = 0}: Work,
): void {
	instance.traffic = traffic ?? instance.traffic;
	instance.diskBytes = disk?.bytes ?? instance.diskBytes;
	if (disk === undefined) return;
	const {diskBytes} = instance;
	instance.trouble = diskTrouble(disk.free ?? Infinity, {diskBytes, diskRented});
}

/** Usage of the instance's GPUs, without unknown figures. */
function gpuUsage(gpus: readonly GpuLoad[]): InstanceUsage {
	const used = known(gpus.map(gpu => gpu.util));
	const temperatures = known(gpus.map(gpu => gpu.temperature));
	const memory = known(gpus.map(gpu => gpu.memoryMb));
	return {
		...(used.length > 0 && {gpu_util: roundToThousandths(sumOf(used) / used.length)}),
		...(temperatures.length > 0 && {gpu_temp: Math.max(...temperatures)}),
		...(memory.length > 0 && {vmem_usage: roundToThousandths((sumOf(memory) * 1024 * 1024) / GB)}),
	};
}

export function diskUsage(bytes: number | undefined, diskRented = 0): InstanceUsage {
	if (bytes === undefined) return {};
	const used = bytes / GB;
	const share =
		diskRented > 0 ? {disk_util: roundToThousandths(Math.min(1, used / diskRented))} : {};
	return {disk_usage: roundToThousandths(used), ...share};
}

function known(values: ReadonlyArray<number | undefined>): readonly number[] {
	return values.filter(value => value !== undefined);
}

function sumOf(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

export function roundToThousandths(value: number): number {
	return Math.round(value * 1000) / 1000;
}

/** Free space at which a disk counts as full. */
const FULL_BYTES = 64 * 1024 * 1024;

/** Problem of the disk, for the renter; undefined without one. */
export function diskTrouble(
	freeBytes: number,
	{diskBytes, diskRented}: {readonly diskBytes: number | undefined; readonly diskRented: number},
): string | undefined {
	if (freeBytes < FULL_BYTES) {
		const megabytes = Math.floor(freeBytes / 1e6);
		return `The machine's disk is full: ${megabytes} MB are free. Remove files, or what writes them fails.`;
	}
	const used = (diskBytes ?? 0) / GB;
	if (diskRented <= 0 || used <= diskRented) return undefined;
	return `It uses ${used.toFixed(1)} GB of the ${diskRented} GB of disk that were rented.`;
}
