/** Changes made by keys, and addresses of their calls. */
import {sql, type Insertable, type SqlBool} from 'kysely';
import {compareText} from '../../contract/grammar/filter-match.ts';
import type {
	AccountAddressRow,
	AccountChangeRow,
	AccountChangesTable,
} from '../database/account-tables.ts';
import type {Database} from '../database/database.ts';

export type NewChange = Insertable<AccountChangesTable>;

/** Rows of a statement, below any database's limit of values. */
const ROWS_AT_ONCE = 500;

export async function insertChanges(
	database: Database,
	changes: readonly NewChange[],
): Promise<void> {
	for (let start = 0; start < changes.length; start += ROWS_AT_ONCE) {
		const some = changes.slice(start, start + ROWS_AT_ONCE);
		await database.insertInto('account_changes').values(some).execute();
	}
}

type Page = {readonly before: number | undefined; readonly most: number};

/** Changes of an account, the newest first. */
export async function findAccountChanges(
	database: Database,
	accountId: number,
	{before, most}: Page,
): Promise<readonly AccountChangeRow[]> {
	return database
		.selectFrom('account_changes')
		.selectAll()
		.where('account_id', '=', accountId)
		.$if(before !== undefined, query => query.where('id', '<', before ?? 0))
		.orderBy('id', 'desc')
		.limit(most)
		.execute();
}

export type ChangeShare = {
	readonly accountId: number;
	/** True for refused calls, and false for changes that were made: neither displaces the other. */
	readonly refused: boolean;
};

const FIRST_REFUSED_STATUS = 400;

/** Deletes an account's oldest changes beyond a number, from the keys that have the most. */
export async function trimChanges(
	database: Database,
	{accountId, refused}: ChangeShare,
	most: number,
): Promise<void> {
	const isShare = refused
		? sql<SqlBool>`status >= ${FIRST_REFUSED_STATUS}`
		: sql<SqlBool>`status < ${FIRST_REFUSED_STATUS}`;
	const keys = await database
		.selectFrom('account_changes')
		.select('key_id')
		.select(({fn}) => fn.countAll<number>().as('count'))
		.where('account_id', '=', accountId)
		.where(isShare)
		.groupBy('key_id')
		.execute();
	const counts = keys.map(({count}) => count);
	const each = fairShare(counts, most);
	for (const {key_id: key, count} of keys) {
		if (count <= each) continue;
		const isOfKey = key === null ? sql<SqlBool>`key_id is null` : sql<SqlBool>`key_id = ${key}`;
		const last = await database
			.selectFrom('account_changes')
			.select('id')
			.where('account_id', '=', accountId)
			.where(isShare)
			.where(isOfKey)
			.orderBy('id', 'desc')
			.offset(each)
			.limit(1)
			.executeTakeFirst();
		await database
			.deleteFrom('account_changes')
			.where('account_id', '=', accountId)
			.where(isShare)
			.where(isOfKey)
			.where('id', '<=', last?.id ?? 0)
			.execute();
	}
}

/** The largest equal limit for each count at which their sum stays within a number. */
export function fairShare(counts: readonly number[], most: number): number {
	let left = most;
	for (const [index, count] of counts.toSorted((one, other) => one - other).entries()) {
		const each = Math.floor(left / (counts.length - index));
		if (count > each) return each;
		left -= count;
	}
	return Infinity;
}

export type LoggedAddress = {
	readonly accountId: number;
	readonly address: string;
	readonly at: number;
};

/** Writes addresses in a fixed order, so that processes with the same ones cannot deadlock. */
export async function keepAddresses(
	database: Database,
	seen: readonly LoggedAddress[],
): Promise<void> {
	const ordered = seen.toSorted(
		(one, other) =>
			one.accountId - other.accountId ||
			compareText(one.address, other.address) ||
			one.at - other.at,
	);
	for (const {accountId, address, at} of ordered) {
		await database
			.insertInto('account_addresses')
			.values({account_id: accountId, address, first_at: at, last_at: at})
			.onConflict(known => known.columns(['account_id', 'address']).doUpdateSet({last_at: at}))
			.execute();
	}
}

/** Addresses of an account's calls, the latest first. */
export async function addressesOf(
	database: Database,
	accountId: number,
	most: number,
): Promise<readonly AccountAddressRow[]> {
	return database
		.selectFrom('account_addresses')
		.selectAll()
		.where('account_id', '=', accountId)
		.orderBy('last_at', 'desc')
		.orderBy('id', 'desc')
		.limit(most)
		.execute();
}

/** Deletes all but the latest addresses of an account. */
export async function trimAddresses(
	database: Database,
	accountId: number,
	most: number,
): Promise<void> {
	const kept = await addressesOf(database, accountId, most);
	if (kept.length < most) return;
	await database
		.deleteFrom('account_addresses')
		.where('account_id', '=', accountId)
		.where(
			'id',
			'not in',
			kept.map(({id}) => id),
		)
		.execute();
}

export async function forgetHistory(database: Database, before: number): Promise<void> {
	await database.deleteFrom('account_changes').where('at', '<', before).execute();
	await database.deleteFrom('account_addresses').where('last_at', '<', before).execute();
}
