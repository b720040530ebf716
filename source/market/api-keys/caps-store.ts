/** Instances and charges that count for the cap of a key. */
import {sql} from 'kysely';
import type {Database} from '../database/database.ts';
import {dayNumberOf} from '../ledger/metering-rules.ts';
import type {CapFacts} from './caps-rules.ts';

/**
 * Reads instances before charges, so that charges made in between count twice rather than never.
 */
export async function readCapFacts(
	database: Database,
	keyId: number,
	now: number,
): Promise<CapFacts> {
	const rows = await database
		.selectFrom('instances')
		.leftJoin('leases', 'leases.instance_id', 'instances.id')
		.select(['instances.id', 'intended', 'gpu_mask', 'gpu_micros', 'storage_micros', 'disk_gb'])
		.select(['billed_until', 'ends_at', 'max_cost_micros', 'action', 'grace_seconds', 'keep'])
		.where('capped_by', '=', keyId)
		.where('destroyed_at', 'is', null)
		.execute();
	const charges = await database
		.selectFrom('charges')
		.innerJoin('instances', 'instances.id', 'charges.source_id')
		.select('source_id as id')
		.select(({fn}) => fn.sum<number>('amount_micros').as('micros'))
		.select(
			sql<number>`sum(case when day = ${dayNumberOf(now)} then amount_micros else 0 end)`.as(
				'today',
			),
		)
		.where('source', '=', 'instance')
		.where('capped_by', '=', keyId)
		.groupBy('source_id')
		.execute();
	const charged = new Map(charges.map(({id, micros}) => [id, micros]));
	return {
		instances: rows.map(({ends_at, max_cost_micros, action, grace_seconds, keep, ...row}) => ({
			...row,
			chargedMicros: charged.get(row.id) ?? 0,
			lease:
				action === null || grace_seconds === null || keep === null
					? undefined
					: {ends_at, max_cost_micros, action, grace_seconds, keep},
		})),
		chargedMicros: charges.reduce((sum, {micros}) => sum + micros, 0),
		chargedTodayMicros: charges.reduce((sum, {today}) => sum + today, 0),
		now,
	};
}

/** Instances among these that were not rented within a cap. */
export async function notRentedBy(
	database: Database,
	keyId: number,
	ids: readonly number[],
): Promise<readonly number[]> {
	if (ids.length === 0) return [];
	const rows = await database
		.selectFrom('instances')
		.select('id')
		.where('id', 'in', ids)
		.where('capped_by', '=', keyId)
		.execute();
	const own = new Set(rows.map(({id}) => id));
	return ids.filter(id => !own.has(id));
}
