import type {Contract} from '../../contract/index.ts';
import {isGranted} from '../../contract/grammar/permissions.ts';
import {announce, cancel} from './maintenance.ts';
import {ownMachine} from '../lifecycle/own-machine.ts';
import * as upkeep from './upkeep.ts';
import {Refusal} from '../base/refusal.ts';
import {windowRecord} from './provider-machine-rules.ts';
import {maintenanceFor, reportsOf} from './maintenance-store.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['machines'];

const remove: Handler<Calls['delete']> = async (
	{params: {id}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	await upkeep.remove(database, {id, accountId}, clock.now());
	workSignal.send(accountId);
	return {success: true, msg: `Machine ${id} is removed.`};
};

export {remove as delete};

export const announceMaintenance: Handler<Calls['announceMaintenance']> = async (
	{params: {id}, body},
	{database, clock, caller: {accountId}},
) => {
	const plan = {
		sdate: body.sdate,
		hours: body.duration,
		reason: body.maintenance_reason ?? null,
		category: body.maintenance_category ?? null,
	};
	const told = await announce(database, {id, accountId}, plan, clock.now());
	return {success: true, you_sent: `${told} notifications sent`};
};

export const cancelMaintenance: Handler<Calls['cancelMaintenance']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	const ctime = clock.now();
	const count = await cancel(database, {id, accountId}, ctime);
	const msg = `deleted ${count} scheduled maintenance window(s) on machine ${id}`;
	return {success: true, ctime, machine_id: id, msg};
};

export const maintenance: Handler<Calls['maintenance']> = async (
	{query: {machine_ids: wanted}},
	{database, clock, caller: {accountId, grants}},
) => {
	const needs = ['machine_read', 'instance_read'] as const;
	if (!needs.some(permission => isGranted(grants, {permission}))) {
		throw new Refusal('lacksPermission', 'This key lacks the permission instance_read.');
	}
	const windows = await maintenanceFor(database, accountId, clock.now());
	return windows.filter(({machine_id: id}) => wanted?.includes(id) ?? true).map(windowRecord);
};

export const cleanUp: Handler<Calls['cleanUp']> = async (
	{params: {id}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const ctime = clock.now();
	const count = await upkeep.cleanUp(database, {id, accountId}, ctime);
	workSignal.send(accountId);
	const msg = `deleted ${count} expired contracts on machine ${id}`;
	return {success: true, ctime, machine_id: id, user_id: accountId, num_deleted: count, msg};
};

export const defragment: Handler<Calls['defragment']> = async (
	{body: {machine_ids: ids}},
	{database, caller: {accountId}},
) => {
	for (const id of ids) await ownMachine(database, {id, accountId});
	const machines = [];
	for (const id of ids) {
		machines.push({machine_id: id, ...(await upkeep.defragment(database, {id, accountId}))});
	}
	return {success: true, machines};
};

/** The most reports that one call answers. */
const MOST_REPORTS = 100;

export const reports: Handler<Calls['reports']> = async (
	{params: {id}},
	{database, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	const rows = await reportsOf(database, id, MOST_REPORTS);
	return rows.map(row => ({
		id: row.id,
		machine_id: row.machine_id,
		problem: row.problem,
		message: row.message,
		created_at: new Date(row.created_at * 1000).toISOString(),
	}));
};

export const report: Handler<Calls['report']> = async (
	{params: {id}, body: {problem, message, instance_id: instanceId}},
	{database, clock, caller: {accountId}},
) => {
	const complaint = {problem, message: message ?? '', instanceId: instanceId ?? null};
	await upkeep.reportMachine(database, {id, accountId}, complaint, clock.now());
	return {success: true, msg: `Machine ${id} is reported to its provider.`};
};
