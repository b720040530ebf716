/** Accounts to notify of approaching ends, and of idle GPUs. */
import {sql, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import {IDLE} from '../notifications/rules.ts';

type Soon = {
	/** Seconds before the end at which accounts are notified. */
	readonly ahead: number;
	/** Time of the last notification of this kind. */
	readonly last: number;
	readonly now: number;
};

/** True for accounts with a webhook that is on, the only ones that receive notifications. */
function hasWebhook(account: 'instances.account_id' | 'machines.account_id') {
	return sql<SqlBool>`exists (
		select 1 from webhooks where webhooks.account_id = ${sql.ref(account)} and disabled_at is null
	)`;
}

/**
 * Listings whose fixed end has come near since the last time simply as time passed, not by a
 * change.
 */
export async function listingsEndingSoon(database: Database, {ahead, last, now}: Soon) {
	return database
		.selectFrom('listings')
		.innerJoin('machines', 'machines.id', 'listings.machine_id')
		.select(['machines.id', 'machines.account_id as accountId'])
		.select(eb => eb.fn.coalesce('listings.end_date', sql<number>`0`).as('endsAt'))
		.where(sql<SqlBool>`listings.is_on = 1`)
		.where('listings.rolling_seconds', 'is', null)
		.where('machines.removed_at', 'is', null)
		.where('listings.end_date', '>', now)
		.where('listings.end_date', '<=', now + ahead)
		.where('listings.end_date', '>', Math.max(last, 0) + ahead)
		.where(eb => eb('listings.end_date', '>', eb(eb.ref('listings.since'), '+', ahead)))
		.where(hasWebhook('machines.account_id'))
		.orderBy('machines.id')
		.execute();
}

/** Instances whose contract's end came near since the last time. */
export async function instancesEndingSoon(database: Database, {ahead, last, now}: Soon) {
	return database
		.selectFrom('instances')
		.select(['id', 'label', 'account_id as accountId', 'end_date as endsAt'])
		.where('destroyed_at', 'is', null)
		.where('default_job', '=', 0)
		.where('end_date', '>', now)
		.where('end_date', '<=', now + ahead)
		.where('end_date', '>', Math.max(last, 0) + ahead)
		.where(eb => eb('end_date', '>', eb('created_at', '+', ahead)))
		.where(hasWebhook('instances.account_id'))
		.orderBy('id')
		.execute();
}

/**
 * Instances of accounts with webhooks that have run since a moment, and whose GPUs were idle since.
 */
export async function idleInstances(database: Database, since: number) {
	const id = sql<number>`case when moments.name like ${sql.lit(`${IDLE}%`)}
		then cast(substr(moments.name, ${sql.lit(IDLE.length + 1)}) as bigint) end`;
	return database
		.selectFrom('moments')
		.innerJoin('instances', join => join.on('instances.id', '=', id))
		.select(['instances.id', 'instances.label', 'instances.account_id as accountId'])
		.where('moments.at', '<=', since)
		.where('instances.running_since', '<=', since)
		.where('instances.destroyed_at', 'is', null)
		.where('instances.current', '=', 'running')
		.where('instances.gpu_mask', '!=', 0)
		.where(hasWebhook('instances.account_id'))
		.orderBy('instances.id')
		.execute();
}
