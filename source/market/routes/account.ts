import type {Contract} from '../../contract/index.ts';
import {MICROS_PER_DOLLAR} from '../rules/pricing.ts';
import {readAccount} from '../store/accounts.ts';
import {listSshKeys} from '../store/ssh-keys.ts';
import type {Handler} from './handler.ts';

export const current: Handler<Contract['account']['current']> = async (
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
		// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
		...(JSON.parse(details ?? '{}') as Readonly<Record<string, unknown>>),
		...account,
		key_id: caller.id,
		credit: creditMicros / MICROS_PER_DOLLAR,
		balance: creditMicros / MICROS_PER_DOLLAR,
		ssh_key: newestKey?.publicKey ?? null,
		can_pay: false,
		has_billing: false,
		// A client in use fails where it is missing; the key itself is shown nowhere.
		api_key: null,
	};
};
