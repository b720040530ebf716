/** Price increases, open and answered. */
import type {Insertable} from 'kysely';
import type {Database} from '../database/database.ts';
import type {StatementTime} from '../database/statement.ts';
import type {InstanceRow} from '../database/instance-tables.ts';
import type {PriceIncreaseRow, PriceIncreasesTable} from '../database/provider-tables.ts';

export type IncreaseOfRental = PriceIncreaseRow & {
	readonly rental: Pick<
		InstanceRow,
		| 'machine_id'
		| 'host_account_id'
		| 'end_date'
		| 'gpu_micros'
		| 'storage_micros'
		| 'up_micros'
		| 'down_micros'
	>;
	readonly numGpus: number;
};

type Wanted = {readonly accountId: number; readonly now: number; readonly limit: number};

/** Open increases of an account's present instances, the oldest first. */
export async function openIncreases(
	database: Database,
	{accountId, now, limit}: Wanted,
): Promise<readonly IncreaseOfRental[]> {
	const rows = await database
		.selectFrom('price_increases')
		.innerJoin('instances', 'instances.id', 'price_increases.instance_id')
		.innerJoin('offers', 'offers.id', 'instances.ask_id')
		.selectAll('price_increases')
		.select([
			'instances.machine_id',
			'instances.host_account_id',
			'instances.end_date as rentedUntil',
			'instances.gpu_micros as rentedGpu',
			'instances.storage_micros as rentedStorage',
			'instances.up_micros as rentedUp',
			'instances.down_micros as rentedDown',
			'offers.num_gpus as numGpus',
		])
		.where('instances.account_id', '=', accountId)
		.where('instances.destroyed_at', 'is', null)
		.where('instances.end_date', '>', now)
		// A withdrawn offer allows no extension.
		.where('offers.listed', '=', 1)
		.where('price_increases.state', '=', 'open')
		.orderBy('price_increases.id')
		.limit(limit)
		.execute();
	return rows.map(({rentedUntil, rentedGpu, rentedStorage, rentedUp, rentedDown, ...row}) => ({
		...row,
		rental: {
			machine_id: row.machine_id,
			host_account_id: row.host_account_id,
			end_date: rentedUntil,
			gpu_micros: rentedGpu,
			storage_micros: rentedStorage,
			up_micros: rentedUp,
			down_micros: rentedDown,
		},
	}));
}

/** Increases of some instances, the newest first. */
export async function increasesOf(
	database: Database,
	instanceIds: readonly number[],
): Promise<readonly PriceIncreaseRow[]> {
	if (instanceIds.length === 0) return [];
	return database
		.selectFrom('price_increases')
		.selectAll()
		.where('instance_id', 'in', instanceIds)
		.where('state', '<>', 'gone')
		.orderBy('id', 'desc')
		.execute();
}

/** Time at which the renter of an instance was last notified of an increase. */
export async function findLastNotice(database: Database, instanceId: number): Promise<number> {
	const {at} = await database
		.selectFrom('price_increases')
		.select(({fn}) => fn.max<number | null>('told_at').as('at'))
		.where('instance_id', '=', instanceId)
		.executeTakeFirstOrThrow();
	return at ?? -Infinity;
}

/** Adds an increase. The instance's ended ones are deleted: the new one has a higher id. */
export async function insertIncrease(
	database: Database,
	increase: Insertable<PriceIncreasesTable>,
): Promise<void> {
	await database.insertInto('price_increases').values(increase).execute();
	await database
		.deleteFrom('price_increases')
		.where('instance_id', '=', increase.instance_id)
		.where('state', '=', 'gone')
		.execute();
}

export async function answerIncrease(
	database: Database,
	id: number,
	answer: Pick<PriceIncreaseRow, 'state' | 'holds_from'>,
): Promise<void> {
	await database.updateTable('price_increases').set(answer).where('id', '=', id).execute();
}

export async function endIncreases(database: Database, ids: readonly number[]): Promise<void> {
	for (const id of ids) await answerIncrease(database, id, {state: 'gone', holds_from: null});
}

/** Accepted increases that have come due. */
export function dueIncreases(database: Database, now: StatementTime) {
	return database
		.selectFrom('price_increases')
		.selectAll()
		.where('holds_from', '<=', now)
		.orderBy('holds_from');
}

export async function endIncreasesOf(database: Database, instanceId: number): Promise<void> {
	await database
		.updateTable('price_increases')
		.set({state: 'gone', holds_from: null})
		.where('instance_id', '=', instanceId)
		.where('state', 'in', ['open', 'accepted'])
		.execute();
}
