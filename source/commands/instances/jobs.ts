/** `rentty jobs`: calls about instances that the service makes at set times. */
import type {Client} from '../../client/client.ts';
import type {JobOrder, JobRecord} from '../../contract/nouns/scheduled-jobs.ts';
import {isoMinute, jobTimes, jobWhat} from '../../renter/nouns/jobs.ts';
import {UsageError} from '../../renter/text/usage-error.ts';
import {type Command, type Context, getConsent, yesOption} from '../base/command.ts';
import {exitCodes} from '../base/failure.ts';
import {readDate} from '../base/options.ts';
import {findNamedInstance} from './fleet-polls.ts';
import {instanceName} from './facts.ts';
import {refuseMissing, writeList, type PrintedColumn} from '../base/output.ts';

const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

export const jobs: Command = {
	name: 'jobs',
	summary: 'list what the service does with instances at set times, add or remove a job',
	takes: '[list | add NAME WHAT [VALUE] | remove NUMBER]',
	isAboutInstances: true,
	about: [
		'WHAT is stop, start, reboot, bid with dollars an hour, or run with ls, rm or du and what it takes.',
		'The service does it by the hour, the day or the week, in UTC, whether this machine is on or not.',
		'An instance has one job of each, such as a stop at night and a start in the morning, until it ends.',
	],
	options: {
		hourly: {value: 'MINUTE', about: 'each hour at this minute, such as 30'},
		daily: {value: 'TIME', about: 'each day at this time in UTC, such as 22:00'},
		weekly: {value: 'DAY', about: 'with --daily: on this day alone', oneOf: days},
		until: {value: 'DATE', about: 'the last moment of a run (default: in seven days)'},
		...yesOption,
	},
	run,
};

async function run(context: Context): Promise<number> {
	const [word = 'list', ...rest] = context.words;
	if (word === 'list' && rest.length === 0) return list(context);
	if (word === 'add') return add(context, rest);
	const [number, ...others] = rest;
	if (word !== 'remove') {
		throw new UsageError('rentty jobs takes add, remove with a number, or nothing.');
	}
	if (number === undefined || !/^\d{1,15}$/.test(number) || others.length > 0) {
		throw new UsageError('rentty jobs remove needs one number: rentty jobs lists all.');
	}
	return remove(context, Number(number));
}

const columns: ReadonlyArray<PrintedColumn<JobRecord>> = [
	{title: 'ID', isNumber: true, cell: ({id}) => String(id)},
	{title: 'INSTANCE', isNumber: true, cell: ({instance_id: id}) => String(id ?? 'unknown')},
	{title: 'WHAT', cell: jobWhat},
	{title: 'WHEN (UTC)', cell: jobTimes},
	{title: 'UNTIL', cell: ({end_time: at}) => (typeof at === 'number' ? isoMinute(at) : undefined)},
	{
		title: 'LAST RUN',
		cell: ({last_run: at}) => (typeof at === 'number' ? isoMinute(at) : undefined),
	},
	{title: 'RESULT', cell: ({last_result: result}) => result ?? undefined},
];

async function list(context: Context): Promise<number> {
	const client = await context.client();
	const {jobs: rows, unreadable} = await client.scheduledJobs.list({signal: context.signal});
	const empty = 'No job is scheduled.';
	return writeList(context, {rows, unreadable, noun: 'scheduled jobs', columns, record, empty});
}

function record(job: JobRecord) {
	return {...job, what: jobWhat(job), when: jobTimes(job)};
}

async function add(context: Context, [name, what, ...value]: readonly string[]): Promise<number> {
	if (name === undefined || what === undefined) {
		throw new UsageError('rentty jobs add needs the name of an instance, and what is to be done.');
	}
	const {path, body} = callOf(what, value.join(' '));
	const {output, isJson, signal} = context;
	const client = await context.changer();
	const times = timesOf(context, client.clock.now() / 1000);
	const instance = await findNamedInstance(client, name, signal);
	const order: JobOrder = {
		api_endpoint: `/api/v0/instances/${path}${instance.id}/`,
		request_method: 'PUT',
		instance_id: instance.id,
		request_body: body,
		...times,
	};
	const text = `${jobWhat(order)} ${instanceName(instance)} ${jobTimes(order)}`;
	await getConsent(context, {lines: [`  ${text}`], question: 'Schedule it?'});
	const id = await client.scheduledJobs.create(order, {signal});
	if (isJson) output.json({id, instance: instance.id, what: jobWhat(order), when: jobTimes(order)});
	else output.line(`Job ${id}: ${text}`);
	return exitCodes.fine;
}

type JobCall = {readonly path: string; readonly body: Readonly<Record<string, unknown>>};

/** @throws UsageError */
function callOf(what: string, value: string): JobCall {
	const takesValue = what === 'bid' || what === 'run';
	if (takesValue !== (value !== '')) {
		throw new UsageError(`${what} takes ${takesValue ? 'a value behind it' : 'no value'}.`);
	}
	switch (what) {
		case 'stop':
			return {path: '', body: {state: 'stopped'}};
		case 'start':
			return {path: '', body: {state: 'running'}};
		case 'reboot':
			return {path: 'reboot/', body: {}};
		case 'run':
			return {path: 'command/', body: {command: value}};
		case 'bid':
			if (!/^\d{1,4}(\.\d{1,6})?$/.test(value)) {
				throw new UsageError('bid takes dollars an hour, such as 0.25.');
			}
			return {path: 'bid_price/', body: {price: Number(value)}};
		default:
			throw new UsageError('What is to be done is stop, start, reboot, bid or run.');
	}
}

type Times = Pick<
	JobOrder,
	'start_time' | 'end_time' | 'frequency' | 'hour_of_the_day' | 'day_of_the_week'
>;

/** @throws UsageError */
function timesOf({textOf}: Context, now: number): Times {
	const [hourly, daily, weekly] = [textOf('hourly'), textOf('daily'), textOf('weekly')];
	const end_time = endOf(textOf('until'), now);
	if ((hourly === undefined) === (daily === undefined)) {
		throw new UsageError(
			'rentty jobs add needs --hourly or --daily, and takes --weekly with --daily.',
		);
	}
	if (hourly !== undefined) {
		if (!/^[0-5]?\d$/.test(hourly) || weekly !== undefined) {
			throw new UsageError('--hourly takes a minute from 0 to 59, and stands alone.');
		}
		return {start_time: startAt(now, Number(hourly)), end_time, frequency: 'HOURLY'};
	}
	const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(daily ?? '') ?? [];
	if (hour === undefined) throw new UsageError('--daily takes a time in UTC, such as 22:00.');
	const day = weekly === undefined ? undefined : days.indexOf(weekly);
	return {
		start_time: startAt(now, Number(minute)),
		end_time,
		frequency: day === undefined ? 'DAILY' : 'WEEKLY',
		hour_of_the_day: Number(hour),
		day_of_the_week: day,
	};
}

/** The next moment with this minute, at which an hourly job runs. */
function startAt(now: number, minute: number): number {
	const hour = Math.floor(now / 3600) * 3600 + minute * 60;
	return hour >= now ? hour : hour + 3600;
}

/** @throws UsageError */
function endOf(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const at = readDate(text);
	if (at !== undefined && at > now) return at;
	throw new UsageError('--until takes a date to come, such as 2027-06-30 or 2027-06-30T14:00Z.');
}

async function remove(context: Context, number: number): Promise<number> {
	const {output, isJson, signal} = context;
	const client = await context.changer();
	const job = await findJob(client, number, signal);
	const text = `${jobWhat(job)} instance ${job.instance_id ?? 'unknown'} ${jobTimes(job)}`;
	await getConsent(context, {lines: [`  ${text}`], question: 'Remove it?'});
	await client.scheduledJobs.delete(number, {signal});
	if (isJson) output.json({id: number, outcome: 'removed'});
	else output.line(`${number} removed`);
	return exitCodes.fine;
}

async function findJob(client: Client, number: number, signal: AbortSignal): Promise<JobRecord> {
	const {jobs: all, unreadable} = await client.scheduledJobs.list({signal});
	const job = all.find(({id}) => id === number);
	if (job !== undefined) return job;
	return refuseMissing(`No job ${number} is scheduled`, {
		unreadable,
		noun: 'scheduled jobs',
		command: 'jobs',
	});
}
