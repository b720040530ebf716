import type {Contract} from '../../contract/index.ts';
import {
	jobCall,
	JobError,
	type JobOrder,
	type JobRecord,
} from '../../contract/nouns/scheduled-jobs.ts';
import {authorize} from '../api-keys/auth.ts';
import {endJob, keepJob, knownJob, type WantedJob, orderOf} from './scheduled-jobs.ts';
import {Refusal} from '../base/refusal.ts';
import type {ScheduledJobRow} from '../database/account-tables.ts';
import type {ApiKey} from '../base/api-key.ts';
import {listJobs} from './store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['scheduledJobs'];

export const list: Handler<Calls['list']> = async (_, {database, caller: {accountId}}) =>
	(await listJobs(database, accountId)).map(recordOf);

export const create: Handler<Calls['create']> = async ({body}, {database, clock, caller}) => {
	const now = clock.now();
	const id = await keepJob(database, wantedOf(body, caller, now), {now});
	return {success: true, id, msg: `Job ${id} was scheduled.`};
};

export const change: Handler<Calls['change']> = async (
	{params: {id}, body},
	{database, clock, caller},
) => {
	const now = clock.now();
	const {accountId} = caller;
	const kept = orderOf(await knownJob(database, {id, accountId}));
	const wanted = wantedOf({...kept, ...given(body), request_body: body.request_body}, caller, now);
	await keepJob(database, wanted, {id, now});
	return {success: true, id, msg: `Job ${id} was changed.`};
};

const deleteJob: Handler<Calls['delete']> = async (
	{params: {id}},
	{database, caller: {accountId}},
) => {
	await endJob(database, {id, accountId});
	return {success: true, id, msg: `Job ${id} was deleted.`};
};

export {deleteJob as delete};

type Present<Of> = {[Name in keyof Of]?: NonNullable<Of[Name]>};

function given<Of extends object>(fields: Of): Present<Of> {
	const entries = Object.entries(fields).filter(([, value]) => (value ?? undefined) !== undefined);
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, but for empty ones
	return Object.fromEntries(entries) as Present<Of>;
}

/** Job of an order. @throws Refusal if the caller's key may not make its call */
function wantedOf(order: JobOrder, caller: ApiKey, now: number): WantedJob {
	const {kind, instanceId} = callOf(order, caller);
	return {
		accountId: caller.accountId,
		keyId: caller.id,
		instanceId,
		kind,
		apiEndpoint: order.api_endpoint,
		requestBody: order.request_body,
		startAt: order.start_time ?? now,
		endAt: order.end_time ?? undefined,
		day: order.day_of_the_week ?? undefined,
		hour: order.hour_of_the_day ?? undefined,
		frequency: order.frequency,
	};
}

function callOf(order: JobOrder, caller: ApiKey) {
	try {
		const call = jobCall(order);
		authorize(caller, call.endpoint, String(call.instanceId));
		return call;
	} catch (error) {
		if (error instanceof JobError) throw new Refusal('badArguments', error.message, {cause: error});
		throw error;
	}
}

function recordOf(job: ScheduledJobRow): JobRecord {
	return {
		id: job.id,
		...orderOf(job),
		start_time: job.start_at,
		end_time: job.end_at,
		day_of_the_week: job.day,
		hour_of_the_day: job.hour,
		min_of_the_hour: job.minute,
		last_run: job.last_at,
		last_result: job.last_result,
	};
}
