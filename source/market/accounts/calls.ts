import type {Contract} from '../../contract/index.ts';
import {MICROS_PER_DOLLAR} from '../base/money.ts';
import {readAccount, accountNamed} from '../ledger/accounts-store.ts';
import {readCapUse} from '../api-keys/caps.ts';
import {listSshKeys} from '../ssh-keys/store.ts';
import type {ApiKey} from '../base/api-key.ts';
import type {Database} from '../database/database.ts';
import type {Handler} from '../http/handler.ts';
import type {Balances} from '../billing/balance.ts';
import type {ContactTimeouts} from '../lifecycle/contact-rules.ts';
import {shownDetails} from './rules.ts';
import {MOST_CHANGES} from '../../contract/nouns/account.ts';
import {addressesOf, findAccountChanges} from './history-store.ts';
import type {History} from './history.ts';

type Calls = Contract['account'];

type Needs = {readonly balances: Balances; readonly patience: ContactTimeouts};

export const current: Handler<Calls['current'], Needs> = async (
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
		...(await capOf(database, caller, clock.now())),
		credit: creditMicros / MICROS_PER_DOLLAR,
		balance: creditMicros / MICROS_PER_DOLLAR,
		ssh_key: newestKey?.publicKey ?? null,
		can_pay: false,
		has_billing: false,
		tfa_status: 'disabled',
		sid: '1',
		// An existing client fails without the field; no reply shows the key itself.
		api_key: null,
	};
};

/** The call's key's cap with its current use; null without a cap. */
async function capOf(database: Database, {capped}: ApiKey, now: number) {
	if (capped === undefined) return {key_cap: null, key_cap_used: null};
	const {dollars, ...use} = await readCapUse(database, capped, now);
	const bounded = Number.isFinite(dollars) ? dollars : null;
	return {key_cap: capped.cap, key_cap_used: {...use, dollars: bounded}};
}

type Histories = {readonly history: History};

export const changes: Handler<Calls['changes'], Histories> = async (
	{query: {before}},
	{database, history, caller: {accountId}},
) => {
	// Flushed, so that the caller sees its latest changes.
	await history.flush();
	const rows = await findAccountChanges(database, accountId, {before, most: MOST_CHANGES});
	return rows.map(({id, member_id, key_id, address, at, route, arguments: args, status}) => ({
		id,
		user_id: member_id ?? accountId,
		api_key_id: key_id,
		ip_address: address,
		created_at: at,
		api_route: route,
		args,
		status,
	}));
};

export const addresses: Handler<Calls['addresses'], Histories> = async ({params}, context) => {
	const {database, history, caller} = context;
	const accountId = await accountNamed(database, params.user_id, caller.accountId);
	await history.flush();
	const rows = await addressesOf(database, accountId, MOST_CHANGES);
	return {
		success: true,
		results: rows.map(({id, address, first_at, last_at}) => {
			const since = new Date(first_at * 1000).toISOString();
			return {
				id,
				user_id: accountId,
				ip_address: address,
				ip: address,
				timestamp: since,
				first_seen: since,
				// The market does not locate addresses.
				first_location: '',
				last_seen: new Date(last_at * 1000).toISOString(),
			};
		}),
	};
};
