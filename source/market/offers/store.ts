/** Offers in the database: inserted, found and counted, with the columns that searches read. */
import {CompiledQuery, sql, type RawBuilder, type SqlBool} from 'kysely';
import {countryOf, normal} from '../../contract/grammar/filter-match.ts';
import {readVersion} from '../../contract/grammar/filter.ts';
import {maskOf, readGpuIds} from '../base/gpu-mask.ts';
import type {NewOffer, OfferKeys, OfferTableColumn, OfferRow} from '../database/schema.ts';
import {searchIndexes} from '../database/migrations/baseline/offers.ts';
import {isOnPostgres} from '../database/numbering.ts';
import type {Database} from '../database/database.ts';

export function offerKeysOf(offer: NewOffer): OfferKeys {
	const {gpu_name, geolocation, driver_version, verification, gpu_ids, min_bid_micros} = offer;
	return {
		gpu_key: String(normal('name', gpu_name)),
		country: geolocation === null ? null : countryOf(geolocation),
		driver_vers: readVersion(driver_version) ?? null,
		verified: verification === null ? null : verification === 'verified' ? 1 : 0,
		gpu_mask: maskOf(readGpuIds(gpu_ids)),
		floor_bid_micros: min_bid_micros,
	};
}

type Query = {
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
	readonly limit: number;
};

export async function findOffers(
	database: Database,
	columns: readonly OfferTableColumn[],
	query: Query,
): Promise<readonly OfferRow[]> {
	return selectOffers(database, columns, query).execute();
}

export function selectOffers(
	database: Database,
	columns: readonly OfferTableColumn[],
	{where, orderBy, limit}: Query,
) {
	return database
		.selectFrom('offers')
		.select(columns)
		.where(sql<SqlBool>`${sql.join(where, sql` and `)}`)
		.orderBy(sql`${sql.join(orderBy)}`)
		.limit(limit);
}

/** Finds offers in an order without an index: first the ids of a page, then its many columns. */
export async function findThenReadOffers(
	database: Database,
	columns: readonly OfferTableColumn[],
	query: Query,
): Promise<readonly OfferRow[]> {
	const chosen = sql`id in ${selectOffers(database, ['id'], query)}`;
	return findOffers(database, columns, {...query, where: [chosen]});
}

/** All offers of a machine, past ones included. */
export async function offersOn(
	database: Database,
	machineId: number,
): Promise<readonly OfferRow[]> {
	return database
		.selectFrom('offers')
		.selectAll()
		.where('machine_id', '=', machineId)
		.orderBy('id')
		.execute();
}

type ListedAsk = Pick<OfferRow, 'id' | 'machine_id' | 'gpu_ids'>;

/** Present asks for the machines of an account, or for one of them. */
export async function asksOf(
	database: Database,
	accountId: number,
	machineId?: number,
): Promise<readonly ListedAsk[]> {
	const asks = database
		.selectFrom('machines')
		.innerJoin('offers', 'offers.machine_id', 'machines.id')
		.select(['offers.id', 'offers.machine_id', 'offers.gpu_ids'])
		.where('machines.account_id', '=', accountId)
		.where('offers.listed', '=', 1)
		.orderBy('offers.id');
	return (machineId === undefined ? asks : asks.where('machines.id', '=', machineId)).execute();
}

export async function lastOfferId(database: Database): Promise<number> {
	const last = await database
		.selectFrom('offers')
		.select('id')
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	return last?.id ?? 0;
}

/** Replaces all columns of an offer. */
export async function changeOffer(database: Database, {id, ...facts}: NewOffer): Promise<void> {
	const keys = offerKeysOf({id, ...facts});
	await database
		.updateTable('offers')
		.set({...facts, ...keys})
		.where('id', '=', id)
		.execute();
}

/** Takes a machine's offers off the list, except some. */
export async function unlistOffers(
	database: Database,
	machineId: number,
	kept: readonly number[] = [],
): Promise<void> {
	const listed = database
		.updateTable('offers')
		.set({listed: 0})
		.where('machine_id', '=', machineId)
		.where('listed', '=', 1);
	await (kept.length === 0 ? listed : listed.where('id', 'not in', kept)).execute();
}

/** The next offers after an id, in the order of their ids. */
export async function offersAfter(
	database: Database,
	columns: readonly OfferTableColumn[],
	{id, limit}: {readonly id: number; readonly limit: number},
): Promise<readonly OfferRow[]> {
	const rest = database.selectFrom('offers').select(columns).where('id', '>', id);
	return rest.orderBy('id').limit(limit).execute();
}

/** Offers by their ids, without missing ones. */
export async function offersById(
	database: Database,
	columns: readonly OfferTableColumn[],
	ids: readonly number[],
): Promise<readonly OfferRow[]> {
	const rows: OfferRow[] = [];
	for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
		const some = ids.slice(start, start + IDS_AT_ONCE);
		const found = database.selectFrom('offers').select(columns).where('id', 'in', some);
		rows.push(...(await found.orderBy('id').execute()));
	}
	return rows;
}

/** Ids of a statement, below any database's limit of values. */
const IDS_AT_ONCE = 1000;

/** Renews expired made-up offers for their original duration. */
export async function renewOffers(database: Database, now: number): Promise<void> {
	await database
		.updateTable('offers')
		.set({start_date: now, end_date: sql<number>`${now} + end_date - start_date`})
		.where('listed', '=', 1)
		.where('end_date', '<=', now)
		.where('machine_id', 'in', query =>
			query.selectFrom('machines').select('machines.id').where('made_up', '=', 1),
		)
		.execute();
}

/** Drops indexes before inserting many offers, which cuts the writes to a third. */
export async function dropSearchIndexes(database: Database): Promise<void> {
	if (isOnPostgres(database)) return;
	for (const [name] of searchIndexes) {
		await sql`drop index if exists ${sql.ref(name)}`.execute(database);
	}
}

export async function createSearchIndexes(database: Database): Promise<void> {
	if (isOnPostgres(database)) return;
	for (const [name, columns] of searchIndexes) {
		await sql`
			create index if not exists ${sql.ref(name)} on offers (${sql.raw(columns)})
		`.execute(database);
	}
}

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 50;

/** Inserts offers. Call it in a transaction, or each batch will be one. */
export async function insertOffers(database: Database, offers: readonly NewOffer[]): Promise<void> {
	const rows = offers.map((offer): Row => ({...offer, ...offerKeysOf(offer)}));
	const columns = Object.keys(rows[0] ?? {});
	// Statements are cached by size, for building one takes longer than running it.
	const statements = new Map<number, string>();
	for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
		const some = rows.slice(start, start + ROWS_AT_ONCE);
		const text = statements.get(some.length) ?? insertion(database, columns, some.length);
		statements.set(some.length, text);
		const values = some.flatMap(row => columns.map(name => row[name]));
		await database.executeQuery(CompiledQuery.raw(text, values));
	}
}

type Row = Readonly<Record<string, unknown>>;

function insertion(database: Database, columns: readonly string[], rows: number): string {
	const names = sql.join(columns.map(name => sql.ref(name)));
	const row = sql`(${sql.join(columns.map(() => null))})`;
	const all = sql.join(Array.from({length: rows}, () => row));
	return sql`insert into offers (${names}) values ${all}`.compile(database).sql;
}

/**
 * Sorted names of the offered GPUs, each in the spelling of one of its offers. The index by GPU is
 * entered once per name, however many offers there are.
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
