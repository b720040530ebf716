/** The default job of a machine for its provider: the GPUs on which it runs, and its problem. */
import {gpuIndexesOfMask} from '../base/gpu-mask.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import type {DefaultJobRow} from '../database/provider-tables.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {hostsReason} from '../lifecycle/rules.ts';

export type DefaultJobFiles = {
	readonly machine: Pick<MachineRow, 'num_gpus' | 'busy_mask' | 'contact' | 'heard_at'>;
	readonly defaultJob: DefaultJobRow | undefined;
	/** Instances of the job. */
	readonly jobs: readonly JobState[];
	/** Instances on the machine that are rented. */
	readonly rentals: ReadonlyArray<Pick<InstanceRow, 'current' | 'gpu_mask'>>;
};

type JobState = Pick<
	InstanceRow,
	'actual' | 'reported' | 'intended' | 'current' | 'message' | 'gpu_mask'
>;

export function defaultJobOf(files: DefaultJobFiles) {
	const {defaultJob: job, jobs} = files;
	if (job === undefined) {
		return {
			bid_gpu_cost: null,
			bid_image: null,
			bid_image_args: [],
			bid_gpus_running: 0,
			bid_trouble: null,
		};
	}
	return {
		bid_gpu_cost: job.gpu_micros / MICROS_PER_DOLLAR,
		bid_image: job.image,
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
		bid_image_args: JSON.parse(job.args) as string[],
		bid_gpus_running: jobs.filter(isRunning).length,
		bid_trouble: troubleOf(files) ?? null,
	};
}

function isRunning({current, actual}: JobState): boolean {
	return current === 'running' && actual === 'running';
}

/** Reason why the job does not run on all idle GPUs; undefined if it does. */
function troubleOf({machine, jobs, rentals}: DefaultJobFiles): string | undefined {
	const failed = jobs.find(({intended}) => intended !== 'running');
	if (failed !== undefined) return hostsReason(failed.message ?? 'It cannot be started.');
	const ended = jobs.find(({current, reported}) => current === 'running' && reported === 'exited');
	if (ended !== undefined) return ended.message ?? 'It has ended by itself.';
	const used = gpusOn([
		...rentals.filter(({current}) => current === 'running'),
		...jobs.filter(isRunning),
	]);
	const idle = gpusIn(machine).filter(gpu => !used.has(gpu));
	if (idle.length === 0) return undefined;
	if (machine.heard_at === null) return 'Its host was never heard.';
	if (machine.contact !== 'heard') return 'Its host is not heard.';
	return troubleOn(idle, {machine, jobs});
}

/** Known reason why the job does not run on idle GPUs. */
function troubleOn(
	idle: readonly number[],
	{machine, jobs}: Pick<DefaultJobFiles, 'machine' | 'jobs'>,
): string {
	const starting = jobs.filter(job => job.current === 'running' && !isRunning(job));
	const begun = gpusOn(starting);
	const busy = new Set(gpuIndexesOfMask(machine.busy_mask));
	// A busy GPU of a job that has begun may be in use by the job itself.
	const held = idle.filter(gpu => busy.has(gpu) && !begun.has(gpu));
	if (held.length > 0) return `Its host says that something else uses ${wordsOf(held)}.`;
	const [first] = starting;
	if (first !== undefined) {
		const where = wordsOf([...begun]);
		return `It is starting on ${where}${first.message === null ? '.' : `: ${first.message}`}`;
	}
	const placed = gpusOn(jobs);
	const bare = idle.filter(gpu => !placed.has(gpu));
	if (bare.length > 0) return `Its host offers nothing that has ${wordsOf(bare)}.`;
	return `It waits for ${wordsOf(idle)}.`;
}

function gpusOn(rows: ReadonlyArray<Pick<InstanceRow, 'gpu_mask'>>): ReadonlySet<number> {
	return new Set(rows.flatMap(({gpu_mask: mask}) => gpuIndexesOfMask(mask)));
}

/** GPUs of a machine; one without GPUs has one bit for itself. */
export function gpusIn({num_gpus: gpus}: Pick<MachineRow, 'num_gpus'>): readonly number[] {
	return Array.from({length: Math.max(1, gpus)}, (_, gpu) => gpu);
}

function wordsOf(gpus: readonly number[]): string {
	return `GPU ${gpus.toSorted((one, other) => one - other).join(', ')}`;
}
