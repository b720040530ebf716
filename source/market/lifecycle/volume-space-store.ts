/** Disk of a machine that volumes may have, and what it costs, where offers of the machine are asked for. */
import {sql} from 'kysely';

/** Term of the listing of an offer's machine; null where there is none. */
const termOf = (column: 'volume_gb' | 'volume_micros') =>
	sql`(select ${sql.ref(column)} from listings where listings.machine_id = offers.machine_id)`;

const instancesGb = sql`coalesce((
	select sum(disk_gb) from instances
	where instances.machine_id = offers.machine_id and destroyed_at is null and default_job = 0
), 0)`;

/** Disk that instances leave, and no more than its provider offers for volumes, less the volumes. */
export const freeGb = sql<number>`(
	case when ${termOf('volume_gb')} < offers.disk_space - ${instancesGb} then ${termOf('volume_gb')}
		else offers.disk_space - ${instancesGb} end
	- coalesce((
		select sum(size_gb) from volumes
		where volumes.machine_id = offers.machine_id and destroyed_at is null
	), 0)
)`;

/** Micro-dollars per GB and month. */
export const roomMicros = sql<number>`coalesce(${termOf('volume_micros')}, offers.storage_cost_micros)`;

/** The least that can be had of a machine. */
export const LEAST_GB = 1;
