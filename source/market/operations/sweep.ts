/** What time brings about by itself. It is done every second, and once when the market opens. */
import {messages} from '../rules/lifecycle.ts';
import type {LifecycleEvent} from '../rules/lifecycle.ts';
import type {Patience} from '../rules/contact.ts';
import {openEnd} from '../rules/contract-end.ts';
import type {Bell} from '../bell.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {chargeBills} from '../store/charges.ts';
import {lengthenContracts} from '../store/contract-ends.ts';
import {forgetTasks} from '../store/tasks.ts';
import {billedInstances, billedVolumes, instanceBill, volumeBill} from './bills.ts';
import {changeInstance} from './change.ts';
import {settleMachine} from './claims.ts';
import {noteSilence} from './contact.ts';
import {endLeases} from './leases.ts';
import type {LeaseWatch} from './leases.ts';

/** Costs are charged this often at least, so that what an account has left is never far off. */
const BILL_EVERY_SECONDS = 5;

type Swept = {
	readonly database: Database;
	readonly patience: Patience;
	readonly bell: Bell;
	/** What earlier sweeps of the same uptime found to be due. @default nothing */
	readonly leases?: LeaseWatch;
};

/** Brings the market up to a moment. Doing it twice changes nothing more. */
export async function sweep(
	{database, patience, bell, leases = new Map()}: Swept,
	now: number,
): Promise<void> {
	await noteSilence(database, patience, now);
	await billAll(database, now);
	await forgetTasks(database, now);
	await lengthenContracts(database, openEnd(now));
	const stopped = [
		...(await stopWhat(database, await unpaid(database), messages.noCredit, now)),
		...(await stopWhat(database, await expired(database, now), messages.ended, now)),
	];
	for (const {host_account_id: hosts} of stopped) bell.ring(hosts);
	await endLeases({database, watch: leases, bell}, now);
}

async function billAll(database: Database, now: number): Promise<void> {
	const due = now - BILL_EVERY_SECONDS;
	// Looked for outside of the transaction, which would keep others from writing each second.
	if (!(await isDue(database, due))) return;
	await database.transaction().execute(async transaction => {
		const instances = await billedInstances(transaction).where('billed_until', '<=', due).execute();
		const volumes = await billedVolumes(transaction).where('billed_until', '<=', due).execute();
		await chargeBills(transaction, [
			...instances.map(row => instanceBill(row, row, now)),
			...volumes.map(row => volumeBill(row, row, now)),
		]);
		for (const table of ['instances', 'volumes'] as const) {
			await transaction
				.updateTable(table)
				.set({billed_until: now})
				.where('destroyed_at', 'is', null)
				.where('billed_until', '<=', due)
				.execute();
		}
	});
}

async function isDue(database: Database, due: number): Promise<boolean> {
	for (const table of ['instances', 'volumes'] as const) {
		const first = await database
			.selectFrom(table)
			.select('id')
			.where('destroyed_at', 'is', null)
			.where('billed_until', '<=', due)
			.limit(1)
			.executeTakeFirst();
		if (first !== undefined) return true;
	}
	return false;
}

/** What runs, or waits to run, for somebody who cannot pay. */
async function unpaid(database: Database): Promise<readonly InstanceRow[]> {
	return database
		.selectFrom('instances')
		.innerJoin('accounts', 'accounts.id', 'instances.account_id')
		.selectAll('instances')
		.where('instances.destroyed_at', 'is', null)
		.where('instances.intended', '=', 'running')
		.where('accounts.credit_micros', '<=', 0)
		.execute();
}

/** Instances that run, or wait to run, longer than they are rented. */
async function expired(database: Database, now: number): Promise<readonly InstanceRow[]> {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.where('intended', '=', 'running')
		.where('end_date', '<=', now)
		.execute();
}

async function stopWhat(
	database: Database,
	rows: readonly InstanceRow[],
	message: string,
	now: number,
): Promise<readonly InstanceRow[]> {
	const event: LifecycleEvent = {kind: 'stop', message};
	for (const {id} of rows) {
		await database.transaction().execute(async transaction => {
			const row = await transaction
				.selectFrom('instances')
				.selectAll()
				.where('id', '=', id)
				.where('destroyed_at', 'is', null)
				.where('intended', '=', 'running')
				.executeTakeFirst();
			if (row === undefined) return;
			await changeInstance(transaction, row, event, now);
			await settleMachine(transaction, row.machine_id, now);
		});
	}
	return rows;
}
