import type {Contract} from '../../contract/index.ts';
import {readAccount} from '../store/accounts.ts';
import {listSshKeys} from '../store/ssh-keys.ts';
import type {Handler} from './handler.ts';

const MICROS = 1_000_000;

export const current: Handler<Contract['account']['current']> = async (_, {database, caller}) => {
	const {creditMicros, ...account} = await readAccount(database, caller.accountId);
	const newestKey = (await listSshKeys(database, caller.accountId)).at(-1);
	return {
		...account,
		key_id: caller.id,
		credit: creditMicros / MICROS,
		balance: creditMicros / MICROS,
		ssh_key: newestKey?.publicKey ?? null,
		can_pay: false,
		has_billing: false,
		// A client in use fails where it is missing; the key itself is shown nowhere.
		api_key: null,
	};
};
