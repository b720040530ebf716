import {CompiledQuery, sql} from 'kysely';
import type {RawBuilder, SqlBool} from 'kysely';
import {countryOf, normal} from '../../contract/filter-match.ts';
import {readVersion} from '../../contract/filter.ts';
import {maskOf} from './gpu-mask.ts';
import type {Database} from './database.ts';
import type {NewOffer, OfferColumn, OfferKeys, OfferRow} from './schema.ts';

type Query = {
	/** All of these must hold. */
	readonly where: ReadonlyArray<RawBuilder<unknown>>;
	readonly orderBy: ReadonlyArray<RawBuilder<unknown>>;
	readonly limit: number;
};

/** Finds offers. Only the named columns are read. */
export async function findOffers(
	database: Database,
	columns: readonly OfferColumn[],
	query: Query,
): Promise<readonly OfferRow[]> {
	return selectOffers(database, columns, query).execute();
}

/** The statement that finds them. */
export function selectOffers(
	database: Database,
	columns: readonly OfferColumn[],
	{where, orderBy, limit}: Query,
) {
	return database
		.selectFrom('offers')
		.select(columns)
		.where(sql<SqlBool>`${sql.join(where, sql` and `)}`)
		.orderBy(sql`${sql.join(orderBy)}`)
		.limit(limit);
}

export async function hasOffers(database: Database): Promise<boolean> {
	const found = await database.selectFrom('offers').select('id').limit(1).executeTakeFirst();
	return found !== undefined;
}

/** Offers whose time is up are made again, for as long as they were made before. */
export async function renewOffers(database: Database, now: number): Promise<void> {
	await database
		.updateTable('offers')
		.set({start_date: now, end_date: sql<number>`${now} + end_date - start_date`})
		.where('listed', '=', 1)
		.where('end_date', '<=', now)
		.execute();
}

/** Few enough that their values are fewer than a database takes at once. */
const ROWS_AT_ONCE = 50;

/** Lists offers. Call it in a transaction, or each few of them will be one. */
export async function insertOffers(database: Database, offers: readonly NewOffer[]): Promise<void> {
	const [first] = offers;
	if (first === undefined) return;
	const facts = namesOf(first);
	const keys = namesOf(keysOf(first));
	// Building a statement takes longer than running it, and all but the last are alike.
	const statements = new Map<number, string>();
	for (let start = 0; start < offers.length; start += ROWS_AT_ONCE) {
		const rows = offers.slice(start, start + ROWS_AT_ONCE);
		const text =
			statements.get(rows.length) ?? insertion(database, [...facts, ...keys], rows.length);
		statements.set(rows.length, text);
		const values = rows.flatMap(offer => {
			const derived = keysOf(offer);
			return [...facts.map(name => offer[name]), ...keys.map(name => derived[name])];
		});
		await database.executeQuery(CompiledQuery.raw(text, values));
	}
}

function insertion(database: Database, columns: readonly OfferColumn[], rows: number): string {
	const names = sql.join(columns.map(name => sql.ref(name)));
	const row = sql`(${sql.join(columns.map(() => null))})`;
	const all = sql.join(Array.from({length: rows}, () => row));
	return sql`insert into offers (${names}) values ${all}`.compile(database).sql;
}

function namesOf<Row extends object>(row: Row): ReadonlyArray<Extract<keyof Row, string>> {
	const names: Array<Extract<keyof Row, string>> = [];
	for (const name in row) names.push(name);
	return names;
}

function keysOf(offer: NewOffer): OfferKeys {
	const {gpu_name, geolocation, driver_version, verification, gpu_ids, min_bid_micros} = offer;
	return {
		gpu_key: String(normal('name', gpu_name)),
		country: geolocation === null ? null : countryOf(geolocation),
		driver_vers: readVersion(driver_version) ?? null,
		verified: verification === null ? null : verification === 'verified' ? 1 : 0,
		gpu_mask: maskOf(readIds(gpu_ids)),
		floor_bid_micros: min_bid_micros,
	};
}

function readIds(text: string | null): readonly number[] {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was written by this program
	return text === null ? [] : (JSON.parse(text) as readonly number[]);
}
