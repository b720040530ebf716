/** Listings of machines, and extension of contracts. */
import {sql, type RawBuilder, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import type {StatementTime} from '../database/statement.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {ListingRow} from '../database/provider-tables.ts';
import {writing} from '../database/writing.ts';
import {DAY} from '../../contract/rules/durations.ts';

export async function findListing(
	database: Database,
	machineId: number,
): Promise<ListingRow | undefined> {
	return database
		.selectFrom('listings')
		.selectAll()
		.where('machine_id', '=', machineId)
		.executeTakeFirst();
}

export async function listingNamed(
	database: Database,
	{account_id: accountId, name}: Pick<MachineRow, 'account_id' | 'name'>,
): Promise<ListingRow | undefined> {
	return database
		.selectFrom('machines')
		.innerJoin('listings', 'listings.machine_id', 'machines.id')
		.selectAll('listings')
		.where('machines.account_id', '=', accountId)
		.where('machines.name', '=', name)
		.executeTakeFirst();
}

export async function listingsOf(
	database: Database,
	accountId: number,
): Promise<readonly ListingRow[]> {
	return database
		.selectFrom('machines')
		.innerJoin('listings', 'listings.machine_id', 'machines.id')
		.selectAll('listings')
		.where('machines.account_id', '=', accountId)
		.execute();
}

export async function writeListing(database: Database, listing: ListingRow): Promise<void> {
	const {machine_id: _, ...terms} = listing;
	await database
		.insertInto('listings')
		.values(listing)
		.onConflict(conflict => conflict.column('machine_id').doUpdateSet(terms))
		.execute();
}

/** Expired listings, and rolling ones whose end is a day nearer than when it was set. */
export function dueListings(database: Database, now: StatementTime) {
	return (
		database
			.selectFrom('listings')
			.selectAll()
			// The exact expression of the index; with a bound value SQLite would prepare the
			// statement each time.
			.where(sql<SqlBool>`is_on = 1`)
			.where(eb =>
				eb.or([
					eb('end_date', '<=', now),
					eb(eb('end_date', '+', DAY), '<', eb('rolling_seconds', '+', now)),
				]),
			)
	);
}

/** End for contracts on offers without one: ends before `due` are moved to `end`. */
type OpenEnd = {readonly end: number; readonly due: number};

const tables = ['instances', 'volumes'] as const;

/** Condition for an extension: the provider's own use, or no price of the offer above its own. */
const prices: Readonly<Record<(typeof tables)[number], RawBuilder<SqlBool>>> = {
	instances: sql<SqlBool>`
		(instances.account_id = instances.host_account_id
		or (instances.is_bid = 1 or offers.dph_base_micros <= instances.gpu_micros)
		and offers.storage_cost_micros <= instances.storage_micros
		and coalesce(offers.inet_up_cost_micros, 0) <= instances.up_micros
		and coalesce(offers.inet_down_cost_micros, 0) <= instances.down_micros)`,
	volumes: sql<SqlBool>`
		(volumes.account_id = volumes.host_account_id
		or coalesce(
			(select volume_micros from listings where listings.machine_id = offers.machine_id),
			offers.storage_cost_micros
		) <= volumes.storage_micros)`,
};

/**
 * Extends contracts to the present ends of their offers, and by a day for offers without an end. No
 * contract gets shorter.
 */
export async function lengthenContracts(database: Database, open: OpenEnd): Promise<void> {
	// Read first: even an empty update blocks other writers.
	for (const table of tables) {
		const due = await dueContracts(database, table, open).limit(1).executeTakeFirst();
		if (due === undefined) continue;
		const lengthen = async (transaction: Database) => {
			const end = sql<number>`(
				select coalesce(offers.end_date, ${open.end}) from offers
				where offers.id = ${sql.ref(`${table}.ask_id`)}
			)`;
			const change = transaction.updateTable(table).set({end_date: end});
			await change.where('id', 'in', dueContracts(transaction, table, open)).execute();
		};
		await (database.isTransaction ? lengthen(database) : writing(database, lengthen));
	}
}

function dueContracts(database: Database, table: (typeof tables)[number], {due}: OpenEnd) {
	const end = sql.ref(`${table}.end_date`);
	return database
		.selectFrom(table)
		.innerJoin('offers', 'offers.id', `${table}.ask_id`)
		.select(`${table}.id`)
		.where(`${table}.destroyed_at`, 'is', null)
		.where('offers.listed', '=', 1)
		.where(sql<SqlBool>`${end} < coalesce(offers.end_date, ${due})`)
		.where(prices[table]);
}
