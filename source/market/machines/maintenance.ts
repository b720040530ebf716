/** Maintenance announced by providers: renters are notified, and nobody can rent meanwhile. */
import {Refusal} from '../base/refusal.ts';
import {refreshOffers} from '../lifecycle/claims-store.ts';
import type {Database} from '../database/database.ts';
import {instancesOn} from '../lifecycle/instances-store.ts';
import {changeMachines, findMachine} from '../lifecycle/machines-store.ts';
import * as store from './maintenance-store.ts';
import {insertSilences, maintenanceOf} from '../reliability/store.ts';
import type {MaintenanceRow} from '../database/provider-tables.ts';
import {writing} from '../database/writing.ts';
import {refuseTooMany} from '../bounds/bounds.ts';
import {ownMachine, type NamedMachine} from '../lifecycle/own-machine.ts';
import {notifyAccount, type News} from '../notifications/notify-renter.ts';
import {DAY, HOUR, MINUTE} from '../../contract/rules/durations.ts';

const LATEST_DAYS = 90;

type Plan = {
	/** Seconds since 1970, or a date in ISO 8601. */
	readonly sdate: number | string;
	readonly hours: number;
	readonly reason: string | null;
	readonly category: string | null;
};

const categories = ['power', 'internet', 'disk', 'gpu', 'software', 'other'];

/** Announces maintenance, notifies renters, and returns their number. */
export async function announce(
	database: Database,
	named: NamedMachine,
	{sdate, hours, reason, category}: Plan,
	now: number,
): Promise<number> {
	const start_at = typeof sdate === 'number' ? sdate : readDate(sdate);
	if (start_at < now - 5 * MINUTE || start_at > now + LATEST_DAYS * DAY || Number.isNaN(start_at)) {
		throw new Refusal(
			'badArguments',
			`sdate must be a moment from now on until ${LATEST_DAYS} days from now.`,
		);
	}
	const end_at = start_at + hours * HOUR;
	const known = categories.find(one => one === category?.toLowerCase()) ?? null;
	return writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const window = {machine_id: machine.id, start_at, end_at, reason, category: known};
		await store.insertMaintenance(transaction, window);
		const {account_id: accountId, id: at} = machine;
		await refuseTooMany(transaction, 'maintenance', {accountId, at, now});
		const subject = `Maintenance of machine ${machine.id}`;
		const message = `${spanOf(window)}${reason === null ? '' : `: ${reason}`}`;
		const news = {subject, message, at: now};
		await notifyAccount(transaction, machine.account_id, {
			...news,
			kind: 'host:maintenance_scheduled',
		});
		return tellRenters(transaction, machine.id, {...news, kind: 'client:maintenance_scheduled'});
	});
}

function readDate(text: string): number {
	return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}

function spanOf({start_at, end_at}: Pick<MaintenanceRow, 'start_at' | 'end_at'>): string {
	const [start, end] = [start_at, end_at].map(at => new Date(at * 1000).toISOString());
	return `From ${start} until ${end}`;
}

/** Notifies the renters of a machine, and returns their number. */
async function tellRenters(database: Database, machineId: number, news: News): Promise<number> {
	const rentals = (await instancesOn(database, machineId)).filter(row => row.default_job === 0);
	const renters = new Set(rentals.map(row => row.account_id));
	for (const accountId of renters) await notifyAccount(database, accountId, news);
	return renters.size;
}

/** Cancels all maintenance of a machine that is not over, and returns the number of windows. */
export async function cancelAnnouncement(
	database: Database,
	named: NamedMachine,
	now: number,
): Promise<number> {
	return writing(database, async transaction => {
		const machine = await ownMachine(transaction, named);
		const windows = (await maintenanceOf(transaction, machine.id)).filter(
			({end_at: end}) => end > now,
		);
		await endWindows(transaction, machine.id, windows, now);
		for (const window of windows) {
			await tellRenters(transaction, machine.id, {
				kind: 'client:maintenance_scheduled',
				subject: `Maintenance of machine ${machine.id} is cancelled`,
				message: spanOf(window),
				at: now,
			});
		}
		return windows.length;
	});
}

async function endWindows(
	database: Database,
	machineId: number,
	windows: readonly MaintenanceRow[],
	now: number,
): Promise<void> {
	const begun = windows.filter(({start_at: start}) => start < now);
	// The excused silence outlives the deleted window.
	await insertSilences(
		database,
		begun.map(({start_at: since, end_at: end}) => {
			return {machine_id: machineId, since, until: Math.min(end, now), excused: 1 as const};
		}),
	);
	await store.deleteMaintenance(
		database,
		windows.map(({id}) => id),
	);
	await changeMachines(database, [machineId], {in_maintenance: 0});
	await refreshOffers(database, machineId, now);
}

/** Begins and ends maintenance, and notifies renters of imminent windows. */
export async function keepMaintenance(database: Database, now: number): Promise<void> {
	for (const {id} of await store.dueMaintenance(database, now).execute()) {
		await writing(database, async transaction => {
			// The provider may have cancelled it meanwhile.
			const present = store.dueMaintenance(transaction, now).where('maintenance.id', '=', id);
			const due = await present.executeTakeFirst();
			const machine = due && (await findMachine(transaction, due.machine_id));
			if (due === undefined || machine === undefined) return;
			if (due.end_at <= now) return endWindows(transaction, machine.id, [due], now);
			if (due.is_told === 0) {
				await store.markMaintenanceNotified(transaction, due.id);
				await tellRenters(transaction, machine.id, {
					kind: 'client:upcoming_downtime',
					subject: `Machine ${machine.id} is away soon`,
					message: spanOf(due),
					at: now,
				});
			}
			if (due.start_at > now) return;
			await changeMachines(transaction, [machine.id], {in_maintenance: 1});
			await refreshOffers(transaction, machine.id, now);
		});
	}
}
