/** Runs scheduled jobs: each within the transaction that notes that it ran. */
import {isRecord} from '../../contract/grammar/json.ts';
import {jobCall} from '../../contract/nouns/scheduled-jobs.ts';
import {responseStatusOf} from '../http/answers.ts';
import type {Log} from '../base/log.ts';
import {authorize} from '../api-keys/auth.ts';
import type {ChangeCall} from '../accounts/history.ts';
import {keptSchedule, orderOf} from '../scheduled-jobs/scheduled-jobs.ts';
import {Refusal} from '../base/refusal.ts';
import {forms} from './forms.ts';
import type {MarketServices} from './services.ts';
import {nextRun} from '../scheduled-jobs/rules.ts';
import {databaseTrouble} from '../database/database-trouble.ts';
import type {ScheduledJobRow} from '../database/account-tables.ts';
import {findPresent} from '../lifecycle/instances-store.ts';
import {findKeyById, memberOfKey} from '../api-keys/store.ts';
import {dueJobs, findJob, updateJob} from '../scheduled-jobs/store.ts';
import {wholeOrNothing, writingOn} from '../database/writing.ts';

/** The most jobs of a sweep, because all other work waits for them. */
const JOBS_AT_ONCE = 100;

/** Runs due jobs, each once, even if several of its times were missed. */
export function createJobRunner(
	services: MarketServices,
	log: Log,
): (now: number) => Promise<void> {
	const {database, workSignal, history} = services;
	return async now => {
		const due = await dueJobs(database, now, JOBS_AT_ONCE).execute();
		for (const {id, account_id: accountId, instance_id} of due) {
			const run = await writingOn(database, {instances: [instance_id]}, async transaction => {
				// Another process may have run the job, or its owner changed it.
				const job = await findJob(transaction, {id, accountId});
				if (job === undefined || job.next_at === null || job.next_at > now) return undefined;
				const {last_result, status} = await outcomeOf(
					job,
					{...services, database: transaction},
					log,
				);
				const next_at = nextRun(keptSchedule(job), now + 1) ?? null;
				await updateJob(transaction, id, {next_at, last_at: now, last_result});
				const host = (await findPresent(transaction, instance_id))?.host_account_id;
				const memberId = await memberOfKey(transaction, job.key_id);
				const change: ChangeCall = {
					caller: {id: job.key_id, accountId, memberId},
					at: now,
					address: '',
					route: `${job.request_method} ${job.api_endpoint}`,
					// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
					sent: JSON.parse(job.request_body) as Readonly<Record<string, unknown>>,
					status,
				};
				return {host, change};
			});
			if (run === undefined) continue;
			history.note(run.change);
			if (run.host !== undefined) workSignal.send(run.host);
		}
	};
}

/** Makes the call of a job in a savepoint, and returns its outcome. */
async function outcomeOf(
	job: ScheduledJobRow,
	services: MarketServices,
	log: Log,
): Promise<{readonly last_result: string; readonly status: number}> {
	const done = await wholeOrNothing(services.database, async () => make(job, services));
	if (done.status === 'fulfilled') {
		const reply = done.value;
		const said = isRecord(reply) && typeof reply['msg'] === 'string' ? reply['msg'] : 'done';
		const isRefused = isRecord(reply) && reply['success'] === false;
		return {last_result: isRefused ? said : 'done', status: 200};
	}
	const error: unknown = done.reason;
	const status = responseStatusOf(error);
	if (error instanceof Refusal) return {last_result: error.message, status};
	if (databaseTrouble(error) !== undefined) throw error;
	log(`scheduled job ${job.id}: ${error instanceof Error ? error.stack : String(error)}`);
	return {last_result: 'Something went wrong here.', status};
}

/** Makes the call with the present permissions of the key that scheduled it. */
async function make(job: ScheduledJobRow, services: MarketServices): Promise<unknown> {
	const caller = await findKeyById(services.database, job.key_id);
	if (caller === undefined) throw new Refusal('unknownKey', 'Its API key has ended.');
	const {endpoint, instanceId, body} = jobCall(orderOf(job));
	authorize(caller, endpoint, String(instanceId));
	const form = forms.find(one => one.endpoint === endpoint);
	const parts = {params: {id: instanceId}, ...(body !== undefined && {body})};
	const {signal} = new AbortController();
	const call = {
		caller,
		// It was read in the transaction of the job.
		confirmCaller: async () => undefined,
		relay: undefined,
		signal,
		origin: '',
		known: undefined,
		secretOf() {
			// A job's key is not sent, and so has no derived secrets.
			throw new Refusal('loginRequired', 'This action requires its key.');
		},
	};
	return form?.handle(parts, {...services, ...call});
}
