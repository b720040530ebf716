import {type Insertable, sql} from 'kysely';
import {Refusal} from '../base/refusal.ts';
import type {Database} from '../database/database.ts';
import type {AccountRow, PaymentsTable} from '../database/account-tables.ts';
import {insertEntry, isEntered, outside} from './store.ts';
import {statement} from '../database/statement.ts';
import {writing, writingOn} from '../database/writing.ts';

type Role = Exclude<AccountRow['role'], 'member'>;

/** The only account of a role, opened at its first use. */
export async function soleAccount(
	database: Database,
	role: Role,
	now: number,
): Promise<{readonly id: number; readonly isNew: boolean}> {
	return writing(database, async transaction => {
		const known = await transaction
			.selectFrom('accounts')
			.select('id')
			.where('role', '=', role)
			.orderBy('id')
			.limit(1)
			.executeTakeFirst();
		if (known !== undefined) return {id: known.id, isNew: false};
		const {id} = await transaction
			.insertInto('accounts')
			.values({created_at: now, role, ...(role === 'host' && {kind: 'provider'})})
			.returning('id')
			.executeTakeFirstOrThrow();
		return {id, isNew: true};
	});
}

export async function hasAccount(database: Database, role: Role): Promise<boolean> {
	const found = await database
		.selectFrom('accounts')
		.select('id')
		.where('role', '=', role)
		.limit(1)
		.executeTakeFirst();
	return found !== undefined;
}

/** Largest amount of a payment, whose sums are still exact. */
const MOST_MICROS = 1e15;

type Credit = {
	readonly micros: number;
	readonly description: string;
	readonly now: number;
	/** @default 'operator' */
	readonly service?: string;
	/** Name of the payment, by which it is entered once. */
	readonly reference?: string;
};

/**
 * Adds credit to an account, with a payment. Returns false for a payment whose name was entered
 * before,
 * which is not entered again.
 *
 * @throws RangeError for an impossible amount.
 */
export async function addCredit(
	database: Database,
	accountId: number,
	{micros, description, now, service = 'operator', reference}: Credit,
): Promise<boolean> {
	if (!Number.isSafeInteger(micros) || Math.abs(micros) > MOST_MICROS) {
		throw new RangeError('An account can be given a billion dollars at most.');
	}
	return writingOn(database, {accounts: [accountId]}, async transaction => {
		if (reference !== undefined && (await isEntered(transaction, reference))) return false;
		const entry = {
			kind: 'credit',
			at: now,
			account_id: accountId,
			reference: reference ?? null,
		} as const;
		const postings = outside(accountId, 'credit', micros);
		const entry_id = await insertEntry(transaction, entry, postings);
		await insertPayment(transaction, {
			account_id: accountId,
			at: now,
			amount_micros: micros,
			description,
			service,
			entry_id,
		});
		return true;
	});
}

/** A ledger entry moves the money. */
export async function insertPayment(
	database: Database,
	payment: Insertable<PaymentsTable>,
): Promise<void> {
	await database.insertInto('payments').values(payment).execute();
}

/** Balances of an account, with charges so far and earnings of past days. */
export async function readBalances(database: Database, id: number) {
	return database
		.selectFrom('accounts')
		.select(['credit_micros as creditMicros', 'earned_micros as earnedMicros'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
}

export async function readAccount(database: Database, id: number) {
	const [account] = await findDetails(database, {id});
	if (account === undefined) throw new RangeError(`there is no account ${id}`);
	return account;
}

type FoundAccount = Pick<AccountRow, 'id' | 'email' | 'username' | 'fullname' | 'details'> & {
	readonly creditMicros: number;
};

const findDetails = statement<{id: number}, FoundAccount>((database, value) =>
	database
		.selectFrom('accounts')
		.select(['id', 'email', 'username', 'fullname', 'details', 'credit_micros as creditMicros'])
		.where('id', '=', value('id')),
);

export async function readPayer(database: Database, id: number) {
	const [payer] = await findPayer(database, {id});
	if (payer === undefined) throw new RangeError(`there is no account ${id}`);
	return payer;
}

const findPayer = statement<{id: number}, Pick<AccountRow, 'kind'> & {creditMicros: number}>(
	(database, value) =>
		database
			.selectFrom('accounts')
			.select(['kind', 'credit_micros as creditMicros'])
			.where('id', '=', value('id')),
);

/** An account that is not closed. */
export async function findAccount(database: Database, id: number) {
	return selectPeople(database).where('id', '=', id).executeTakeFirst();
}

export type AccountDetails = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/**
 * Accounts of the person behind an account: the one that is neither a subaccount nor a team, its
 * subaccounts, and the teams of all of these. Includes those closed since a moment: earlier ones
 * could be any number.
 */
export async function accountsOfPerson(
	database: Database,
	id: number,
	since: number,
): Promise<readonly number[]> {
	const {rows} = await sql<{id: number}>`
		with recursive above (id, next) as (
			select id, coalesce(parent_id, owner_id) from accounts where id = ${id}
			union all
			select accounts.id, coalesce(accounts.parent_id, accounts.owner_id)
			from accounts join above on accounts.id = above.next
		), own (id) as (
			select id from above where next is null
			union all
			select accounts.id
			from accounts join own on accounts.parent_id = own.id or accounts.owner_id = own.id
			where accounts.closed_at is null or accounts.closed_at > ${since}
		)
		select id from own`.execute(database);
	return rows.map(row => row.id);
}

export function selectPeople(database: Database) {
	return database
		.selectFrom('accounts')
		.select(['id', 'kind', 'email', 'username', 'fullname', 'parent_id', 'owner_id', 'details'])
		.select(['created_at', 'credit_micros', 'earned_micros', 'email_proven'])
		.where('closed_at', 'is', null);
}

/** @throws Refusal if it does not exist or is closed */
export async function knownAccount(database: Database, id: number): Promise<AccountDetails> {
	const account = await findAccount(database, id);
	if (account === undefined) throw new Refusal('noSuchUser', `There is no account ${id}.`);
	return account;
}

/**
 * The account that a path names: the caller's own, or one within it that the caller may read.
 *
 * @throws Refusal for any other
 */
export async function accountNamed(
	database: Database,
	name: string,
	accountId: number,
): Promise<number> {
	if (['me', 'current', String(accountId)].includes(name)) return accountId;
	const named = await findAccount(database, Number(name));
	if (named?.parent_id === accountId) return named.id;
	throw new Refusal('lacksPermission', 'This is another account’s.');
}
