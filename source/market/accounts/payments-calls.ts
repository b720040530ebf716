import type {Contract} from '../../contract/index.ts';
import {enterCredit} from './payments.ts';
import {knownAccount} from '../ledger/accounts-store.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import type {Handler} from '../http/handler.ts';

type Calls = Contract['payments'];

export const receive: Handler<Calls['receive']> = async ({body}, {database, clock}) => {
	const {id, user_id: accountId, amount, description = 'Payment'} = body;
	await knownAccount(database, accountId);
	const entered = await enterCredit(database, accountId, {
		micros: Math.round(amount * MICROS_PER_DOLLAR),
		description,
		service: 'payment',
		reference: `payment of a service ${id}`,
		now: clock.now(),
	});
	return {success: true, entered};
};
