/** Credit of accounts, and the credit that their rentals need. */
import {sql} from 'kysely';
import {HOURS_PER_MONTH} from '../../contract/nouns/offer-cost.ts';
import type {Database} from '../database/database.ts';

/**
 * Time for which credit must cover everything an account rents: running, loading and waiting
 * instances.
 */
const COVERED_SECONDS = 60;

export type Covering = {
	readonly accountId: number;
	/** Additional cost of the request, in micro-dollars an hour. */
	readonly addedMicros: number;
	readonly now: number;
};

type Cover = {readonly creditMicros: number; readonly neededMicros: number};

/**
 * Credit of an account, and the credit it needs: uncharged usage, and a minute of all instances and
 * volumes. Deposits cover their own instances first.
 */
export async function readCover(
	database: Database,
	{accountId, addedMicros, now}: Covering,
): Promise<Cover> {
	const covered = sql.lit(COVERED_SECONDS);
	const passed = sql`(cast(${now} as double precision) - billed_until)`;
	const monthly = sql.lit(3600 * HOURS_PER_MONTH);
	const {rows} = await sql<{readonly credit: number; readonly needed: number}>`
		select credit_micros as credit, coalesce((
			select sum(case when need > deposit_micros then need - deposit_micros else 0 end) from (
				select deposit_micros,
					gpu_micros / 3600.0 * (
						case when intended = 'running' then ${covered} else 0 end
						+ case when current = 'running' and actual = 'running' then ${passed} else 0 end
					) + storage_micros * disk_gb / ${monthly} * (${covered} + ${passed}) as need
				from instances
				where account_id = accounts.id and host_account_id <> accounts.id
					and destroyed_at is null and default_job = 0
			) as rented
		), 0) + coalesce((
			select sum(storage_micros * size_gb / ${monthly} * (${covered} + ${passed}))
			from volumes where account_id = accounts.id and destroyed_at is null
		), 0) as needed
		from accounts where id = ${accountId}`.execute(database);
	const {credit = 0, needed = 0} = rows[0] ?? {};
	return {
		creditMicros: credit,
		neededMicros: needed + (addedMicros * COVERED_SECONDS) / 3600,
	};
}
