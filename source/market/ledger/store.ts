/** The ledger: entries with their postings, and sums of books. */
import {sql} from 'kysely';
import {MARKET, type EntriesTable, type Posting, type Used} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {readMoment} from '../database/moments.ts';
import {DAY} from '../../contract/rules/durations.ts';

type NewEntry = Pick<EntriesTable, 'kind' | 'at'> &
	Partial<Pick<EntriesTable, 'account_id' | 'day' | 'reference'>>;

/**
 * Adds an entry, updates the accounts' balances, and returns its id. Charged credit was subtracted
 * before, and instances have their deposits. Call it in a transaction.
 *
 * @throws RangeError if its postings do not sum to zero
 */
export async function insertEntry(
	database: Database,
	entry: NewEntry,
	postings: readonly Posting[],
): Promise<number> {
	const moved = postings.filter(({micros}) => micros !== 0);
	const sum = moved.reduce((total, {micros}) => total + micros, 0);
	const isExact = moved.every(({micros}) => Number.isSafeInteger(micros));
	if (sum !== 0 || !isExact) throw new RangeError(`an entry moves ${sum} micro-dollars to nowhere`);
	const {id} = await database
		.insertInto('entries')
		.values({account_id: null, day: null, reference: null, ...entry})
		.returning('id')
		.executeTakeFirstOrThrow();
	const day = entry.day ?? Math.floor(entry.at / DAY);
	const rows = moved.map(({account, book, micros, machineId = null, item = null}) => ({
		entry_id: id,
		account_id: account,
		book,
		day,
		machine_id: machineId,
		item,
		micros,
	}));
	for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
		const some = rows.slice(start, start + ROWS_AT_ONCE);
		await database.insertInto('postings').values(some).execute();
	}
	await moveBalances(database, entry.kind, moved);
	return id;
}

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 500;

async function moveBalances(
	database: Database,
	kind: EntriesTable['kind'],
	postings: readonly Posting[],
): Promise<void> {
	const columns = {
		credit: 'credit_micros',
		earnings: 'earned_micros',
		unpaid: 'unpaid_micros',
	} as const;
	for (const book of ['credit', 'earnings', 'unpaid'] as const) {
		if (book === 'credit' && kind === 'usage') continue;
		const column = columns[book];
		const byAccount = Map.groupBy(
			postings.filter(posting => posting.book === book),
			({account}) => account,
		);
		for (const [account, theirs] of byAccount) {
			const micros = theirs.reduce((sum, posting) => sum + posting.micros, 0);
			await database
				.updateTable('accounts')
				.set(({eb}) => ({[column]: eb(column, '+', micros)}))
				.where('id', '=', account)
				.execute();
		}
	}
}

/** Postings of money from outside, or to there. */
export function outside(
	account: number,
	book: 'credit' | 'earnings',
	micros: number,
): readonly Posting[] {
	return [
		{account, book, micros},
		{account: MARKET, book: 'outside', micros: -micros},
	];
}

export async function isEntered(database: Database, reference: string): Promise<boolean> {
	const found = await database
		.selectFrom('entries')
		.select('id')
		.where('reference', '=', reference)
		.executeTakeFirst();
	return found !== undefined;
}

/** Some accounts with charges until the end of a day that are not posted. */
export async function unsettledAccounts(
	database: Database,
	through: number,
	most: number,
): Promise<readonly number[]> {
	const rows = await database
		.selectFrom('accounts')
		.select('id')
		.where('settled_day', '<', through)
		.where(eb =>
			eb.exists(
				eb
					.selectFrom('charges')
					.select('charges.id')
					.whereRef('charges.account_id', '=', 'accounts.id')
					.whereRef('charges.day', '>', 'accounts.settled_day')
					.where('charges.day', '<=', through),
			),
		)
		.orderBy('id')
		.limit(most)
		.execute();
	return rows.map(({id}) => id);
}

/** The next day of an account with charges that are not posted. */
export async function nextUnsettledDay(
	database: Database,
	accountId: number,
	through: number,
): Promise<number | undefined> {
	const {day} = await database
		.selectFrom('charges')
		.innerJoin('accounts', 'accounts.id', 'charges.account_id')
		.select(({fn}) => fn.min<number | null>('day').as('day'))
		.where('account_id', '=', accountId)
		.whereRef('day', '>', 'settled_day')
		.where('day', '<=', through)
		.executeTakeFirstOrThrow();
	return day ?? undefined;
}

/** Charges of an account on a day by machine and item, the earliest usage first. */
export async function usedOn(
	database: Database,
	accountId: number,
	day: number,
): Promise<readonly Used[]> {
	const {rows} = await sql<Used>`
		select provider, machine_id as "machineId", item, sum(amount_micros) as micros,
			sum(prepaid_micros) as prepaid
		from (
			select
				coalesce(instances.host_account_id, volumes.host_account_id) as provider,
				coalesce(instances.machine_id, volumes.machine_id) as machine_id,
				item, amount_micros, prepaid_micros, first_at
			from charges
			left join instances on source = 'instance' and instances.id = source_id
			left join volumes on source = 'volume' and volumes.id = source_id
			where charges.account_id = ${accountId} and day = ${day}
		) as used
		group by provider, machine_id, item
		order by min(first_at), provider, machine_id, item`.execute(database);
	return rows;
}

/** Marks the charges of an account until the end of a day as posted. */
export async function noteSettled(
	database: Database,
	accountId: number,
	day: number,
): Promise<void> {
	await database
		.updateTable('accounts')
		.set({settled_day: day})
		.where('id', '=', accountId)
		.execute();
}

export async function bookSum(
	database: Database,
	account: number,
	book: Posting['book'],
): Promise<number> {
	const {micros} = await database
		.selectFrom('postings')
		.select(({fn}) => fn.sum<number | null>('micros').as('micros'))
		.where('account_id', '=', account)
		.where('book', '=', book)
		.executeTakeFirstOrThrow();
	return micros ?? 0;
}

/** Credit, earnings, deposits and unpaid use of all accounts, and open charges. */
export async function sumsOfAll(database: Database) {
	const {rows} = await sql<Record<'credit' | 'earned' | 'unpaid' | 'deposits' | 'open', number>>`
		select
			coalesce(sum(credit_micros), 0) as credit,
			coalesce(sum(earned_micros), 0) as earned,
			coalesce(sum(unpaid_micros), 0) as unpaid,
			coalesce((select sum(deposit_micros) from instances where deposit_micros > 0), 0) as deposits,
			coalesce((select sum(amount_micros) from charges
				join accounts on accounts.id = charges.account_id
				where charges.day > accounts.settled_day), 0) as open
		from accounts`.execute(database);
	return rows[0] ?? {credit: 0, earned: 0, unpaid: 0, deposits: 0, open: 0};
}

/** Gross earnings of a machine on a day: charges of its renters, before the market's share. */
type Earned = Omit<Used, 'provider'> & {readonly day: number};

type Days = {readonly first: number; readonly last: number};

const items = sql`('gpu', 'disk', 'bwu', 'bwd', 'end')`;

/** Earnings of a provider by day, machine and item, without its own use. */
export async function readEarnings(
	database: Database,
	provider: number,
	{first, last}: Days,
): Promise<readonly Earned[]> {
	const {rows: posted} = await sql<Earned>`
		select day, machine_id as "machineId", item, sum(micros) as micros
		from postings
		where account_id = ${provider} and book = 'earnings' and item in ${items}
			and day >= ${first} and day <= ${last}
		group by day, machine_id, item
		order by day, machine_id, item`.execute(database);
	const open = await openEarnings(database, provider);
	const sums = new Map<string, Earned>();
	for (const row of [...posted, ...open]) {
		if (row.day < first || row.day > last) continue;
		const name = `${row.day} ${row.machineId} ${row.item}`;
		sums.set(name, {...row, micros: row.micros + (sums.get(name)?.micros ?? 0)});
	}
	return [...sums.values()].toSorted(
		(one, other) => one.day - other.day || one.machineId - other.machineId,
	);
}

/** Name of the moment until which all accounts' charges are posted. */
export const SETTLED = 'settled';

/** Gross earnings of days that are not posted yet. */
async function openEarnings(database: Database, provider: number): Promise<readonly Earned[]> {
	// Sources gone before that moment have no open charges.
	const since = Math.max(0, await readMoment(database, SETTLED));
	const parts = (['instance', 'volume'] as const).map(async source => {
		const table = sql.table(`${source}s`);
		const {rows} = await sql<Earned>`
			select charges.day, used.machine_id as "machineId", item, sum(amount_micros) as micros
			from ${table} as used
			join charges on charges.source = ${source} and charges.source_id = used.id
			join accounts on accounts.id = charges.account_id
			where used.host_account_id = ${provider} and used.account_id <> ${provider}
				and (used.destroyed_at is null or used.destroyed_at >= ${since})
				and charges.day > accounts.settled_day
			group by charges.day, used.machine_id, item`.execute(database);
		return rows;
	});
	return (await Promise.all(parts)).flat();
}

type Owed = {
	/** Earnings that are not paid out, before the market's share. */
	readonly grossMicros: number;
	readonly shareMicros: number;
};

/**
 * Earnings of a provider that were not paid out, and the market's share of them.
 *
 * @param share The market's share of open earnings.
 */
export async function readOwed(database: Database, provider: number, share: number): Promise<Owed> {
	const {rows} = await sql<{item: string | null; micros: number}>`
		select item, sum(micros) as micros from postings
		where account_id = ${provider} and book = 'earnings'
		group by item`.execute(database);
	const posted = (isMeant: (item: string | null) => boolean) =>
		rows.reduce((sum, {item, micros}) => sum + (isMeant(item) ? micros : 0), 0);
	const open = (await openEarnings(database, provider)).reduce((sum, row) => sum + row.micros, 0);
	const [shared, paid] = [-posted(item => item === 'share'), -posted(item => item === null)];
	const net = posted(item => item !== null) + open - Math.round(open * share);
	const shares = shared + Math.round(open * share);
	const left = net === 0 ? 0 : Math.max(0, net - paid) / net;
	const shareMicros = Math.round(shares * left);
	return {grossMicros: net - paid + shareMicros, shareMicros};
}
