import {sql} from 'kysely';
import type {Database} from '../database/database.ts';

/**
 * The names of the GPUs that are offered, in order, each as one of its offers writes it. The index
 * by GPU is entered once for each name, however many offers there are.
 */
export async function offeredGpuNames(database: Database, now: number): Promise<readonly string[]> {
	const {rows} = await sql<{readonly name: string | null}>`
		with recursive keys (gpu_key) as (
			select min(gpu_key) from offers
			union all
			select (select min(gpu_key) from offers where offers.gpu_key > keys.gpu_key)
			from keys
			where keys.gpu_key is not null
		)
		select (
			select gpu_name from offers
			where offers.gpu_key = keys.gpu_key
				and num_gpus > 0
				and listed = 1
				and (end_date is null or end_date > ${now})
			limit 1
		) as name
		from keys
		where gpu_key is not null
		order by gpu_key`.execute(database);
	return rows.flatMap(({name}) => (name === null ? [] : [name]));
}
