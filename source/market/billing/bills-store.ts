/** Reads charges and payments: a row for each day, each source, or each charge. */
import {sql, type RawBuilder, type SqlBool} from 'kysely';
import type {Database} from '../database/database.ts';
import type {PaymentKind, PaymentRow} from '../database/account-tables.ts';
import type {ChargeRow, ChargesTable} from '../database/instance-tables.ts';

/** Days since 1970, both ends included. */
export type Days = {readonly first: number; readonly last: number};

type Page<Key> = {
	readonly latestFirst: boolean;
	readonly limit: number;
	/** Key of the last row of the page before. */
	readonly after: Key | undefined;
};

type SourceDay = Pick<ChargeRow, 'day' | 'source' | 'source_id'> & {
	readonly micros: number;
	readonly prepaid: number;
	readonly start: number;
	readonly end: number;
};

export type SourceDayKey = readonly [day: number, source: ChargesTable['source'], sourceId: number];

type Wanted = {
	readonly accountId: number;
	readonly days: Days;
	readonly sources: ReadonlyArray<ChargesTable['source']>;
};

/** A page of costs by source and day, ordered by day. */
export async function sourceDays(
	database: Database,
	wanted: Wanted,
	{latestFirst, limit, after}: Page<SourceDayKey>,
): Promise<readonly SourceDay[]> {
	const direction = latestFirst ? 'desc' : 'asc';
	return selectSourceDays(database, wanted)
		.$if(after !== undefined, query =>
			query.where(isAfter(sql`(day, source, source_id)`, after ?? [], latestFirst)),
		)
		.orderBy('day', direction)
		.orderBy('source', direction)
		.orderBy('source_id', direction)
		.limit(limit)
		.execute();
}

export async function countSourceDays(database: Database, wanted: Wanted): Promise<number> {
	// Only columns of the index: reading others makes the sums ten times slower.
	const days = selectWanted(database, wanted).select(['day', 'source', 'source_id']).distinct();
	const {count} = await database
		.selectFrom(days.as('days'))
		.select(({fn}) => fn.countAll<number>().as('count'))
		.executeTakeFirstOrThrow();
	return count;
}

export async function allSourceDays(
	database: Database,
	wanted: Wanted,
): Promise<readonly SourceDay[]> {
	return selectSourceDays(database, wanted)
		.orderBy('day')
		.orderBy('source')
		.orderBy('source_id')
		.execute();
}

function selectSourceDays(database: Database, wanted: Wanted) {
	return selectWanted(database, wanted)
		.select(['day', 'source', 'source_id'])
		.select(({fn}) => [
			fn.sum<number>('amount_micros').as('micros'),
			fn.sum<number>('prepaid_micros').as('prepaid'),
			fn.min('first_at').as('start'),
			fn.max('last_at').as('end'),
		])
		.groupBy(['day', 'source', 'source_id']);
}

function selectWanted(database: Database, {accountId, days, sources}: Wanted) {
	const wanted = database
		.selectFrom('charges')
		.where('account_id', '=', accountId)
		.where('day', '>=', days.first)
		.where('day', '<=', days.last);
	// An empty list is invalid SQL in some databases.
	return sources.length === 0
		? wanted.where(sql<SqlBool>`1 = 0`)
		: wanted.where('source', 'in', sources);
}

export async function findCharges(
	database: Database,
	{accountId, days, sourceIds}: {accountId: number; days: Days; sourceIds: readonly number[]},
): Promise<readonly ChargeRow[]> {
	if (sourceIds.length === 0) return [];
	return selectCharges(database, accountId, days)
		.where('source_id', 'in', sourceIds)
		.orderBy('day')
		.orderBy('id')
		.execute();
}

function selectCharges(database: Database, accountId: number, {first, last}: Days) {
	return database
		.selectFrom('charges')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('day', '>=', first)
		.where('day', '<=', last);
}

/** A payment, or a day with charges. */
type InvoiceRow = {
	/** Time of the payment, or start of the day. */
	readonly at: number;
	/** Id of the payment, or the day. */
	readonly id: number;
} & (
	| {
			readonly kind: 'payment';
			readonly type: PaymentKind;
			readonly service: string;
			/** The other side of the payment; null for the market. */
			readonly source: string | null;
			readonly micros: number;
			readonly description: string;
	  }
	| {readonly kind: 'usage'}
);

export type InvoiceKey = readonly [at: number, kind: InvoiceRow['kind'], id: number];

type WantedInvoices = {
	readonly accountId: number;
	readonly from: number;
	readonly until: number;
	readonly days: Days;
	/** Types and services of payments or usage; undefined for all. */
	readonly types: readonly string[] | undefined;
};

/** A page of payments and days, by time. */
export async function invoiceRows(
	database: Database,
	wanted: WantedInvoices,
	{latestFirst, limit, after}: Page<InvoiceKey>,
): Promise<readonly InvoiceRow[]> {
	const direction = latestFirst ? sql`desc` : sql`asc`;
	const later = after === undefined ? sql`1 = 1` : isAfter(sql`(at, kind, id)`, after, latestFirst);
	const {rows} = await sql<InvoiceRow>`
		select * from ${selectInvoices(wanted)} as invoices
		where ${later}
		order by at ${direction}, kind ${direction}, id ${direction}
		limit ${limit}`.execute(database);
	return rows;
}

export async function countInvoices(database: Database, wanted: WantedInvoices): Promise<number> {
	const {rows} = await sql<{
		count: number;
	}>`select count(*) as count from ${selectInvoices(wanted)} as invoices`.execute(database);
	return rows[0]?.count ?? 0;
}

function selectInvoices({accountId, from, until, days, types}: WantedInvoices) {
	const withUsage = (types?.some(type => type === 'charge' || type === 'usage') ?? true) ? 1 : 0;
	// An empty list is invalid SQL in some databases.
	const wanted = sql.join(types === undefined || types.length === 0 ? [''] : types);
	const isWanted =
		types === undefined ? sql`1 = 1` : sql`(kind in (${wanted}) or service in (${wanted}))`;
	return sql`(
		select at, 'payment' as kind, id, amount_micros as micros, description,
			kind as type, service, source
		from payments
		where account_id = ${accountId} and at >= ${from} and at <= ${until} and ${isWanted}
		union all
		select distinct
			day * 86400.0, 'usage', day, cast(null as integer), cast(null as text),
			cast(null as text), cast(null as text), cast(null as text)
		from charges
		where account_id = ${accountId} and day >= ${days.first} and day <= ${days.last}
			and ${withUsage} = 1
	)`;
}

function isAfter(
	columns: RawBuilder<unknown>,
	key: ReadonlyArray<number | string>,
	latestFirst: boolean,
): RawBuilder<SqlBool> {
	return sql<SqlBool>`${columns} ${latestFirst ? sql`<` : sql`>`} (${sql.join(key)})`;
}

/** The charges of the latest days, in the order of the index. */
export async function latestCharges(
	database: Database,
	{accountId, days, most}: {accountId: number; days: Days; most: number},
): Promise<readonly ChargeRow[]> {
	return selectCharges(database, accountId, days)
		.orderBy('day', 'desc')
		.orderBy('source', 'desc')
		.orderBy('source_id', 'desc')
		.limit(most)
		.execute();
}

export async function latestPayments(
	database: Database,
	{accountId, from, until, most}: {accountId: number; from: number; until: number; most: number},
): Promise<readonly PaymentRow[]> {
	return database
		.selectFrom('payments')
		.selectAll()
		.where('account_id', '=', accountId)
		.where('at', '>=', from)
		.where('at', '<=', until)
		.orderBy('at', 'desc')
		.orderBy('id', 'desc')
		.limit(most)
		.execute();
}

/** Charges of an account on a day that were not paid ahead. */
export async function spentOn(database: Database, accountId: number, day: number): Promise<number> {
	const {micros} = await database
		.selectFrom('charges')
		.select(sql<number | null>`sum(amount_micros - prepaid_micros)`.as('micros'))
		.where('account_id', '=', accountId)
		.where('day', '=', day)
		.executeTakeFirstOrThrow();
	return micros ?? 0;
}
