/** Reachability checks of machines in their table, and the offer fields that depend on them. */
import type {Database} from '../database/database.ts';
import type {MachineRow} from '../database/instance-tables.ts';
import type {OfferRow} from '../database/schema.ts';

/** Machines that are to be checked, the most overdue first. */
export async function dueForReach(
	database: Database,
	now: number,
	most: number,
): Promise<readonly MachineRow[]> {
	return database
		.selectFrom('machines')
		.selectAll()
		.where('reach_due_at', '<=', now)
		.where('contact', '=', 'heard')
		.where('removed_at', 'is', null)
		.orderBy('reach_due_at')
		.limit(most)
		.execute();
}

export async function noteReach(
	database: Database,
	machineId: number,
	checks: Partial<
		Pick<
			MachineRow,
			'reached' | 'reached_since' | 'reach_misses' | 'reach_checked_at' | 'reach_due_at'
		>
	>,
): Promise<void> {
	if (Object.keys(checks).length === 0) return;
	await database.updateTable('machines').set(checks).where('id', '=', machineId).execute();
}

export async function showReach(
	database: Database,
	offerId: number,
	shown: Pick<OfferRow, 'direct_port_count' | 'static_ip'>,
): Promise<void> {
	await database.updateTable('offers').set(shown).where('id', '=', offerId).execute();
}
