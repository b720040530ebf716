import type {Database} from './database.ts';
import type {AccountRow} from './schema.ts';
import {writing} from './writing.ts';

type Role = AccountRow['role'];

/** The one account of a role, opened the first time that it is asked for. */
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
			.values({created_at: now, role})
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

/** More than anybody has, and so little that sums of it are exact. */
const MOST_MICROS = 1e15;

/**
 * Gives an account something to spend, and keeps that it was given.
 *
 * @throws RangeError for what is no amount that an account can have.
 */
export async function addCredit(
	database: Database,
	accountId: number,
	{micros, description, now}: Credit,
): Promise<void> {
	if (!Number.isSafeInteger(micros) || Math.abs(micros) > MOST_MICROS) {
		throw new RangeError('An account can be given a billion dollars at most.');
	}
	await writing(database, async transaction => {
		await transaction
			.insertInto('payments')
			.values({account_id: accountId, at: now, amount_micros: micros, description})
			.execute();
		await transaction
			.updateTable('accounts')
			.set(({eb}) => ({credit_micros: eb('credit_micros', '+', micros)}))
			.where('id', '=', accountId)
			.execute();
	});
}

type Credit = {readonly micros: number; readonly description: string; readonly now: number};

/** Account with its owner and credit. */
export async function readAccount(database: Database, id: number) {
	return database
		.selectFrom('accounts')
		.select(['id', 'email', 'username', 'fullname', 'credit_micros as creditMicros'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
}

/** Account fields that decide what it may rent. */
export async function readPayer(database: Database, id: number) {
	return database
		.selectFrom('accounts')
		.select(['role', 'credit_micros as creditMicros'])
		.where('id', '=', id)
		.executeTakeFirstOrThrow();
}
