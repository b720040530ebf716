import type {Contract} from '../../contract/index.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {readAccount} from '../ledger/accounts-store.ts';
import {listSshKeys} from '../ssh-keys/store.ts';
import type {Handler} from '../http/handler.ts';
import type {Balances} from '../billing/balance.ts';
import type {Patience} from '../lifecycle/contact-rules.ts';
import {shownDetails} from './details.ts';

type Needs = {readonly balances: Balances; readonly patience: Patience};

export const current: Handler<Contract['account']['current'], Needs> = async (
	_,
	{database, balances, patience, clock, caller},
) => {
	const {
		creditMicros: _charged,
		details,
		...account
	} = await readAccount(database, caller.accountId);
	const moment = {patience, now: clock.now()};
	const {creditMicros} = await balances.read(caller.accountId, moment);
	const newestKey = (await listSshKeys(database, caller.accountId)).at(-1);
	return {
		...shownDetails(details),
		...account,
		key_id: caller.id,
		credit: creditMicros / MICROS_PER_DOLLAR,
		balance: creditMicros / MICROS_PER_DOLLAR,
		ssh_key: newestKey?.publicKey ?? null,
		can_pay: false,
		has_billing: false,
		tfa_status: 'disabled',
		sid: '1',
		// A client in use fails where it is missing; the key itself is shown nowhere.
		api_key: null,
	};
};
