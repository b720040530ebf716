/** Tests of a provider's machines, by which they are verified. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {recordRefusals} from '../grammar/errors.ts';
import {listReply} from '../grammar/list-reply.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {id, instant, pathWithId} from '../grammar/values.ts';

/** One check of a test, by whom it was seen: the market itself, or the host alone. */
const check = tolerant(
	{name: z.string()},
	{outcome: z.string(), said_by: z.string(), detail: z.string(), value: z.number()},
);

const machineTest = tolerant(
	{id},
	{
		machine_id: id,
		instance_id: id,
		/** It was asked for, or due. */
		reason: z.string(),
		started_at: instant,
		ended_at: instant,
		/** passed, failed or unfinished; null while it goes on. */
		outcome: z.string(),
		note: z.string(),
		checks: z.array(check),
	},
);

export type MachineTest = z.output<typeof machineTest>;

export const test = endpoint({
	method: 'POST',
	path: '/api/v0/machines/{id}/tests/',
	summary: 'Test a machine: it is verified when it passes, and renters go before the test',
	makes: ['machineTest'],
	params: pathWithId,
	replies: {200: z.looseObject({success: z.literal(true), test_id: id}), ...recordRefusals},
	permission: 'machine_write',
	thresholdSeconds: 1,
	extension: true,
});

export const tests = endpoint({
	method: 'GET',
	path: '/api/v0/machines/{id}/tests/',
	summary: 'List the last tests of a machine with what was checked, the newest first',
	params: pathWithId,
	same: {'params.id': 'tests.machine_id'},
	replies: {
		200: listReply(z.looseObject({tests: z.array(machineTest)}), {
			name: 'tests',
			record: machineTest,
			hasIds: true,
		}),
		...recordRefusals,
	},
	permission: 'machine_read',
	thresholdSeconds: 1,
	extension: true,
});
