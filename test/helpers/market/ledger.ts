import type {AccountKind} from '../../../source/market/base/api-key.ts';
import type {Database} from '../../../source/market/database/database.ts';
import {checkLedger} from '../../../source/market/sweep/ledger.ts';
import {bookSum} from '../../../source/market/ledger/store.ts';
import {balanceFaults} from '../../../source/market/ledger/checks-store.ts';
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

/** All that does not add up, whether all of it is read or what came since it was checked. */
export async function allFaults(database: Database) {
	const {faults: recent} = await balanceFaults(database, {after: 0, most: 1e6});
	return [...(await checkLedger(database)), ...recent.map(fault => ({...fault, isRecent: true}))];
}

/** All money of a market: what everybody has, has paid ahead, owes, and was charged for days that are not over. */
export async function allMoney(database: Database): Promise<number> {
	const {sum} = await database
		.selectFrom('accounts')
		.select(({eb, fn}) =>
			fn
				.sum<number>(
					eb(eb('credit_micros', '+', eb.ref('earned_micros')), '+', eb.ref('unpaid_micros')),
				)
				.as('sum'),
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
