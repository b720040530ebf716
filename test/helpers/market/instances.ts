import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {refreshOffers} from '../../../source/market/lifecycle/claims-store.ts';
import {destroyInstances} from '../../../source/market/instances/destroy.ts';
import {changeContact} from '../../../source/market/hosts/contact.ts';
import {contractEnd} from '../../../source/market/base/contract-end.ts';
import {
	plainSettings,
	printSettings,
	type InstanceSettings,
} from '../../../source/market/lifecycle/instance-rules.ts';
import {newInstance} from '../../../source/market/lifecycle/rules.ts';
import {soleAccount} from '../../../source/market/ledger/accounts-store.ts';
import {openDatabase} from './postgres.ts';
import type {Database} from '../../../source/market/database/database.ts';
import type {InstanceRow, LeaseRow} from '../../../source/market/database/instance-tables.ts';
import {
	insertInstance,
	type NewInstance,
} from '../../../source/market/lifecycle/instances-store.ts';
import {writeLease} from '../../../source/market/leases/store.ts';
import {nextRevision} from '../../../source/market/database/numbering.ts';
import {openTestMarket, TEST_NOW, type TestMarketOptions} from './market.ts';

/** A market whose database a test can read and write beside it. */
export async function openTestMarketFile(options: TestMarketOptions = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'rentty-market-'));
	const file = join(folder, 'market.db');
	const market = await openTestMarket({...options, file});
	const database = await openDatabase(file);
	return {
		...market,
		file,
		database,
		async [Symbol.asyncDispose]() {
			await database.destroy();
			await market.close();
			rmSync(folder, {recursive: true});
		},
	};
}

export const testSettings: InstanceSettings = {
	...plainSettings,
	launch: {mode: 'ssh', sshDirect: true, jupyterDirect: false},
	jupyter_token: 'token',
};

export type TestInstance = Partial<Omit<NewInstance, 'settings'>> & {
	readonly settings?: Partial<InstanceSettings>;
};

/**
 * Puts an instance into the database, as if the market's renter had made it: of the first offer
 * that can be rented, at its price, running as far as its renter and its GPUs go, at TEST_NOW. What
 * is given counts instead.
 */
export async function rentDirectly(
	database: Database,
	{settings, ...given}: TestInstance = {},
): Promise<InstanceRow> {
	const at = given.created_at ?? TEST_NOW;
	const {id: renter} = await soleAccount(database, 'renter', at);
	return database.transaction().execute(async transaction => {
		const offer = await offerFor(transaction, given.ask_id);
		const {machine_id, account_id: host_account_id, contact} = offer;
		const row = await insertInstance(transaction, {
			account_id: renter,
			ask_id: offer.id,
			machine_id,
			host_account_id,
			label: null,
			created_at: at,
			end_date: contractEnd(offer.end_date, at),
			destroyed_at: null,
			settings: printSettings({...testSettings, ...settings}),
			image: 'ubuntu:24.04',
			template_id: null,
			template_hash: null,
			template_name: null,
			is_bid: 0,
			gpu_mask: offer.gpu_mask,
			disk_gb: 16,
			gpu_micros: offer.dph_base_micros,
			storage_micros: offer.storage_cost_micros,
			up_micros: offer.inet_up_cost_micros ?? 0,
			down_micros: offer.inet_down_cost_micros ?? 0,
			...newInstance('running', contact),
			waiting_since: null,
			running_since: null,
			billed_until: at,
			revision: await nextRevision(transaction, host_account_id),
			handover: null,
			access: null,
			usage: null,
			...given,
		});
		await refreshOffers(transaction, machine_id, at);
		return row;
	});
}

function offerFor(database: Database, id: number | undefined) {
	return database
		.selectFrom('offers')
		.innerJoin('machines', 'machines.id', 'offers.machine_id')
		.selectAll('offers')
		.select(['machines.account_id', 'machines.contact'])
		.where(eb => (id === undefined ? eb('offers.rentable', '=', 1) : eb('offers.id', '=', id)))
		.orderBy('offers.id')
		.executeTakeFirstOrThrow();
}

/** The same, on a machine that is heard, as one that its host says is running: it costs. */
export async function rentRunning(
	database: Database,
	given: TestInstance = {},
): Promise<InstanceRow> {
	const at = given.created_at ?? TEST_NOW;
	await hearMachines(database, at);
	return rentDirectly(database, {
		actual: 'running',
		reported: 'running',
		contact: 'heard',
		running_since: at,
		...given,
	});
}

/** All machines show that they live. */
export async function hearMachines(database: Database, at = TEST_NOW): Promise<void> {
	await database.transaction().execute(async transaction => {
		const machines = await transaction.selectFrom('machines').selectAll().execute();
		for (const machine of machines) await changeContact(transaction, machine, 'heard', at);
		const heard = {heard_at: at, compute_until: null, disk_until: null};
		await transaction.updateTable('machines').set(heard).execute();
	});
}

/** Ends all instances that there are. */
export async function destroyAll(database: Database, now: number): Promise<void> {
	const rows = await database
		.selectFrom('instances')
		.selectAll()
		.where('destroyed_at', 'is', null)
		.execute();
	await destroyInstances(database, rows, now);
}

/** Machines that are heard for a day, however the clock is moved. */
export async function keepHeard(database: Database): Promise<void> {
	await database
		.updateTable('machines')
		.set({heard_at: TEST_NOW + 86_400})
		.execute();
}

/** The present row of an instance, destroyed or not. */
export async function readInstance(database: Database, id: number): Promise<InstanceRow> {
	return database
		.selectFrom('instances')
		.selectAll()
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
}

/** Gives an instance a lease in the database; without fields, it ends by nothing. */
export async function leaseDirectly(
	database: Database,
	instanceId: number,
	given: Partial<LeaseRow>,
): Promise<void> {
	await writeLease(database, {
		instance_id: instanceId,
		ends_at: null,
		max_cost_micros: null,
		action: 'destroy',
		grace_seconds: 0,
		keep: 0,
		changed_at: TEST_NOW,
		...given,
	});
}
