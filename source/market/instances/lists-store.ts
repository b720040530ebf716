/** Lists of instances for their renters, joined with their offers. */
import {sql, type OrderByItemBuilder, type RawBuilder, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import type {RentedColumn, RentedRow} from '../database/schema.ts';
import type {MountedVolume} from './record-rules.ts';

type Sql = RawBuilder<unknown>;

/** An account, and further conditions for its present instances. */
type Rented = {readonly accountId: number; readonly where?: readonly Sql[]};

/** All matching instances, the oldest first, with the named columns. */
export async function rentedRows(
	database: Database,
	rented: Rented,
	columns: readonly RentedColumn[],
): Promise<readonly RentedRow[]> {
	return selectRented(database, rented).select(columns).orderBy('instances.id').execute();
}

/** Sort key of a list. The last key differs between any two rows. */
type SortKey = {readonly value: Sql; readonly direction: 'asc' | 'desc'};

type SortValues = ReadonlyArray<string | number | null>;

type RentedPage = {
	readonly rows: readonly RentedRow[];
	/** Sort values of the last row; undefined on the last page. */
	readonly next: SortValues | undefined;
};

type PageQuery = Rented & {
	readonly columns: readonly RentedColumn[];
	readonly keys: readonly SortKey[];
	/** Sort values of the last row of the page before. */
	readonly after: SortValues | undefined;
	readonly limit: number;
};

/** A page of instances by an order, from the beginning or after a row. Unknown values are last. */
export async function rentedPage(
	database: Database,
	{columns, keys, after, limit, ...rented}: PageQuery,
): Promise<RentedPage> {
	const order = keys.map(({value, direction}) => sql`${value} ${sql.raw(direction)} nulls last`);
	const found = await selectRented(database, rented)
		.select(columns)
		.select(keys.map(({value}, index) => sql<string | number | null>`${value}`.as(keyName(index))))
		.$if(after !== undefined, query => query.where(isAfter(keys, after ?? [])))
		.orderBy(sql`${sql.join(order)}`)
		.limit(limit + 1)
		.execute();
	const rows = found.slice(0, limit);
	const last = found.length > limit ? rows.at(-1) : undefined;
	return {rows, next: last && keys.map((_, index) => last[keyName(index)] ?? null)};
}

function keyName(index: number): `key_${number}` {
	return `key_${index}`;
}

/**
 * Condition for rows after another in an order: by the first key, and among equals by the
 * next.
 */
function isAfter(keys: readonly SortKey[], values: SortValues): RawBuilder<SqlBool> {
	return keys.reduceRight<RawBuilder<SqlBool>>(
		(isAfterByTheRest, {value, direction}, index) => {
			const known = values[index] ?? null;
			if (known === null) return sql`(${value} is null and ${isAfterByTheRest})`;
			const sign = direction === 'desc' ? sql`<` : sql`>`;
			// The last key is never null, and by itself can use an index.
			if (index === keys.length - 1) return sql`${value} ${sign} ${known}`;
			return sql`(${value} ${sign} ${known} or ${value} is null or (${value} = ${known} and ${isAfterByTheRest}))`;
		},
		sql`1 = 0`,
	);
}

export type RentedId = {readonly id: number; readonly askId: number};

/** Ids of an account's instances and their offers, the oldest first. */
export async function rentedIds(
	database: Database,
	accountId: number,
): Promise<readonly RentedId[]> {
	return database
		.selectFrom('instances')
		.select(['id', 'ask_id as askId'])
		.where('account_id', '=', accountId)
		.where('destroyed_at', 'is', null)
		.where('default_job', '=', 0)
		.orderBy('id')
		.execute();
}

export type LabelCount = {readonly label: string; readonly count: number};

/** Counts of instances by label; those without a label under the empty text. */
export async function countLabels(
	database: Database,
	rented: Rented,
): Promise<readonly LabelCount[]> {
	const label = sql<string>`coalesce(instances.label, '')`;
	return selectRented(database, rented)
		.select([label.as('label'), sql<number>`count(*)`.as('count')])
		.groupBy(label)
		.orderBy(label)
		.execute();
}

export async function rentedCombinations(database: Database, accountId: number) {
	return selectRented(database, {accountId})
		.select(['instances.actual as actual_status', 'offers.verification', 'offers.gpu_name'])
		.distinct()
		.orderBy('actual_status', unknownFirst)
		.orderBy('offers.verification', unknownFirst)
		.orderBy('offers.gpu_name')
		.execute();
}

/** Nulls first, in both databases. */
const unknownFirst = (order: OrderByItemBuilder) => order.asc().nullsFirst();

export function instanceIs(id: number): Sql {
	return sql`instances.id = ${id}`;
}

export function instancesAre(ids: readonly number[]): Sql {
	return sql`instances.id in (${sql.join(ids)})`;
}

function selectRented(database: Database, {accountId, where = []}: Rented) {
	return database
		.selectFrom('instances')
		.innerJoin('offers', 'offers.id', 'instances.ask_id')
		.where('instances.account_id', '=', accountId)
		.where('instances.destroyed_at', 'is', null)
		.where('instances.default_job', '=', 0)
		.where(sql<SqlBool>`${sql.join([sql`1 = 1`, ...where], sql` and `)}`);
}

/** Mounted volumes of an account, or of some of its instances. */
export async function mountedVolumes(
	database: Database,
	accountId: number,
	instanceIds?: readonly number[],
): Promise<ReadonlyMap<number, readonly MountedVolume[]>> {
	if (instanceIds?.length === 0) return new Map();
	const rows = await database
		.selectFrom('volumes')
		.innerJoin('mounts', 'mounts.volume_id', 'volumes.id')
		.select(['mounts.instance_id', 'volumes.id', 'volumes.label', 'volumes.size_gb'])
		.where('volumes.account_id', '=', accountId)
		.where('volumes.destroyed_at', 'is', null)
		.$if(instanceIds !== undefined, query =>
			query.where('mounts.instance_id', 'in', instanceIds ?? []),
		)
		.orderBy('volumes.id')
		.execute();
	return Map.groupBy(rows, ({instance_id: instanceId}) => instanceId);
}
