import {sql, type Kysely} from 'kysely';

/** Disk that instances leave, and no more than is offered for volumes, less the volumes. */
const free = sql`
	case when volume_gb < disk_space - taken then volume_gb else disk_space - taken end - kept`;

/** Keeps the room of machines for volumes with their offers, where searches find it. */
const statements = [
	sql`alter table offers add column avail_vol_ask_id integer`,
	sql`alter table offers add column avail_vol_micros integer`,
	sql`alter table offers add column avail_vol_size double precision`,
	sql`
		with largest as materialized (
			select offers.machine_id as owner_id, offers.id as room_id, offers.end_date as room_end,
				disk_space, storage_cost_micros, volume_gb, volume_micros,
				coalesce((
					select sum(disk_gb) from instances
					where instances.machine_id = machines.id and destroyed_at is null and default_job = 0
				), 0) as taken,
				coalesce((
					select sum(size_gb) from volumes
					where volumes.machine_id = machines.id and destroyed_at is null
				), 0) as kept
			from machines
			join offers on offers.id = (
				select one.id from offers as one
				where one.machine_id = machines.id and one.listed = 1
				order by one.num_gpus desc, one.id limit 1
			)
			left join listings on listings.machine_id = machines.id
			where machines.listed = 1 and machines.absent = 0
		), room as materialized (
			select owner_id, room_id, room_end, ${free} as room_gb,
				coalesce(volume_micros, storage_cost_micros) as room_micros
			from largest
		)
		update offers set
			avail_vol_ask_id = room_id, avail_vol_micros = room_micros, avail_vol_size = room_gb
		from room
		where offers.machine_id = owner_id and room_gb >= 1
			and (room_end is null or room_end >= offers.end_date)`,
];

export async function keepRoom<Tables>(database: Kysely<Tables>): Promise<void> {
	for (const statement of statements) await statement.execute(database);
}
