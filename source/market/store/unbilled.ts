/** What was charged last longer ago, and whose credit or leases that may be too much for. */
import {sql} from 'kysely';
import type {SqlBool} from 'kysely';
import type {Database} from './database.ts';

/**
 * Accounts whose credit may be used up by what they use and was not charged yet. It is taken to be
 * more than it is: what is stopped counts as running.
 */
export async function accountsAtRisk(database: Database, now: number): Promise<readonly number[]> {
	const {rows} = await sql<{readonly id: number}>`
		select accounts.id from accounts
		join (
			select account_id, sum(hourly) as hourly, min(billed_until) as since, count(*) as count
			from (
				select account_id, billed_until, gpu_micros + storage_micros * disk_gb / 720.0 as hourly
				from instances where destroyed_at is null
				union all
				select account_id, billed_until, storage_micros * size_gb / 720.0
				from volumes where destroyed_at is null
			) as used
			group by account_id
		) as spending on spending.account_id = accounts.id
		where credit_micros > 0
			and credit_micros <= hourly * (${now} - since) / 3600.0 + 2 * count
			and since < ${now}
		order by accounts.id`.execute(database);
	return rows.map(({id}) => id);
}

/** Accounts with an instance that may have cost by now what its lease lets it cost, taken in the same way. */
export async function accountsNearLeases(
	database: Database,
	now: number,
): Promise<readonly number[]> {
	const {rows} = await sql<{readonly id: number}>`
		select distinct account_id as id from (
			select instances.account_id, max_cost_micros as most,
				(gpu_micros + storage_micros * disk_gb / 720.0) * (${now} - billed_until) / 3600.0 + 2 as open,
				coalesce((
					select sum(amount_micros) from charges
					where charges.source = 'instance' and charges.source_id = instances.id
				), 0) as charged
			from leases join instances on instances.id = leases.instance_id
			where destroyed_at is null and max_cost_micros is not null and keep = 0
				and billed_until < ${now}
		) as limited
		where charged < most and most <= charged + open
		order by account_id`.execute(database);
	return rows.map(({id}) => id);
}

/** Whoever has more is not charged before traffic: nobody spends so much in five minutes. */
const LITTLE_MICROS = 100_000_000;

/** The accounts of some instances that have little left. */
export async function accountsWithLittle(
	database: Database,
	instanceIds: readonly number[],
): Promise<readonly number[]> {
	const rows = await database
		.selectFrom('accounts')
		.select('id')
		.where('credit_micros', '>', 0)
		.where('credit_micros', '<=', LITTLE_MICROS)
		.where('id', 'in', query =>
			query.selectFrom('instances').select('account_id').where('instances.id', 'in', instanceIds),
		)
		.execute();
	return rows.map(({id}) => id);
}

/** What is to be charged: of one account or of all, as far as it was charged last until a moment. */
export type Unbilled = {readonly due: number; readonly accountId?: number | undefined};

export function isUnbilled(table: 'instances' | 'volumes', {due, accountId}: Unbilled) {
	const until = sql<SqlBool>`${sql.ref(`${table}.billed_until`)} <= ${due}`;
	if (accountId === undefined) return until;
	// With a sign, the index by time is left alone: what is due of everybody may be much.
	return sql<SqlBool>`+${until} and ${sql.ref(`${table}.account_id`)} = ${accountId}`;
}
