import type {Contract} from '../../contract/index.ts';
import {isNumeric, isOn} from '../../contract/nouns/people.ts';
import {MICROS_PER_DOLLAR} from '../rules/pricing.ts';
import {readAccount} from '../store/accounts.ts';
import {listSshKeys} from '../store/ssh-keys.ts';
import type {Handler} from './handler.ts';
import type {Balances} from '../operations/balance.ts';
import type {Patience} from '../rules/contact.ts';

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

/** Facts that the owner has set, each as what it is: they are kept as texts. */
export function shownDetails(details: string | null): Readonly<Record<string, unknown>> {
	// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the market wrote it
	const kept = JSON.parse(details ?? '{}') as Readonly<Record<string, string>>;
	return Object.fromEntries<unknown>(
		Object.entries(kept).map(([name, text]) => [
			name,
			isNumeric(name) ? Number(text) : name === 'balance_threshold_enabled' ? isOn(text) : text,
		]),
	);
}
