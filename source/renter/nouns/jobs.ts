/** Jobs in words: scheduled calls with their times, and the job of a machine on its idle GPUs. */
import type {JobRecord} from '../../contract/nouns/scheduled-jobs.ts';
import {MISSING, money} from '../text/format.ts';
import type {Machine} from '../../contract/nouns/machines.ts';

type Called = Partial<Pick<JobRecord, 'api_endpoint' | 'request_body' | 'request_method'>>;

const jobPath = /^\/api\/v0\/instances\/(?:(?<word>\w+)\/)?(?<id>\d{1,15})\/?$/v;

/** End of an instance by a job, by id or address; undefined for jobs that end none. */
export function jobEnd(
	job: Called & Partial<Pick<JobRecord, 'instance_id'>>,
	id: number,
): 'stop' | 'destroy' | undefined {
	const named = jobPath.exec(job.api_endpoint ?? '')?.groups?.['id'];
	if (job.instance_id !== id && Number(named) !== id) return undefined;
	const what = jobWhat(job);
	return what === 'stop' || what === 'destroy' ? what : undefined;
}

/** Call of a job in words: `stop`, `bid 0.25`, `run ls -l`. */
export function jobWhat(job: Called): string {
	const {api_endpoint: path, request_body: body, request_method: method} = job;
	const value = (name: string) => {
		const found = body?.[name];
		return typeof found === 'string' || typeof found === 'number' ? String(found) : MISSING;
	};
	const word = jobPath.exec(path ?? '')?.groups?.['word'];
	if (word === 'reboot') return 'reboot';
	if (word === 'bid_price') return `bid ${value('price')}`;
	if (word === 'command') return `run ${value('command')}`;
	if (method?.toUpperCase() === 'DELETE') return 'destroy';
	return stateVerbs[value('state')] ?? MISSING;
}

const stateVerbs: Readonly<Record<string, string>> = {running: 'start', stopped: 'stop'};

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

type Timed = Partial<
	Pick<
		JobRecord,
		'day_of_the_week' | 'frequency' | 'hour_of_the_day' | 'min_of_the_hour' | 'start_time'
	>
>;

/** Times of a job, in UTC: `each day at 22:00`. */
export function jobTimes(job: Timed): string {
	const {frequency, hour_of_the_day: hour, day_of_the_week: day, start_time: start} = job;
	const minute = job.min_of_the_hour ?? (typeof start === 'number' ? minuteOf(start) : 0);
	if (frequency === 'HOURLY') return `each hour at :${two(minute)}`;
	const time = `${two(hour ?? 0)}:${two(minute)}`;
	if (frequency === 'DAILY') return `each day at ${time}`;
	return frequency === 'WEEKLY' ? `each ${days[day ?? 0] ?? MISSING} at ${time}` : MISSING;
}

function two(value: number): string {
	return String(value).padStart(2, '0');
}

function minuteOf(seconds: number): number {
	return Math.floor(seconds / 60) % 60;
}

/** A moment in UTC, to the minute. */
export function isoMinute(seconds: number): string {
	return `${new Date(seconds * 1000).toISOString().slice(0, 16)}Z`;
}

/** The job that a machine runs on its idle GPUs, in words; undefined without one. */
export function defaultJobText(machine: Machine): string | undefined {
	const {bid_image: image, bid_gpu_cost: cost, bid_gpus_running: running, ...rest} = machine;
	if (typeof image !== 'string' || image === '') return undefined;
	const gpus = rest.num_gpus ?? 0;
	const where = typeof running === 'number' && gpus > 0 ? ` on ${running} of ${gpus} GPUs` : '';
	const what = typeof cost === 'number' ? `${image} at ${money(cost)}/h` : image;
	const trouble = rest.bid_trouble;
	const isTroubled = typeof trouble === 'string' && trouble !== '';
	return `own job${where}: ${isTroubled ? `${trouble} (${what})` : what}`;
}
