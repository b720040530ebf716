/** Calls about instances that the market makes at set times for a renter. */
import * as z from 'zod/mini';
import {bareList} from '../grammar/list-reply.ts';
import {endpoint, type Endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, refusalReply, recordRefusals} from '../grammar/errors.ts';
import {changeBid, change, reboot} from './instance-actions.ts';
import {execute} from './instance-tasks.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {figure, id, instant, pathId, text, pathWithId} from '../grammar/values.ts';

export const frequencies = ['HOURLY', 'DAILY', 'WEEKLY'] as const;
export type Frequency = (typeof frequencies)[number];

const moment = z
	.number('must be seconds since 1970')
	.check(z.minimum(0, 'must be after 1970'), z.maximum(2.5e11, 'is too late'));

const whole = (most: number) =>
	z
		.int(`must be a whole number from 0 to ${most}`)
		.check(z.minimum(0, 'must be at least 0'), z.maximum(most, `must be at most ${most}`));

const frequency = z.enum(frequencies, 'must be HOURLY, DAILY or WEEKLY');
const body = z.record(z.string(), z.unknown(), 'must be a JSON object');
const named = {
	api_endpoint: text(256),
	request_method: text(10),
	instance_id: z.union([id, pathId], 'must be a whole number'),
};

const times = {
	start_time: z.nullish(moment),
	/** End of the job; seven days after its start by default. */
	end_time: z.nullish(moment),
	/** Sunday is 0. In UTC, like the hour. */
	day_of_the_week: z.nullish(whole(6)),
	hour_of_the_day: z.nullish(whole(23)),
};

const jobOrder = z.object({...named, ...times, request_body: body, frequency});

export type JobOrder = z.output<typeof jobOrder>;

const jobChange = z.object({
	api_endpoint: z.nullish(named.api_endpoint),
	request_method: z.nullish(named.request_method),
	instance_id: z.nullish(named.instance_id),
	...times,
	request_body: body,
	frequency: z.nullish(frequency),
});

const jobRecord = tolerant(
	{id},
	{
		instance_id: id,
		api_endpoint: z.string(),
		request_method: z.string(),
		request_body: body,
		start_time: instant,
		end_time: instant,
		day_of_the_week: figure,
		hour_of_the_day: figure,
		/** Minute of the start. */
		min_of_the_hour: figure,
		frequency: z.string(),
		/** Time of the last run, and its result. */
		last_run: instant,
		last_result: z.string(),
	},
);

export type JobRecord = z.output<typeof jobRecord>;

/** The calls that can be scheduled: an instance has one job of each. */
const targets = {
	reboot,
	bid_price: changeBid,
	command: execute,
	start: change,
	stop: change,
} as const;

export type JobKind = keyof typeof targets;

/** Kinds that the path names; the others are told apart by the state that they set. */
const kindsOfPaths: readonly JobKind[] = ['reboot', 'bid_price', 'command'];

export type JobCall = {
	readonly kind: JobKind;
	readonly endpoint: Endpoint;
	readonly instanceId: number;
	/** Body of the call, decoded. */
	readonly body: unknown;
};

export class JobError extends Error {
	override readonly name = 'JobError';
}

type Named = Pick<JobOrder, 'api_endpoint' | 'request_method' | 'instance_id' | 'request_body'>;

/** @throws JobError */
export function jobCall({api_endpoint, request_method, instance_id, request_body}: Named): JobCall {
	const path = /^\/api\/v0\/instances\/(?:(reboot|bid_price|command)\/)?(\d{1,15})\/?$/;
	const [, word, number] = path.exec(api_endpoint) ?? [];
	if (number === undefined || request_method.toUpperCase() !== 'PUT') {
		throw new JobError(
			'Only PUT /api/v0/instances/reboot/{id}/, bid_price/{id}/, command/{id}/ and {id}/ with a state can be scheduled.',
		);
	}
	if (Number(number) !== instance_id) {
		throw new JobError('api_endpoint must name the instance of instance_id.');
	}
	// Existing clients name the instance here, too.
	const {instance_id: _, ...sent} = request_body;
	const stateKind = sent['state'] === 'running' ? 'start' : 'stop';
	const kind = kindsOfPaths.find(one => one === word) ?? stateKind;
	const target: Endpoint = targets[kind];
	if (kind === stateKind && (Object.keys(sent).length !== 1 || !('state' in sent))) {
		throw new JobError('request_body: must have a state, and nothing beside it');
	}
	return {kind, endpoint: target, instanceId: instance_id, body: readBody(target, sent)};
}

function readBody({body: schema}: Endpoint, sent: unknown): unknown {
	const read = schema?.safeParse(sent);
	if (read?.success !== false) return read?.data;
	const [issue] = read.error.issues;
	const place = ['request_body', ...(issue?.path ?? [])].map(String).join('.');
	throw new JobError(`${place}: ${issue?.message}`);
}

const path = '/api/v0/commands/schedule_job/';
const done = z.looseObject({success: z.literal(true), id, msg: z.optional(z.string())});

export const list = endpoint({
	method: 'GET',
	path,
	summary: 'List scheduled jobs, and what came of their last runs',
	replies: {200: bareList('jobs', jobRecord), ...commonRefusals},
	permission: 'instance_read',
	thresholdSeconds: 1,
});

export const create = endpoint({
	method: 'POST',
	path,
	summary: 'Schedule a call about an instance by the hour, the day or the week',
	makes: ['scheduledJob'],
	body: jobOrder,
	replies: {200: done, ...recordRefusals, 422: refusalReply},
	permission: 'instance_write',
	thresholdSeconds: 1,
});

const one = `${path}{id}/` as const;

export const changeJob = endpoint({
	method: 'PUT',
	path: one,
	summary: 'Change a scheduled job; what is not given stays',
	params: pathWithId,
	body: jobChange,
	same: {'params.id': 'id'},
	replies: {200: done, ...recordRefusals, 422: refusalReply},
	permission: 'instance_write',
	thresholdSeconds: 1,
});

export const deleteJob = endpoint({
	method: 'DELETE',
	path: one,
	summary: 'Delete a scheduled job',
	params: pathWithId,
	same: {'params.id': 'id'},
	replies: {200: done, ...recordRefusals},
	permission: 'instance_write',
	thresholdSeconds: 1,
});
