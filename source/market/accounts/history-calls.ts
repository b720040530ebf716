import {MOST_CHANGES} from '../../contract/nouns/account.ts';
import type {Contract} from '../../contract/index.ts';
import {accountNamed} from '../ledger/named-account.ts';
import {addressesOf, changesOf} from './history-store.ts';
import type {Handler} from '../http/handler.ts';
import type {History} from './history.ts';

type Calls = Contract['account'];

type Needs = {readonly history: History};

export const changes: Handler<Calls['changes'], Needs> = async (
	{query: {before}},
	{database, history, caller: {accountId}},
) => {
	// Whoever asks sees what they did a moment ago.
	await history.flush();
	const rows = await changesOf(database, accountId, {before, most: MOST_CHANGES});
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

export const addresses: Handler<Calls['addresses'], Needs> = async ({params}, context) => {
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
				// Where an address is, nobody here knows.
				first_location: '',
				last_seen: new Date(last_at * 1000).toISOString(),
			};
		}),
	};
};
