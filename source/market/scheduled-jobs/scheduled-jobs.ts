/** Scheduled jobs of an account: made, changed and deleted. */
import {Refusal} from '../base/refusal.ts';
import type {Frequency, JobKind, JobOrder} from '../../contract/nouns/scheduled-jobs.ts';
import {minuteOfHour, nextRun, type Schedule} from './rules.ts';
import type {Database} from '../database/database.ts';
import type {ScheduledJobRow} from '../database/account-tables.ts';
import {findInstance} from '../lifecycle/instances-store.ts';
import {deleteJobRow, findJob, insertJob, findScheduledJob, updateJob} from './store.ts';
import {writingOn} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {isRecord} from '../../contract/grammar/json.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Default duration of a job. */
const USUAL_SECONDS = 7 * DAY;

/** Request for a job, whose call was checked. */
export type WantedJob = {
	readonly accountId: number;
	readonly keyId: number;
	readonly instanceId: number;
	readonly kind: JobKind;
	readonly apiEndpoint: string;
	readonly requestBody: Readonly<Record<string, unknown>>;
	readonly startAt: number;
	readonly endAt: number | undefined;
	readonly day: number | undefined;
	readonly hour: number | undefined;
	readonly frequency: Frequency;
};

/** Makes a job, or changes the one with an id; @throws Refusal */
export async function keepJob(
	database: Database,
	wanted: WantedJob,
	{id, now}: {readonly id?: number; readonly now: number},
): Promise<number> {
	const schedule = scheduleOf(wanted);
	const next_at = nextRun(schedule, now);
	if (next_at === undefined) {
		throw new Refusal('badArguments', 'The job would never run: its end comes first.');
	}
	const {accountId, instanceId, kind} = wanted;
	return writingOn(
		database,
		{instances: [instanceId], accounts: [accountId]},
		async transaction => {
			if (id !== undefined) await knownJob(transaction, {id, accountId});
			const instance = await findInstance(transaction, {id: instanceId, accountId});
			if (instance === undefined) {
				throw new Refusal('noSuchInstance', `Instance ${instanceId} not found.`);
			}
			const same = await findScheduledJob(transaction, instanceId, kind);
			if (same !== undefined && same.id !== id) {
				// An ended job frees its slot for a new one.
				if (same.next_at !== null) {
					const text = `Job ${same.id} does this with this instance already: change it, or remove it first.`;
					throw new Refusal('jobExists', text, {fields: {scheduled_job_id: same.id}});
				}
				await deleteJobRow(transaction, same.id);
			}
			const row = {...rowOf(wanted, schedule), next_at};
			if (id === undefined) {
				const made = await insertJob(transaction, {...row, last_at: null, last_result: null});
				await refuseTooMany(transaction, 'scheduledJob', {accountId, now});
				return made;
			}
			await updateJob(transaction, id, row);
			return id;
		},
	);
}

function scheduleOf({frequency, startAt, endAt, day, hour}: WantedJob): Schedule {
	if (frequency !== 'HOURLY' && hour === undefined) {
		throw new Refusal('badArguments', 'hour_of_the_day must be given for every day and week');
	}
	if (frequency === 'WEEKLY' && day === undefined) {
		throw new Refusal('badArguments', 'day_of_the_week must be given for every week');
	}
	return {
		frequency,
		startAt,
		endAt: endAt ?? startAt + USUAL_SECONDS,
		day: frequency === 'WEEKLY' ? (day ?? null) : null,
		hour: frequency === 'HOURLY' ? null : (hour ?? null),
		minute: minuteOfHour(startAt),
	};
}

function rowOf(wanted: WantedJob, {frequency, startAt, endAt, day, hour, minute}: Schedule) {
	return {
		account_id: wanted.accountId,
		key_id: wanted.keyId,
		instance_id: wanted.instanceId,
		kind: wanted.kind,
		api_endpoint: wanted.apiEndpoint,
		request_method: 'PUT',
		request_body: JSON.stringify(wanted.requestBody),
		start_at: startAt,
		end_at: endAt,
		day,
		hour,
		minute,
		frequency,
	};
}

/** @throws Refusal if the account has none with this id */
export async function endJob(
	database: Database,
	name: {readonly id: number; readonly accountId: number},
): Promise<void> {
	await writingOn(database, {accounts: [name.accountId]}, async transaction => {
		const {id} = await knownJob(transaction, name);
		await deleteJobRow(transaction, id);
	});
}

/** A job of an account; @throws Refusal */
export async function knownJob(
	database: Database,
	name: {readonly id: number; readonly accountId: number},
): Promise<ScheduledJobRow> {
	const job = await findJob(database, name);
	if (job === undefined) throw new Refusal('noSuchJob', `There is no scheduled job ${name.id}.`);
	return job;
}

export function keptSchedule(job: ScheduledJobRow): Schedule {
	const {start_at: startAt, end_at: endAt, day, hour, minute, frequency} = job;
	return {startAt, endAt, day, hour, minute, frequency};
}

/** The order that would recreate a job. */
export function orderOf(job: ScheduledJobRow): JobOrder {
	const {api_endpoint, request_method, instance_id, frequency} = job;
	const body: unknown = JSON.parse(job.request_body);
	return {
		api_endpoint,
		request_method,
		instance_id,
		request_body: isRecord(body) ? body : {},
		start_time: job.start_at,
		end_time: job.end_at,
		day_of_the_week: job.day,
		hour_of_the_day: job.hour,
		frequency,
	};
}
