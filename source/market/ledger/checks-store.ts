/**
 * Faults of the ledger's sums. Checked sums are stored, so that a check reads only later rows; a whole
 * check reads every posting.
 */
import {sql} from 'kysely';
import {MARKET, type Posting} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {writing} from '../database/writing.ts';

/** A balance that differs from its postings less open charges. */
export type Fault = {readonly what: string; readonly micros: number};

type Slice = {
	readonly after: number;
	readonly most: number;
	/** True to read every posting, whatever was checked before. */
	readonly isWhole?: boolean;
};

type Book = Posting['book'];

function posted(book: Book, isWhole: boolean) {
	const those = sql`account_id = accounts.id and book = ${book}`;
	if (isWhole) return sql`coalesce((select sum(micros) from postings where ${those}), 0)`;
	return sql`(
		coalesce((select micros from checked_books where ${those}), 0)
		+ coalesce((select sum(micros) from postings where ${those}
			and id > coalesce((select through from checked_books where ${those}), 0)), 0))`;
}

/** Faulty balances of some accounts, and the last account checked. */
export async function balanceFaults(database: Database, {after, most, isWhole = false}: Slice) {
	const {rows} = await sql<
		Record<'id' | 'credit' | 'deposits' | 'earned' | 'unpaid' | 'covered', number>
	>`
		select
			id,
			credit_micros
				- ${posted('credit', isWhole)}
				+ coalesce((select sum(amount_micros - prepaid_micros) from charges
					where account_id = accounts.id and day > accounts.settled_day), 0) as credit,
			coalesce((select sum(deposit_micros) from instances
				where account_id = accounts.id and deposit_micros > 0), 0)
				- ${posted('deposit', isWhole)}
				+ coalesce((select sum(prepaid_micros) from charges
					where account_id = accounts.id and day > accounts.settled_day), 0) as deposits,
			earned_micros - ${posted('earnings', isWhole)} as earned,
			unpaid_micros - ${posted('unpaid', isWhole)} as unpaid,
			${posted('credit', isWhole)} + ${posted('unpaid', isWhole)} as covered
		from accounts where id > ${after} order by id limit ${most}`.execute(database);
	const faults = rows.flatMap(({id, credit, deposits, earned, unpaid, covered}): Fault[] => [
		...(credit === 0 ? [] : [{what: `credit of account ${id}`, micros: credit}]),
		...(deposits === 0 ? [] : [{what: `deposits of account ${id}`, micros: deposits}]),
		...(earned === 0 ? [] : [{what: `earnings of account ${id}`, micros: earned}]),
		...(unpaid === 0 ? [] : [{what: `unpaid use of account ${id}`, micros: unpaid}]),
		// The provider earned more than the renter paid.
		...(covered >= 0 ? [] : [{what: `debts of account ${id}`, micros: covered}]),
	]);
	return {faults, last: rows.length < most ? undefined : rows.at(-1)?.id};
}

/**
 * Entries whose postings do not sum to zero, and the last entry checked. The newest id is read in an
 * exclusive transaction, so that no entry with a lower id is still uncommitted.
 */
export async function entryFaults(database: Database, {after, most}: Slice) {
	const newest = await writing(database, async transaction => {
		const {last} = await transaction
			.selectFrom('entries')
			.select(({fn}) => fn.max<number | null>('id').as('last'))
			.executeTakeFirstOrThrow();
		return last ?? 0;
	});
	const until = Math.min(after + most, newest);
	const {rows} = await sql<{id: number; micros: number}>`
		select entry_id as id, sum(micros) as micros from postings
		where entry_id > ${after} and entry_id <= ${until}
		group by entry_id having sum(micros) <> 0 order by entry_id`.execute(database);
	const faults = rows.map(({id, micros}): Fault => ({what: `entry ${id}`, micros}));
	// The next check starts before the first fault until that is repaired.
	const right = (rows[0]?.id ?? until + 1) - 1;
	return {faults, last: until < newest ? until : undefined, right};
}

/** Postings of a book from which a sum is stored. */
const MOST_POSTINGS = 1000;

const books = ['credit', 'deposit', 'earnings', 'unpaid'] as const;

/** Stores the sums of some accounts with many unsummed postings. */
export async function keepSums(
	database: Database,
	{after, most}: Slice,
	least = MOST_POSTINGS,
): Promise<void> {
	const {rows} = await sql<{account: number; book: Book}>`
		select id as account, book
		from (select id from accounts where id > ${after} order by id limit ${most}) as looked
		cross join (${sql.join(
			books.map(book => sql`select cast(${book} as text) as book`),
			sql` union all `,
		)}) as kinds
		where exists (
			select 1 from postings where account_id = looked.id and postings.book = kinds.book
				and id > coalesce((select through from checked_books
					where account_id = looked.id and checked_books.book = kinds.book), 0)
			order by id limit 1 offset ${least}
		)`.execute(database);
	for (const {account, book} of rows) {
		// An exclusive transaction, so that no posting with a lower id is still uncommitted.
		await writing(database, async transaction => {
			await sql`
				insert into checked_books (account_id, book, through, micros)
				select account_id, book, max(id), sum(micros) from postings
				where account_id = ${account} and book = ${book}
					and id > coalesce((select through from checked_books
						where account_id = ${account} and book = ${book}), 0)
				group by account_id, book
				on conflict (account_id, book) do update set
					through = excluded.through, micros = checked_books.micros + excluded.micros
			`.execute(transaction);
		});
	}
}

/** The last entry up to which all were correct. */
export async function checkedEntries(database: Database): Promise<number> {
	const row = await database
		.selectFrom('checked_books')
		.select('through')
		.where('account_id', '=', MARKET)
		.where('book', '=', 'entries')
		.executeTakeFirst();
	return row?.through ?? 0;
}

export async function noteCheckedEntries(database: Database, through: number): Promise<void> {
	await database
		.insertInto('checked_books')
		.values({account_id: MARKET, book: 'entries', through, micros: 0})
		.onConflict(conflict => conflict.columns(['account_id', 'book']).doUpdateSet({through}))
		.execute();
}
