import {sql} from 'kysely';
import type {Database} from '../database/database.ts';
import type {StatementTime} from '../database/statement.ts';
import type {InstanceRow, LeaseRow} from '../database/instance-tables.ts';
import type {PresentLease} from './rules.ts';

export async function writeLease(database: Database, lease: LeaseRow): Promise<void> {
	const {instance_id: _, ...values} = lease;
	await database
		.insertInto('leases')
		.values(lease)
		.onConflict(conflict => conflict.column('instance_id').doUpdateSet(values))
		.execute();
}

export async function deleteLease(database: Database, instanceId: number): Promise<void> {
	await database.deleteFrom('leases').where('instance_id', '=', instanceId).execute();
}

/** The leases of an account's instances, or of some of them alone. */
export async function leasesOf(
	database: Database,
	accountId: number,
	instanceIds?: readonly number[],
): Promise<ReadonlyMap<number, LeaseRow>> {
	if (instanceIds?.length === 0) return new Map();
	const rows = await database
		.selectFrom('leases')
		.innerJoin('instances', 'instances.id', 'leases.instance_id')
		.selectAll('leases')
		.where('instances.account_id', '=', accountId)
		.where('instances.destroyed_at', 'is', null)
		.$if(instanceIds !== undefined, query =>
			query.where('leases.instance_id', 'in', instanceIds ?? []),
		)
		.execute();
	return new Map(rows.map(row => [row.instance_id, row]));
}

/** Leases that may be due: past their deadline, or with a limit of cost. */
export function maybeDueLeases(database: Database, now: StatementTime) {
	return database
		.selectFrom('leases')
		.innerJoin('instances', 'instances.id', 'leases.instance_id')
		.selectAll('leases')
		.select(['instances.intended'])
		.select(
			sql<number>`coalesce((
				select sum(amount_micros) from charges
				where charges.source = 'instance' and charges.source_id = leases.instance_id
			), 0)`.as('costMicros'),
		)
		.where('instances.destroyed_at', 'is', null)
		.where(eb =>
			eb.or([eb('leases.ends_at', '<=', now), eb('leases.max_cost_micros', 'is not', null)]),
		);
}

/** These leases, or that of one instance alone. */
export async function leasesToCheck(
	database: Database,
	now: number,
	instanceId?: number,
): Promise<readonly PresentLease[]> {
	const rows = await maybeDueLeases(database, now)
		.$if(instanceId !== undefined, query => query.where('leases.instance_id', '=', instanceId ?? 0))
		.execute();
	return rows.map(({intended, ...lease}) => ({...lease, isRunning: intended === 'running'}));
}

export type EndingLease = Pick<InstanceRow, 'id' | 'label'> &
	Pick<LeaseRow, 'action'> & {readonly accountId: number; readonly endsAt: number};

type Soon = {
	/** Seconds before the end at which accounts are notified. */
	readonly ahead: readonly number[];
	/** Time of the last notification about leases. */
	readonly last: number;
	readonly now: number;
};

/**
 * Leases of accounts with webhooks that have come near their end since the last time simply as time
 * passed, not by a change.
 */
export async function leasesEndingSoon(
	database: Database,
	{ahead, last, now}: Soon,
): Promise<readonly EndingLease[]> {
	return database
		.selectFrom('leases')
		.innerJoin('instances', 'instances.id', 'leases.instance_id')
		.select(['instances.id', 'instances.label', 'leases.action'])
		.select(['instances.account_id as accountId'])
		.select(eb => eb.fn.coalesce('leases.ends_at', sql<number>`0`).as('endsAt'))
		.where('instances.destroyed_at', 'is', null)
		.where('leases.ends_at', '>', now)
		.where(eb =>
			eb.or([eb('leases.action', '=', 'destroy'), eb('instances.intended', '=', 'running')]),
		)
		.where(eb =>
			eb.or(
				ahead.map(seconds => {
					const told = sql<number>`leases.ends_at - ${seconds}`;
					return eb.and([
						eb(told, '<=', now),
						eb(told, '>', Math.max(last, 0)),
						eb(told, '>', eb.ref('leases.changed_at')),
					]);
				}),
			),
		)
		.where(eb =>
			eb.exists(
				eb
					.selectFrom('webhooks')
					.select('webhooks.id')
					.whereRef('webhooks.account_id', '=', 'instances.account_id')
					.where('webhooks.disabled_at', 'is', null),
			),
		)
		.orderBy('instances.id')
		.execute();
}
