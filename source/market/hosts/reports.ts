/** Reports of hosts about their work. */
import type {Report} from '../../contract/nouns/host-work.ts';
import type {WorkSignal} from '../base/work-signal.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {Refusal} from '../base/refusal.ts';
import {busyUntil, lineSeconds} from '../copies/rules.ts';
import {meterTraffic, trafficSince} from '../ledger/metering-rules.ts';
import {findClaimedBandwidth} from '../lifecycle/asks-store.ts';
import type {Database} from '../database/database.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import {findHosted, updateInstance} from '../lifecycle/instances-store.ts';
import {charge, chargedSourceOf} from '../lifecycle/bills.ts';
import {changeInstance} from '../lifecycle/change.ts';
import {chargeBeforeTraffic} from '../billing/charging.ts';
import {settleMachine} from '../lifecycle/claims.ts';
import {noteSilence} from './contact.ts';
import {updateUseNotices} from './use-notices.ts';
import {noteFailedStart} from '../reliability/reliability.ts';
import type {Warn} from '../base/log.ts';
import {writingOn} from '../database/writing.ts';

type Reporting = {
	readonly database: Database;
	readonly patience: ContactTimeouts;
	readonly workSignal: WorkSignal;
	readonly warn: Warn;
};

type Reports = {
	readonly accountId: number;
	readonly reports: readonly Report[];
	readonly now: number;
};

/**
 * Records a host's reports, and returns the instances that are not on its account's machines.
 *
 * @throws Refusal for more traffic than the connection can carry, after recording everything else.
 */
export async function noteReports(
	{database, patience, workSignal, warn}: Reporting,
	{accountId, reports, now}: Reports,
): Promise<readonly number[]> {
	await noteSilence(database, patience, now);
	const counted = reports.filter(({traffic}) => traffic !== undefined);
	if (counted.length > 0) {
		await chargeBeforeTraffic(
			database,
			counted.map(report => report.instance_id),
			now,
		);
	}
	const instances = reports.map(report => report.instance_id);
	const {gone, freed, untrue} = await writingOn(database, {instances}, async transaction => {
		const missing = new Set<number>();
		const machines = new Set<number>();
		const unbelieved: InstanceRow[] = [];
		for (const report of reports) {
			const row = await findHosted(transaction, {id: report.instance_id, accountId});
			if (row === undefined) {
				missing.add(report.instance_id);
				continue;
			}
			const {gaveUp, isTrue} = await noteReport(transaction, row, report, now);
			if (gaveUp) {
				machines.add(row.machine_id);
				if (row.default_job === 0) {
					await noteFailedStart(transaction, row, report, now);
				}
			}
			if (!isTrue) unbelieved.push(row);
		}
		for (const machineId of machines) await settleMachine(transaction, machineId, now);
		return {gone: [...missing], freed: machines, untrue: unbelieved};
	});
	if (freed.size > 0) workSignal.send(accountId);
	for (const {host_account_id: host, machine_id: machine, id} of untrue) {
		warn(
			`host ${host}`,
			`machine ${machine} counts more bytes of instance ${id} than a line carries`,
			now,
		);
	}
	if (untrue.length > 0) {
		const ids = untrue.map(({id}) => id).join(', ');
		throw new Refusal(
			'badArguments',
			`traffic: more bytes than the line carries, of instance ${ids}`,
		);
	}
	return gone;
}

type Noted = {
	/** True if the instance gave up its GPUs. */
	readonly gaveUp: boolean;
	/** True if the reported traffic is plausible. */
	readonly isTrue: boolean;
};

async function noteReport(
	database: Database,
	row: InstanceRow,
	report: Report,
	now: number,
): Promise<Noted> {
	await endHandover(database, row, report);
	// A late report is about an earlier start.
	if (report.boot !== row.boot) return {gaveUp: false, isTrue: true};
	const isTrue = await noteTraffic(database, row, report, now);
	const {access, usage, status, status_msg: message = null} = report;
	if (usage !== undefined) await updateUseNotices(database, row, usage, now);
	if (access !== undefined || usage !== undefined) {
		await updateInstance(database, row.id, {
			...(access !== undefined && {access: JSON.stringify(access)}),
			...(usage !== undefined && {usage: JSON.stringify(usage)}),
		});
	}
	if (status === undefined) {
		// Message of another task, such as a snapshot.
		if (message !== null) await updateInstance(database, row.id, {message});
		return {gaveUp: false, isTrue};
	}
	const event = {kind: 'report', boot: report.boot, status, message} as const;
	const after = await changeInstance(database, row, event, now);
	return {gaveUp: row.current === 'running' && after.current !== 'running', isTrue};
}

/** Deletes the API key of an instance that runs: until then, its host may lose it. */
async function endHandover(
	database: Database,
	{id, handover}: InstanceRow,
	{status}: Report,
): Promise<void> {
	if (handover === null || status !== 'running') return;
	await updateInstance(database, id, {handover: null});
}

/**
 * Charges the traffic since the highest count of its container. Returns false, and charges nothing, if the machine's
 * connection cannot have carried it.
 */
async function noteTraffic(
	database: Database,
	row: InstanceRow,
	{traffic}: Report,
	now: number,
): Promise<boolean> {
	if (traffic === undefined || row.default_job === 1) return true;
	const sent = trafficSince(row.bytes_up, traffic.up);
	const received = trafficSince(row.bytes_down, traffic.down);
	if (sent === 0 && received === 0) return true;
	const line = await findClaimedBandwidth(database, row.ask_id);
	const seconds = Math.max(lineSeconds(sent, line.up), lineSeconds(received, line.down));
	const bytes_at = busyUntil(row, seconds, now);
	if (bytes_at === undefined) return false;
	const counted = {bytes_up: row.bytes_up + sent, bytes_down: row.bytes_down + received};
	await updateInstance(database, row.id, {...counted, bytes_at});
	await charge(database, chargedSourceOf(row), [
		...meterTraffic('bwu', sent, row.up_micros, now),
		...meterTraffic('bwd', received, row.down_micros, now),
	]);
	return true;
}
