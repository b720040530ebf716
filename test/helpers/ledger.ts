import type {AccountKind} from '../../source/market/store/account-tables.ts';
import type {Database} from '../../source/market/store/database.ts';
import {balanceFaults, bookSum, entryFaults} from '../../source/market/store/ledger.ts';
import {TEST_NOW} from './market.ts';

/** A further account without anything. */
export async function openAccount(database: Database, kind: AccountKind): Promise<number> {
	const {id} = await database
		.insertInto('accounts')
		.values({created_at: TEST_NOW, kind, role: 'member'})
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

/** All that does not add up. */
export async function allFaults(database: Database) {
	const whole = {after: 0, most: 1e6};
	const [balances, entries] = [
		await balanceFaults(database, whole),
		await entryFaults(database, whole),
	];
	return [...balances.faults, ...entries.faults];
}

/** All money of a market: what everybody has, has paid ahead, and was charged for days that are not over. */
export async function allMoney(database: Database): Promise<number> {
	const {sum} = await database
		.selectFrom('accounts')
		.select(({eb, fn}) =>
			fn.sum<number>(eb('credit_micros', '+', eb.ref('earned_micros'))).as('sum'),
		)
		.executeTakeFirstOrThrow();
	const {open} = await database
		.selectFrom('charges')
		.innerJoin('accounts', 'accounts.id', 'charges.account_id')
		.select(({fn}) => fn.sum<number | null>('amount_micros').as('open'))
		.whereRef('charges.day', '>', 'accounts.settled_day')
		.executeTakeFirstOrThrow();
	const {ahead} = await database
		.selectFrom('instances')
		.select(({fn}) => fn.sum<number | null>('deposit_micros').as('ahead'))
		.executeTakeFirstOrThrow();
	return sum + (open ?? 0) + (ahead ?? 0) + (await bookSum(database, 0, 'share'));
}
