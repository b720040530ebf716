import type {Contract} from '../../contract/index.ts';
import {offerMachineOn, setFloor as setLeastBid, unlist as takeOff} from '../operations/listing.ts';
import {chargeRenters} from '../operations/charging.ts';
import {
	deleteDefaultJob as removeDefaultJob,
	setDefaultJob as writeDefaultJob,
} from '../operations/default-jobs.ts';
import {beginTest, type Testing} from '../operations/machine-tests.ts';
import {ownMachine} from '../operations/own-machine.ts';
import {accountNamed} from '../operations/named-account.ts';
import {daysOf, earningsRecord} from '../rules/earnings.ts';
import {dayOf} from '../rules/metering.ts';
import {providerMachine} from '../rules/provider-machine.ts';
import type {Database} from '../store/database.ts';
import {readAccount} from '../store/accounts.ts';
import {defaultJobsOf} from '../store/default-jobs.ts';
import {readEarnings, readOwed} from '../store/earnings.ts';
import {testsOf} from '../store/machine-tests.ts';
import {countReports, maintenanceFor} from '../store/maintenance.ts';
import {listingsOf} from '../store/listings.ts';
import {
	earnedSince,
	providedMachines,
	providedOffers,
	rentalsOn,
	volumesUse,
} from '../store/provider-machines.ts';
import type {Flag} from '../store/instance-tables.ts';
import {shownDetails} from './account.ts';
import type {Handler} from './handler.ts';

type Calls = Contract['machines'];

type Needs = {readonly testing: Testing};

const DAY = 86_400;
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
	await takeOff(database, {id, accountId}, clock.now());
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
	await setLeastBid(database, {id, accountId}, {price, now: clock.now()});
	return {success: true, you_sent: {price}};
};

export const setDefaultJob: Handler<Calls['setDefaultJob']> = async (
	{body},
	{clock, caller: {accountId}, ...services},
) => {
	await writeDefaultJob(services, accountId, body, clock.now());
	return {success: true, machine_id: body.machine, user_id: accountId, you_sent: body};
};

export const deleteDefaultJob: Handler<Calls['deleteDefaultJob']> = async (
	{params: {id}},
	{clock, caller: {accountId}, ...services},
) => {
	await removeDefaultJob(services, {id, accountId}, clock.now());
	const msg = `The default job of machine ${id} was deleted.`;
	return {success: true, msg, machine_id: id, user_id: accountId};
};

export const test: Handler<Calls['test'], Needs> = async (
	{params: {id}},
	{database, clock, testing, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	const begun = await beginTest(testing, id, {reason: 'asked', now: clock.now()});
	return {success: true, test_id: begun.id};
};

/** The most tests that one call answers. */
const MOST_TESTS = 20;

export const tests: Handler<Calls['tests']> = async (
	{params: {id}},
	{database, caller: {accountId}},
) => {
	await ownMachine(database, {id, accountId});
	return {tests: await testsOf(database, id, MOST_TESTS)};
};

export const earnings: Handler<Calls['earnings']> = async (
	{params, query},
	{database, clock, share, caller},
) => {
	const accountId = await accountNamed(database, params.user_id, caller.accountId);
	const now = clock.now();
	const days = daysOf(query, dayOf(now));
	await chargeRenters(database, accountId, now);
	const earned = await readEarnings(database, accountId, days);
	const machine = query.machid ?? undefined;
	const meant = earned.filter(({machineId}) => machine === undefined || machineId === machine);
	const account = await readAccount(database, accountId);
	const details = shownDetails(account.details);
	const owed = await readOwed(database, accountId, share);
	return earningsRecord(meant, {owed, account: {...account, details}});
};
