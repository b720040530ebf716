/**
 * Uncharged instances and volumes: overdue ones, and those of accounts whose credit or lease is
 * nearly used up.
 */
import {sql, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import {lastRunSql} from '../database/moments.ts';
import {before, type StatementTime} from '../database/statement.ts';
import {CREDIT_CHECK_SECONDS} from './charge-prices-store.ts';

/**
 * Accounts whose credit may be used up by uncharged usage. The usage is overestimated: stopped
 * instances count as running.
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

/** Accounts with an instance whose deposit may be used up, by the same estimate. */
export async function accountsNearDeposits(
	database: Database,
	now: number,
): Promise<readonly number[]> {
	const {rows} = await sql<{readonly id: number}>`
		select distinct account_id as id from instances
		where deposit_micros > 0 and destroyed_at is null and billed_until < ${now}
			and deposit_micros <= 2
				+ (gpu_micros + storage_micros * disk_gb / 720.0) * (${now} - billed_until) / 3600.0
		order by account_id`.execute(database);
	return rows.map(({id}) => id);
}

/** Name under which an account's last notification of low credit is stored. */
export function lowCreditMoment(accountId: number): string {
	return `low credit ${accountId}`;
}

export type AccountWithWebhook = {
	readonly id: number;
	readonly creditMicros: number;
	readonly hourlyMicros: number;
	/** JSON of facts that the owner has set. */
	readonly details: string | null;
	/** True if the account was already notified. */
	readonly isTold: boolean;
};

/** Accounts with a webhook, and the hourly cost of everything their credit pays for. */
export async function accountsWithWebhook(
	database: Database,
): Promise<readonly AccountWithWebhook[]> {
	const {rows} = await sql<Needed>`
		select accounts.id, credit_micros as credit, details,
			coalesce((
				select sum(gpu_micros + storage_micros * disk_gb / 720.0) from instances
				where account_id = accounts.id and destroyed_at is null and deposit_micros = 0
			), 0) + coalesce((
				select sum(storage_micros * size_gb / 720.0) from volumes
				where account_id = accounts.id and destroyed_at is null
			), 0) as hourly,
			(select at from moments where name = 'low credit ' || accounts.id) as told
		from accounts
		where id in (select account_id from webhooks where disabled_at is null)
		order by accounts.id`.execute(database);
	return rows.map(({id, details, credit, hourly, told}) => ({
		id,
		details,
		creditMicros: credit,
		hourlyMicros: hourly,
		isTold: told !== null,
	}));
}

type Needed = {
	readonly id: number;
	readonly details: string | null;
	readonly credit: number;
	readonly hourly: number;
	readonly told: number | null;
};

/** Accounts with an instance that may have reached its lease's cost, by the same estimate. */
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

/**
 * Credit below which accounts are charged before traffic: more credit lasts until the next charge.
 */
const LITTLE_MICROS = 100_000_000;

/** Accounts of these instances that have little credit. */
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

/** Rows to charge, last charged before a moment: a renter's, a provider's, some or all. */
export type Unbilled = {
	readonly due: StatementTime;
	readonly accountId?: number | undefined;
	readonly providerId?: number | undefined;
	/** @default all that are due */
	readonly ids?: readonly number[];
};

function isUnbilled(table: Table, {due, accountId, providerId, ids}: Unbilled) {
	if (ids !== undefined) {
		return sql<SqlBool>`${sql.ref(`${table}.id`)} in (${sql.join(ids)})
			and coalesce(${sql.ref(`${table}.billed_until`)}, null) <= ${due}`;
	}
	const whose = accountId ?? providerId;
	if (whose === undefined) {
		return sql<SqlBool>`${sql.ref(`${table}.billed_until`)} <= ${due}`;
	}
	// An expression instead of the column, so that SQLite does not use the index by time: many rows
	// may be due.
	const until = sql`coalesce(${sql.ref(`${table}.billed_until`)}, null)`;
	const owner = accountId === undefined ? 'host_account_id' : 'account_id';
	return sql<SqlBool>`${until} <= ${due} and ${sql.ref(`${table}.${owner}`)} = ${whose}`;
}

type Table = 'instances' | 'volumes';

export async function isAnyUnbilled(
	database: Database,
	table: Table,
	unbilled: Unbilled,
): Promise<boolean> {
	const first = await database
		.selectFrom(table)
		.select('id')
		.where('destroyed_at', 'is', null)
		.where(isUnbilled(table, unbilled))
		.limit(1)
		.executeTakeFirst();
	return first !== undefined;
}

export async function noteBilled(
	database: Database,
	table: Table,
	{ids, until}: {readonly ids: readonly number[]; readonly until: number},
): Promise<void> {
	if (ids.length === 0) return;
	await database.updateTable(table).set({billed_until: until}).where('id', 'in', ids).execute();
}

/** Chargeable instances with their machines. */
function billedInstances(database: Database) {
	return database
		.selectFrom('instances')
		.leftJoin('machines', 'machines.id', 'instances.machine_id')
		.select(['machines.compute_until', 'machines.disk_until'])
		.select(['instances.id', 'instances.account_id', 'instances.billed_until'])
		.select(['instances.gpu_micros', 'instances.storage_micros', 'instances.disk_gb'])
		.select(['instances.deposit_micros', 'instances.deposit_rate', 'instances.default_job'])
		.select(['instances.actual', 'instances.current', 'instances.contact'])
		.where('instances.destroyed_at', 'is', null);
}

/** Chargeable volumes with their machines' contact. */
function billedVolumes(database: Database) {
	return database
		.selectFrom('volumes')
		.innerJoin('machines', 'machines.id', 'volumes.machine_id')
		.select(['volumes.id', 'volumes.account_id', 'volumes.billed_until', 'volumes.size_gb'])
		.select(['volumes.storage_micros', 'machines.contact'])
		.select(['machines.compute_until', 'machines.disk_until'])
		.where('volumes.destroyed_at', 'is', null);
}

export function unbilledInstances(database: Database, unbilled: Unbilled, most: number) {
	return billedInstances(database).where(isUnbilled('instances', unbilled)).limit(most);
}

export function unbilledVolumes(database: Database, unbilled: Unbilled, most: number) {
	return billedVolumes(database).where(isUnbilled('volumes', unbilled)).limit(most);
}

/** Chargeable instances of an account, with their machines' last heartbeats. */
export async function instancesBilledTo(database: Database, accountId: number) {
	return billedInstances(database)
		.select('machines.heard_at')
		.where('instances.account_id', '=', accountId)
		.execute();
}

/** Chargeable volumes of an account, with their machines' last heartbeats. */
export async function volumesBilledTo(database: Database, accountId: number) {
	return billedVolumes(database)
		.select('machines.heard_at')
		.where('volumes.account_id', '=', accountId)
		.execute();
}

/** True if rows are overdue, or credit must be checked. */
export function isChargeDue(
	database: Database,
	{now, overdue}: {readonly now: StatementTime; readonly overdue: StatementTime},
) {
	const isAny = (due: StatementTime) => sql<SqlBool>`(
		exists ${unbilledInstances(database, {due}, 1)}
		or exists ${unbilledVolumes(database, {due}, 1)})`;
	const looked = before(now, CREDIT_CHECK_SECONDS);
	return sql<SqlBool>`(${isAny(overdue)} or ${lastRunSql('looked')} <= ${looked} and ${isAny(now)})`;
}
