/** What hosts say became of their work. */
import type {Report} from '../../contract/host-work.ts';
import type {Bell} from '../bell.ts';
import type {Patience} from '../rules/contact.ts';
import {trafficOf, trafficSince} from '../rules/metering.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {findHosted, updateInstance} from '../store/instances.ts';
import {charge, sourceOf} from './bills.ts';
import {changeInstance} from './change.ts';
import {settleMachine} from './claims.ts';
import {noteSilence} from './contact.ts';

type Reporting = {readonly database: Database; readonly patience: Patience; readonly bell: Bell};

type Reports = {
	readonly accountId: number;
	readonly reports: readonly Report[];
	readonly now: number;
};

/** Notes what a host reports. It answers the instances that are not on its account's machines. */
export async function noteReports(
	{database, patience, bell}: Reporting,
	{accountId, reports, now}: Reports,
): Promise<readonly number[]> {
	await noteSilence(database, patience, now);
	const {gone, freed} = await database.transaction().execute(async transaction => {
		const missing = new Set<number>();
		const machines = new Set<number>();
		for (const report of reports) {
			const row = await findHosted(transaction, {id: report.instance_id, accountId});
			if (row === undefined) missing.add(report.instance_id);
			else if (await noteReport(transaction, row, report, now)) machines.add(row.machine_id);
		}
		for (const machineId of machines) await settleMachine(transaction, machineId, now);
		return {gone: [...missing], freed: machines};
	});
	if (freed.size > 0) bell.ring(accountId);
	return gone;
}

/** It answers whether the instance gave up its GPUs. */
async function noteReport(
	database: Database,
	row: InstanceRow,
	report: Report,
	now: number,
): Promise<boolean> {
	// Whoever reports on it has its key, which is kept nowhere from here on.
	if (row.handover !== null) await updateInstance(database, row.id, {handover: null});
	// What comes late is about a container that may be no more.
	if (report.boot !== row.boot) return false;
	await noteTraffic(database, row, report, now);
	const {access, usage, status, status_msg: message = null} = report;
	if (access !== undefined || usage !== undefined) {
		await updateInstance(database, row.id, {
			...(access !== undefined && {access: JSON.stringify(access)}),
			...(usage !== undefined && {usage: JSON.stringify(usage)}),
		});
	}
	if (status === undefined) return false;
	const event = {kind: 'report', boot: report.boot, status, message} as const;
	const after = await changeInstance(database, row, event, now);
	return row.current === 'running' && after.current !== 'running';
}

/** Charges for the bytes that went through since they were counted last. */
async function noteTraffic(
	database: Database,
	row: InstanceRow,
	{traffic}: Report,
	now: number,
): Promise<void> {
	if (traffic === undefined) return;
	const {up, down} = traffic;
	if (up === row.bytes_up && down === row.bytes_down) return;
	await updateInstance(database, row.id, {bytes_up: up, bytes_down: down});
	await charge(database, sourceOf(row), [
		...trafficOf('bwu', trafficSince(row.bytes_up, up), row.up_micros, now),
		...trafficOf('bwd', trafficSince(row.bytes_down, down), row.down_micros, now),
	]);
}
