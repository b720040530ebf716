/** Upkeep of a provider's machines: maintenance, cleaning up, reports, removal, and the tests by which they are verified. */
import * as z from 'zod/mini';
import {endpoint} from '../grammar/endpoint.ts';
import {commonRefusals, recordRefusals} from '../grammar/errors.ts';
import {bareList, listReply} from '../grammar/list-reply.ts';
import {maintenanceWindow} from './machines.ts';
import {tolerant} from '../grammar/tolerant.ts';
import {amount, id, instant, text, pathWithId, done} from '../grammar/values.ts';

const writing = {permission: 'machine_write', thresholdSeconds: 1} as const;

const remove = endpoint({
	method: 'POST',
	path: '/api/v0/machines/{id}/force_delete/',
	summary: 'Remove a machine that nobody rents',
	params: pathWithId,
	replies: {200: done, ...recordRefusals},
	...writing,
});

export {remove as delete};

export const announceMaintenance = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/{id}/dnotify/',
	summary: 'Announce maintenance to the renters of a machine; it is not rentable meanwhile',
	makes: ['maintenance'],
	params: pathWithId,
	body: z.object({
		sdate: z.union([z.number(), text(64)], 'must be seconds since 1970, or a date'),
		duration: z.number('must be hours').check(z.positive(), z.maximum(720)),
		maintenance_reason: z.nullish(text(1024)),
		maintenance_category: z.nullish(text(64)),
	}),
	replies: {200: done, ...recordRefusals},
	...writing,
	thresholdSeconds: 2.5,
});

export const cancelMaintenance = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/{id}/cancel_maint/',
	summary: 'Cancel the announced maintenance of a machine',
	params: pathWithId,
	same: {'params.id': 'machine_id'},
	replies: {
		200: z.looseObject({...done.shape, ctime: z.optional(instant), machine_id: z.optional(id)}),
		...recordRefusals,
	},
	...writing,
});

export const cleanUp = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/{id}/cleanup/',
	summary: 'Delete rentals that ended more than two days ago, with their data',
	params: pathWithId,
	same: {'params.id': 'machine_id'},
	replies: {
		200: z.looseObject({
			...done.shape,
			machine_id: z.optional(id),
			user_id: z.optional(id),
			ctime: z.optional(instant),
			num_deleted: amount,
		}),
		...recordRefusals,
	},
	...writing,
	thresholdSeconds: 8,
});

export const defragment = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/defrag_offers/',
	summary: 'Move stopped rentals to other GPUs, so that more are free together',
	body: z.object({machine_ids: z.array(id).check(z.maxLength(1000))}),
	same: {'body.machine_ids': 'machines.machine_id'},
	replies: {
		200: z.looseObject({
			success: z.literal(true),
			machines: z.array(z.looseObject({machine_id: id, moved: amount, offers: amount})),
		}),
		...recordRefusals,
	},
	...writing,
});

/** A list of ids as JSON text. */
const idList = z.codec(text(8192), z.array(id).check(z.maxLength(1000)), {
	decode(line) {
		try {
			const read: unknown = JSON.parse(line);
			return z.parse(z.array(z.number()), Array.isArray(read) ? read : [read]);
		} catch {
			return [Number.NaN];
		}
	},
	encode: ids => JSON.stringify(ids),
});

export const maintenance = endpoint({
	method: 'GET',
	path: '/api/v0/machines/maintenances/',
	summary: 'List announced maintenance of own machines, and of those with own instances',
	query: z.object({machine_ids: z.optional(idList)}),
	same: {'query.machine_ids': 'windows.machine_id'},
	replies: {200: bareList('windows', maintenanceWindow), ...commonRefusals},
	// The handler asks renters for `instance_read`, and providers for `machine_read`.
	permission: 'any key',
	thresholdSeconds: 1,
});

const report = tolerant(
	{id},
	{problem: z.string(), message: z.string(), machine_id: id, created_at: z.string()},
);

export const reports = endpoint({
	method: 'GET',
	path: '/api/v0/machines/{id}/reports/',
	summary: 'List what renters report of a machine, the newest first',
	params: pathWithId,
	same: {'params.id': 'reports.machine_id'},
	replies: {200: bareList('reports', report), ...recordRefusals},
	permission: 'machine_read',
	thresholdSeconds: 1,
});

const reportMachine = endpoint({
	method: 'PUT',
	path: '/api/v0/machines/{id}/report/',
	summary: 'Report a problem of a machine that the account rents, or has rented',
	makes: ['machineReport'],
	params: pathWithId,
	body: z.object({
		problem: text(64).check(z.minLength(1)),
		message: z.nullish(text(2048)),
		instance_id: z.nullish(id),
	}),
	replies: {200: done, ...recordRefusals},
	permission: 'instance_write',
	thresholdSeconds: 1,
});

export {reportMachine as report};

/** Check of a test; `said_by` is `market`, which made the check itself, or `host`. */
const check = tolerant(
	{name: z.string()},
	{outcome: z.string(), said_by: z.string(), detail: z.string(), value: z.number()},
);

const machineTest = tolerant(
	{id},
	{
		machine_id: id,
		instance_id: id,
		/** Reason of the test: requested, or due. */
		reason: z.string(),
		started_at: instant,
		ended_at: instant,
		/** passed, failed or unfinished; null while it is running. */
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
