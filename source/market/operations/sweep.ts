/** What time brings about by itself. It is done every second, and once when the market opens. */
import {messages} from '../rules/lifecycle.ts';
import type {LifecycleEvent} from '../rules/lifecycle.ts';
import type {Patience} from '../rules/contact.ts';
import type {Bell} from '../bell.ts';
import type {Database} from '../store/database.ts';
import type {InstanceRow} from '../store/instance-tables.ts';
import {billInstance, changeInstance} from './change.ts';
import {settleMachine} from './claims.ts';
import {noteSilence} from './contact.ts';
import {billVolume} from './volume-bills.ts';

/** Costs are charged this often at least, so that what an account has left is never far off. */
const BILL_EVERY_SECONDS = 5;

type Swept = {readonly database: Database; readonly patience: Patience; readonly bell: Bell};

/** Brings the market up to a moment. Doing it twice changes nothing more. */
export async function sweep({database, patience, bell}: Swept, now: number): Promise<void> {
	await noteSilence(database, patience, now);
	await billAll(database, now);
	const stopped = [
		...(await stopWhat(database, await unpaid(database), messages.noCredit, now)),
		...(await stopWhat(database, await expired(database, now), messages.ended, now)),
	];
	for (const {host_account_id: hosts} of stopped) bell.ring(hosts);
}

async function billAll(database: Database, now: number): Promise<void> {
	const instances = await dueInstances(database, now);
	const volumes = await dueVolumes(database, now);
	if (instances.length + volumes.length === 0) return;
	await database.transaction().execute(async transaction => {
		for (const row of await dueInstances(transaction, now)) {
			await billInstance(transaction, row, now);
		}
		for (const {contact, ...volume} of await dueVolumes(transaction, now)) {
			await billVolume(transaction, volume, contact, now);
		}
	});
}

async function dueInstances(database: Database, now: number): Promise<readonly InstanceRow[]> {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.where('billed_until', '<=', now - BILL_EVERY_SECONDS)
		.execute();
}

async function dueVolumes(database: Database, now: number) {
	return database
		.selectFrom('volumes')
		.innerJoin('machines', 'machines.id', 'volumes.machine_id')
		.selectAll('volumes')
		.select('machines.contact')
		.where('volumes.destroyed_at', 'is', null)
		.where('volumes.billed_until', '<=', now - BILL_EVERY_SECONDS)
		.execute();
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

/** What runs, or waits to run, longer than its machine was offered. */
async function expired(database: Database, now: number): Promise<readonly InstanceRow[]> {
	return database
		.selectFrom('instances')
		.innerJoin('offers', 'offers.id', 'instances.ask_id')
		.selectAll('instances')
		.where('instances.destroyed_at', 'is', null)
		.where('instances.intended', '=', 'running')
		.where('offers.end_date', '<=', now)
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
