/** Runs scheduled jobs: each within the transaction that notes that it ran. */
import {sql} from 'kysely';
import {isRecord} from '../contract/grammar/json.ts';
import {jobCall} from '../contract/nouns/scheduled-jobs.ts';
import {statusOf} from './answers.ts';
import type {Log} from './log.ts';
import {authorize} from './auth.ts';
import type {ChangeCall} from './history.ts';
import {keptSchedule} from './operations/scheduled-jobs.ts';
import {Refusal} from './refusal.ts';
import {forms} from './routes/forms.ts';
import type {Services} from './services.ts';
import {orderOf} from './routes/scheduled-jobs.ts';
import {nextRun} from './rules/schedule.ts';
import type {Database} from './store/database.ts';
import {databaseTrouble} from './store/database-trouble.ts';
import type {ScheduledJobRow} from './store/job-tables.ts';
import {findPresent} from './store/instances.ts';
import {findKeyById, memberOfKey} from './store/callers.ts';
import {dueJobs, findJob, updateJob} from './store/scheduled-jobs.ts';
import {writingOn} from './store/writing.ts';

/** Jobs run in one sweep: all else waits meanwhile. */
const JOBS_AT_ONCE = 100;

/** Runs what is due, once each: what was missed while nobody was here runs once, too. */
export function createJobRunner(services: Services, log: Log): (now: number) => Promise<void> {
	const {database, workSignal, history} = services;
	return async now => {
		for (const {id, account_id: accountId, instance_id} of await dueJobs(
			database,
			now,
			JOBS_AT_ONCE,
		)) {
			const run = await writingOn(database, {instances: [instance_id]}, async transaction => {
				// Another process may have run it, or its owner changed it.
				const job = await findJob(transaction, {id, accountId});
				if (job === undefined || job.next_at === null || job.next_at > now) return undefined;
				const {last_result, status} = await outcomeOf(transaction, job, {services, log});
				const next_at = nextRun(keptSchedule(job), now + 1) ?? null;
				await updateJob(transaction, id, {next_at, last_at: now, last_result});
				const host = (await findPresent(transaction, instance_id))?.host_account_id;
				const memberId = await memberOfKey(transaction, job.key_id);
				return {host, change: changeOf(job, {memberId, at: now, status})};
			});
			if (run === undefined) continue;
			history.note(run.change);
			if (run.host !== undefined) workSignal.send(run.host);
		}
	};
}

/** The call of a job for the history of its account, to which it comes from nowhere. */
function changeOf(
	job: ScheduledJobRow,
	{memberId, at, status}: Pick<ChangeCall, 'at' | 'status'> & {readonly memberId: number | null},
): ChangeCall {
	return {
		caller: {id: job.key_id, accountId: job.account_id, memberId},
		at,
		address: '',
		route: `${job.request_method} ${job.api_endpoint}`,
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
		sent: JSON.parse(job.request_body) as Readonly<Record<string, unknown>>,
		status,
	};
}

type Around = {readonly services: Services; readonly log: Log};

/** Makes the call of a job, all of it or nothing, and says what came of it. */
async function outcomeOf(
	transaction: Database,
	job: ScheduledJobRow,
	{services, log}: Around,
): Promise<{readonly last_result: string; readonly status: number}> {
	await sql`savepoint job`.execute(transaction);
	try {
		const reply = await make(job, {...services, database: transaction});
		await sql`release job`.execute(transaction);
		const said = isRecord(reply) && typeof reply['msg'] === 'string' ? reply['msg'] : 'done';
		const isRefused = isRecord(reply) && reply['success'] === false;
		return {last_result: isRefused ? said : 'done', status: 200};
	} catch (error) {
		if (!(error instanceof Refusal) && databaseTrouble(error) !== undefined) throw error;
		await sql`rollback to job`.execute(transaction);
		await sql`release job`.execute(transaction);
		const status = statusOf(error);
		if (error instanceof Refusal) return {last_result: error.message, status};
		log(`scheduled job ${job.id}: ${error instanceof Error ? error.stack : String(error)}`);
		return {last_result: 'Something went wrong here.', status};
	}
}

/** Makes it with the key that scheduled it, as that is by now. */
async function make(job: ScheduledJobRow, services: Services): Promise<unknown> {
	const caller = await findKeyById(services.database, job.key_id);
	if (caller === undefined) throw new Refusal('unknownKey', 'Its API key has ended.');
	const {endpoint, instanceId, body} = jobCall(orderOf(job));
	authorize(caller, endpoint, String(instanceId));
	const form = forms.find(one => one.endpoint === endpoint);
	const parts = {params: {id: instanceId}, ...(body !== undefined && {body})};
	const {signal} = new AbortController();
	const call = {caller, signal, origin: '', known: undefined, secretOf: noSecret};
	return form?.handle(parts, {...services, ...call});
}

/** A job is made with a key that nobody sends. */
function noSecret(): never {
	throw new Refusal('loginRequired', 'This action requires its key.');
}
