/** Machines, offers, rentals and earnings for their provider. */
import {sql} from 'kysely';
import type {Database} from '../database/database.ts';
import type {InstanceRow, MachineRow} from '../database/instance-tables.ts';
import {unlistOffers} from '../offers/store.ts';
import type {OfferRow} from '../database/schema.ts';
import {DAY} from '../../contract/rules/durations.ts';

/** Removes a machine for good, so that its name is free. */
export async function removeMachine(
	database: Database,
	{id, name}: Pick<MachineRow, 'id' | 'name'>,
	now: number,
): Promise<void> {
	await unlistOffers(database, id);
	await database.deleteFrom('listings').where('machine_id', '=', id).execute();
	await database.deleteFrom('default_jobs').where('machine_id', '=', id).execute();
	await database.deleteFrom('maintenance').where('machine_id', '=', id).execute();
	await database
		.updateTable('machines')
		.set({listed: 0, removed_at: now, name: `${name} (removed, ${id})`})
		.where('id', '=', id)
		.execute();
}

/** All machines of an account, or one of them. */
type Wanted = {readonly accountId: number; readonly machineId: number | undefined};

export async function providedMachines(
	database: Database,
	{accountId, machineId}: Wanted,
): Promise<readonly MachineRow[]> {
	const machines = database
		.selectFrom('machines')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('removed_at', 'is', null);
	const some = machineId === undefined ? machines : machines.where('id', '=', machineId);
	return some.orderBy('id').execute();
}

/** All offers of the machines, past ones included. */
export async function providedOffers(
	database: Database,
	{accountId, machineId}: Wanted,
): Promise<readonly OfferRow[]> {
	const offers = database
		.selectFrom('machines')
		.innerJoin('offers', 'offers.machine_id', 'machines.id')
		.selectAll('offers')
		.where('machines.account_id', '=', accountId);
	const some = machineId === undefined ? offers : offers.where('machines.id', '=', machineId);
	return some.orderBy('offers.id').execute();
}

export async function rentalsOn(
	database: Database,
	{accountId, machineId}: Wanted,
): Promise<readonly InstanceRow[]> {
	const rentals = database
		.selectFrom('instances')
		.selectAll()
		.where('host_account_id', '=', accountId)
		.where('destroyed_at', 'is', null);
	const some = machineId === undefined ? rentals : rentals.where('machine_id', '=', machineId);
	return some.execute();
}

type VolumeUse = {
	readonly machineId: number;
	readonly gb: number;
	/** Micro-dollars a month from renters. */
	readonly monthly: number;
};

export async function volumesUse(
	database: Database,
	accountId: number,
): Promise<readonly VolumeUse[]> {
	const {rows} = await sql<VolumeUse>`
		select machine_id as "machineId", sum(size_gb) as gb,
			sum(case when account_id = ${accountId} then 0 else size_gb * storage_micros end) as monthly
		from volumes
		where host_account_id = ${accountId} and destroyed_at is null
		group by machine_id`.execute(database);
	return rows;
}

/**
 * Micro-dollars charged to renters on each machine since a moment. A charge that began before counts
 * in proportion.
 */
export async function earnedSince(
	database: Database,
	accountId: number,
	since: number,
): Promise<ReadonlyMap<number, number>> {
	const parts = (['instance', 'volume'] as const).map(async source => {
		const {rows} = await sql<{machineId: number; micros: number}>`
			select used.machine_id as "machineId",
				sum(amount_micros * case
					when first_at >= ${since} or last_at <= first_at then 1.0
					else (last_at - ${since}) / (last_at - first_at) end) as micros
			from ${sql.table(`${source}s`)} as used
			join charges on charges.source = ${source} and charges.source_id = used.id
			where used.host_account_id = ${accountId} and used.account_id <> ${accountId}
				and charges.day >= ${Math.floor(since / DAY)} and last_at > ${since}
			group by used.machine_id`.execute(database);
		return rows;
	});
	const earned = new Map<number, number>();
	for (const {machineId, micros} of (await Promise.all(parts)).flat()) {
		earned.set(machineId, (earned.get(machineId) ?? 0) + micros);
	}
	return earned;
}

/** Machines of all providers after an id. */
export async function listMachines(
	database: Database,
	{after, most}: {readonly after: number; readonly most: number},
) {
	return database
		.selectFrom('machines')
		.select(['id', 'account_id', 'name', 'num_gpus', 'listed', 'verification', 'reliability'])
		.select(['quarantine', 'heard_at'])
		.where('id', '>', after)
		.where('made_up', '=', 0)
		.where('removed_at', 'is', null)
		.orderBy('id')
		.limit(most)
		.execute();
}
