import type {Contract} from '../../contract/index.ts';
import {offerMachineOn, setPriceFloor, unlistMachine} from './listing.ts';
import {chargeRenters} from '../billing/charging.ts';
import {endDefaultJob, startDefaultJob} from '../default-jobs/default-jobs.ts';
import {beginCompanions, beginTest, type Testing} from '../machine-tests/machine-tests.ts';
import {ownMachine} from '../lifecycle/own-machine.ts';
import {daysOf, earningsRecord} from '../ledger/rules.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import {providerMachine, windowRecord} from './provider-machine-rules.ts';
import type {Database} from '../database/database.ts';
import {readAccount, accountNamed} from '../ledger/accounts-store.ts';
import {defaultJobsOf} from '../default-jobs/store.ts';
import {readEarnings, readOwed} from '../ledger/store.ts';
import {findMachineTests} from '../machine-tests/store.ts';
import {countReports, maintenanceFor, reportsOf} from './maintenance-store.ts';
import {listingsOf} from './listings-store.ts';
import {
	earnedSince,
	providedMachines,
	providedOffers,
	rentalsOn,
	volumesUse,
} from './provider-machines-store.ts';
import type {Flag} from '../database/instance-tables.ts';
import {shownDetails} from '../accounts/rules.ts';
import type {Handler} from '../http/handler.ts';
import {isGranted} from '../../contract/grammar/permissions.ts';
import {announce, cancelAnnouncement} from './maintenance.ts';
import * as upkeep from './upkeep.ts';
import {Refusal} from '../base/refusal.ts';
import {DAY} from '../../contract/rules/durations.ts';

type Calls = Contract['machines'];

type Needs = {readonly testing: Testing};

const WEEK = 7 * DAY;

/** Records of all machines of an account, or of one. */
async function recordsOf(
	database: Database,
	{accountId, machineId, now}: {accountId: number; machineId?: number; now: number},
) {
	const wanted = {accountId, machineId};
	const machines = await providedMachines(database, wanted);
	const offers = Map.groupBy(await providedOffers(database, wanted), row => row.machine_id);
	const instances = await rentalsOn(database, wanted);
	const of = (isDefaultJob: Flag) => {
		const some = instances.filter(row => row.default_job === isDefaultJob);
		return Map.groupBy(some, row => row.machine_id);
	};
	const [rentals, jobs] = [of(0), of(1)];
	const defaultJobs = new Map(
		(await defaultJobsOf(database, accountId)).map(row => [row.machine_id, row]),
	);
	const volumes = new Map((await volumesUse(database, accountId)).map(use => [use.machineId, use]));
	const listings = new Map(
		(await listingsOf(database, accountId)).map(row => [row.machine_id, row]),
	);
	const reports = new Map(
		(await countReports(database, accountId, now - WEEK)).map(row => [row.machine_id, row]),
	);
	const windows = Map.groupBy(
		await maintenanceFor(database, accountId, now),
		row => row.machine_id,
	);
	const earned = await earnedSince(database, accountId, now - DAY);
	return machines.map(machine =>
		providerMachine(
			{
				machine,
				listing: listings.get(machine.id),
				offers: offers.get(machine.id) ?? [],
				rentals: rentals.get(machine.id) ?? [],
				defaultJob: defaultJobs.get(machine.id),
				jobs: jobs.get(machine.id) ?? [],
				volumes: volumes.get(machine.id) ?? {gb: 0, monthly: 0},
				reports: reports.get(machine.id) ?? {all: 0, recent: 0},
				windows: windows.get(machine.id) ?? [],
				earnedMicros: earned.get(machine.id) ?? 0,
			},
			now,
		),
	);
}

export const list: Handler<Calls['list']> = async (_, {database, clock, caller: {accountId}}) => ({
	machines: await recordsOf(database, {accountId, now: clock.now()}),
});

export const show: Handler<Calls['show']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	return recordsOf(database, {accountId, machineId: id, now: clock.now()});
};

export const offer: Handler<Calls['offer']> = async (
	{body},
	{database, clock, workSignal, caller: {accountId}},
) => {
	const extended = await offerMachineOn(database, accountId, body, clock.now());
	workSignal.send(accountId);
	const msg = `Machine ${body.machine} is offered on these terms.`;
	return {success: true, msg, extended, you_sent: body};
};

export const unlist: Handler<Calls['unlist']> = async (
	{params: {id}},
	{database, clock, caller: {accountId}},
) => {
	await unlistMachine(database, {id, accountId}, clock.now());
	return {
		success: true,
		msg: `Machine ${id} is offered no longer.`,
		machine_id: id,
		user_id: accountId,
	};
};

export const setFloor: Handler<Calls['setFloor']> = async (
	{params: {id}, body: {price}},
	{database, clock, caller: {accountId}},
) => {
	await setPriceFloor(database, {id, accountId}, {price, now: clock.now()});
	return {success: true, you_sent: {price}};
};

export const setDefaultJob: Handler<Calls['setDefaultJob']> = async (
	{body},
	{clock, caller: {accountId}, ...services},
) => {
	await startDefaultJob(services, accountId, body, clock.now());
	return {success: true, machine_id: body.machine, user_id: accountId, you_sent: body};
};

export const deleteDefaultJob: Handler<Calls['deleteDefaultJob']> = async (
	{params: {id}},
	{clock, caller: {accountId}, ...services},
) => {
	await endDefaultJob(services, {id, accountId}, clock.now());
	const msg = `The default job of machine ${id} was deleted.`;
	return {success: true, msg, machine_id: id, user_id: accountId};
};

export const test: Handler<Calls['test'], Needs> = async (
	{params: {id}},
	{database, clock, testing, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	const now = clock.now();
	const begun = await beginTest({...testing, database}, id, {reason: 'asked', now});
	if (begun.started_at === now) await beginCompanions(testing, id, {reason: 'asked', now});
	return {success: true, test_id: begun.id};
};

const MOST_TESTS = 20;

export const tests: Handler<Calls['tests']> = async (
	{params: {id}},
	{database, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	return {tests: await findMachineTests(database, id, MOST_TESTS)};
};

export const earnings: Handler<Calls['earnings']> = async (
	{params, query},
	{database, clock, share, caller},
) => {
	const accountId = await accountNamed(database, params.user_id, caller.accountId);
	const now = clock.now();
	const days = daysOf(query, dayNumberOf(now));
	await chargeRenters(database, accountId, now);
	const earned = await readEarnings(database, accountId, days);
	const machine = query.machid ?? undefined;
	const meant = earned.filter(({machineId}) => machine === undefined || machineId === machine);
	const account = await readAccount(database, accountId);
	const details = shownDetails(account.details);
	const owed = await readOwed(database, accountId, share);
	return earningsRecord(meant, {owed, account: {...account, details}});
};

const remove: Handler<Calls['delete']> = async (
	{params: {id}},
	{database, clock, workSignal, caller: {accountId}},
) => {
	await upkeep.withdrawMachine(database, {id, accountId}, clock.now());
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
	const count = await cancelAnnouncement(database, {id, accountId}, ctime);
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
	const count = await upkeep.cleanUpMachine(database, {id, accountId}, ctime);
	workSignal.send(accountId);
	const msg = `deleted ${count} expired contracts on machine ${id}`;
	return {success: true, ctime, machine_id: id, user_id: accountId, num_deleted: count, msg};
};

export const defragment: Handler<Calls['defragment']> = async (
	{body: {machine_ids: ids}},
	{database, clock, caller: {accountId}},
) => {
	for (const id of ids) await ownMachine(database, {id, accountId});
	const machines = [];
	for (const id of ids) {
		machines.push({
			machine_id: id,
			...(await upkeep.defragmentMachine(database, {id, accountId}, clock.now())),
		});
	}
	return {success: true, machines};
};

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
