/** Earnings of providers: what is posted, and what renters were charged and is not posted yet. */
import {sql} from 'kysely';
import type {Used} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';
import {readMoment} from '../database/moments.ts';

/** Gross earnings of a machine on a day: charges of its renters, before the market's share. */
export type Earned = Omit<Used, 'provider'> & {readonly day: number};

type Days = {readonly first: number; readonly last: number};

const items = sql`('gpu', 'disk', 'bwu', 'bwd', 'end')`;

/** Earnings of a provider by day, machine and item. Use of a machine by its own provider is none. */
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

/** Name of the moment until which everybody's charges are posted. */
export const SETTLED = 'settled';

/** Gross earnings that are not posted, because their day goes on or was not closed. */
export async function openEarnings(
	database: Database,
	provider: number,
): Promise<readonly Earned[]> {
	// What was gone before has no charges that are not posted.
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

export type Owed = {
	/** Earnings before the market's share, as far as they are not paid out. */
	readonly grossMicros: number;
	readonly shareMicros: number;
};

/**
 * Earnings of a provider that were not paid out, and the market's share of them.
 *
 * @param share The market's share of what is not posted yet.
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
