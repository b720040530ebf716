/** Relays beside the market in their table. */
import type {RelayCounts} from '../../contract/nouns/relays.ts';
import {hashOf, newKeyValue} from '../api-keys/store.ts';
import type {Database} from '../database/database.ts';
import type {RelayRow} from '../database/relay-tables.ts';

export type NewRelay = Pick<RelayRow, 'name' | 'host' | 'first_port' | 'last_port' | 'url'>;

/** Adds a relay, and returns its key, which cannot be read again. */
export async function insertRelay(
	database: Database,
	relay: NewRelay,
	now: number,
): Promise<{readonly id: number; readonly key: string}> {
	const key = newKeyValue();
	const {id} = await database
		.insertInto('relays')
		.values({...relay, hash: hashOf(key), created_at: now})
		.returning('id')
		.executeTakeFirstOrThrow();
	return {id, key};
}

export async function listRelays(database: Database): Promise<readonly RelayRow[]> {
	return presentRelays(database).orderBy('id').execute();
}

export async function findRelay(database: Database, id: number): Promise<RelayRow | undefined> {
	return presentRelays(database).where('id', '=', id).executeTakeFirst();
}

export async function findRelayByKey(
	database: Database,
	key: string,
): Promise<RelayRow | undefined> {
	return presentRelays(database).where('hash', '=', hashOf(key)).executeTakeFirst();
}

function presentRelays(database: Database) {
	return database.selectFrom('relays').selectAll().where('removed_at', 'is', null);
}

export async function updateRelayRow(
	database: Database,
	id: number,
	fields: Partial<Pick<RelayRow, 'is_open' | 'hash' | 'removed_at'>>,
): Promise<void> {
	await database.updateTable('relays').set(fields).where('id', '=', id).execute();
}

export async function recordRelayContact(
	database: Database,
	id: number,
	{counts, now}: {readonly counts: RelayCounts; readonly now: number},
): Promise<void> {
	const fields = {...counts, heard_at: now};
	await database.updateTable('relays').set(fields).where('id', '=', id).execute();
}

/** Relays that lead to instances on some machines. */
export async function relaysInUse(
	database: Database,
	machines: readonly number[],
): Promise<readonly number[]> {
	const rows = await database
		.selectFrom('instances')
		.select('relay_id')
		.distinct()
		.where('machine_id', 'in', machines)
		.where('relay_id', 'is not', null)
		.where('destroyed_at', 'is', null)
		.execute();
	return rows.flatMap(row => row.relay_id ?? []);
}

export async function countRelayed(database: Database): Promise<ReadonlyMap<number, number>> {
	const rows = await database
		.selectFrom('instances')
		.select(['relay_id', eb => eb.fn.countAll<number>().as('count')])
		.where('relay_id', 'is not', null)
		.where('destroyed_at', 'is', null)
		.groupBy('relay_id')
		.execute();
	return new Map(rows.map(row => [row.relay_id ?? 0, row.count]));
}
