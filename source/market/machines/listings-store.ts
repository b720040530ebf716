/** Terms on which providers list their machines. */
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {ListingRow} from '../database/provider-tables.ts';

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

/** Listing of the machine that an account has under a name. */
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

/** Puts a listing into the place of the one before. */
export async function writeListing(database: Database, listing: ListingRow): Promise<void> {
	const {machine_id: _, ...terms} = listing;
	await database
		.insertInto('listings')
		.values(listing)
		.onConflict(conflict => conflict.column('machine_id').doUpdateSet(terms))
		.execute();
}

/** Listings that are over, and those whose end is counted anew because it is nearer than it was by a day. */
export async function dueListings(database: Database, now: number): Promise<readonly ListingRow[]> {
	const DAY = 86_400;
	return database
		.selectFrom('listings')
		.selectAll()
		.where('is_on', '=', 1)
		.where(eb =>
			eb.or([
				eb('end_date', '<=', now),
				eb(eb('end_date', '+', DAY), '<', eb('rolling_seconds', '+', now)),
			]),
		)
		.execute();
}
